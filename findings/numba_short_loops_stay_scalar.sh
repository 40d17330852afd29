#!/usr/bin/env bash
# States: Numba compiles a sum over sixteen numbers to scalar code where the loop's length is
#   written as 16, and to vector instructions where it is an argument: LLVM unrolls the short loop
#   before its loop vectorizer sees it, and the vectorizer of straight code is off unless
#   NUMBA_SLP_VECTORIZE=1.
# Seen with: numba 0.68.1, CPython 3.11.7, 2026-11-28.
# Matters: small fixed dot products. Writing the length down, the usual advice, made one of sixteen
#   short integers eight times slower than a vector intrinsic here.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install numba==0.68.1
cat >"$work/go.py" <<'END'
import re

import numba
import numpy as np


@numba.njit
def written(one, other):
    total = np.int64(0)
    for place in range(16):
        total += np.int64(one[place]) * np.int64(other[place])
    return total


@numba.njit
def given(one, other, length):
    total = np.int64(0)
    for place in range(length):
        total += np.int64(one[place]) * np.int64(other[place])
    return total


numbers = np.arange(16, dtype=np.int16)
assert written(numbers, numbers) == given(numbers, numbers, 16)
for function in (written, given):
    (code,) = function.inspect_llvm().values()
    print(function.__name__, "vectors" if re.search(r"<\d+ x i\d+>", code) else "scalars")
END
steps() {
    run go.py
    NUMBA_SLP_VECTORIZE=1 run go.py
}
expect steps <<'END'
written scalars
given vectors
written vectors
given vectors
END

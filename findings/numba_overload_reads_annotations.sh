#!/usr/bin/env bash
# States: `numba.extending.overload` refuses an implementation whose type annotations differ from
#   those of the function that chooses it, although compiling reads no annotation, and the names
#   of the parameters are the same. The error lists the parameters; `strict=False` accepts it.
# Seen with: numba 0.68.1, CPython 3.11.7, 2026-11-28.
# Matters: a project that annotates its code. The chooser gets Numba's types and the implementation
#   values, so that true annotations of the two always differ.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install numba==0.68.1
cat >"$work/go.py" <<'END'
import numba
from numba.core import errors, types
from numba.extending import overload


def make(**options):
    def double(number: int) -> int:
        return 2 * number

    @overload(double, **options)
    def choose(number: types.Type):
        def compute(number: int):
            return number + number

        return compute

    @numba.njit
    def call(number):
        return double(number)

    return call


for options in ({}, {"strict": False}):
    try:
        print(options, make(**options)(21))
    except errors.TypingError as error:
        print(options, "refused", "annotation" in str(error) or "<Parameter" in str(error))
END
expect run go.py <<'END'
{} refused True
{'strict': False} 42
END

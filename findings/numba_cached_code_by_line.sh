#!/usr/bin/env bash
# States: Numba names the files of cached machine code (`cache=True`) by the first line of the
#   function. A comment above it compiles anew into other files, and those of the old line stay for
#   ever; a comment below compiles anew into the same files; a newer date alone compiles nothing.
# Seen with: numba 0.68.1, CPython 3.11.7, 2026-11-28.
# Matters: anyone who ships or keeps `__pycache__` of kernels: the folder only grows, and CI that
#   restores it compiles after every comment. Clear it when a source with kernels changes.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install numba==0.68.1
unset PYTHONDONTWRITEBYTECODE
cat >"$work/kernels.py" <<'END'
import numba


@numba.njit(cache=True)
def add(a, b):
    return a + b
END
cat >"$work/go.py" <<'END'
from pathlib import Path

import kernels

kernels.add(1, 2)
how = "read" if sum(kernels.add.stats.cache_hits.values()) else "compiled"
names = sorted(path.name.partition(".py")[0] for path in Path("__pycache__").glob("*.nbi"))
print(how, *names)
END
steps() {
    run go.py
    run go.py
    echo "# below" >>"$work/kernels.py"
    run go.py
    sed -i '1i # above' "$work/kernels.py"
    run go.py
    touch "$work/kernels.py"
    run go.py
}
expect steps <<'END'
compiled kernels.add-4
read kernels.add-4
compiled kernels.add-4
compiled kernels.add-4 kernels.add-5
read kernels.add-4 kernels.add-5
END

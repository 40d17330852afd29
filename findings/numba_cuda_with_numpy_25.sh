#!/usr/bin/env bash
# States: numba-cuda 0.30.4 installs and imports beside NumPy 2.5, and its simulator runs a kernel;
#   but what it loads to compile the first kernel for a device asks NumPy for row_stack, which is gone.
# Seen with: numba-cuda 0.30.4, NumPy 2.5.5, Numba 0.68.1, CPython 3.13.0; on an H200 with NumPy 2.5.2.
# Matters: tests by the simulator pass, and the first run on a GPU fails; take NumPy below 2.5.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON 3.12
install numba-cuda==0.30.4 numba==0.68.1 numpy==2.5.5
export NUMBA_ENABLE_CUDASIM=1 # without a GPU
cat >"$work/simulated.py" <<'END'
import importlib
import warnings

import numpy

warnings.simplefilter("ignore")  # the import itself asks for a unit of timedelta that will go
from numba import cuda


@cuda.jit
def add_one(numbers):
    numbers[cuda.grid(1)] += 1


numbers = numpy.zeros(3)
add_one[1, 3](numbers)
print("simulator:", *numbers)
try:
    importlib.import_module("numba.cuda.np.arrayobj")
except AttributeError as error:
    print("compiler:", error)
else:
    print("compiler: loads")
END
expect run simulated.py <<'END'
simulator: 1.0 1.0 1.0
compiler: module 'numpy' has no attribute 'row_stack'
END

#!/usr/bin/env bash
# States: importing numba.cuda of numba-cuda 0.30.4 beside NumPy 2.5 gives a DeprecationWarning of
#   NumPy's about the generic unit of timedelta, and NumPy says that it will be an error.
# Seen with: numba-cuda 0.30.4, NumPy 2.5.5, Numba 0.68.1, CPython 3.13.0.
# Matters: numba-cuda gets no new NumPy any more; with warnings as errors the import fails.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON 3.12
install numba-cuda==0.30.4 numba==0.68.1 numpy==2.5.5
export NUMBA_ENABLE_CUDASIM=1 # numba-cuda's simulator: without a GPU
cat >"$work/imported.py" <<'END'
import warnings

import numba
import numpy

with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    import numba.cuda
print(*sorted({f"{one.category.__name__} {'generic' in str(one.message)}" for one in found}))
END
expect run imported.py <<'END'
DeprecationWarning True
END

#!/usr/bin/env bash
# States: in a module made by types.ModuleType(), which has a __spec__ and a __loader__ of None,
#   warnings.warn_explicit() with its globals raises ValueError from Python 3.12 on, where 3.11
#   warns; from 3.15 on linecache gives a DeprecationWarning for it, too.
# Seen with: CPython 3.12.1, 3.13.0, 3.14.8 and 3.15.0.
# Matters: programs that run a user's file in such a module. Make it with
#   importlib.util.module_from_spec(), which has a loader.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON 3.12
cat >"$work/bare.py" <<'END'
import importlib.machinery
import importlib.util
import linecache
import sys
import types
import warnings

CODE = "def warn(): warnings.warn_explicit('old', UserWarning, 'a.py', 1, module_globals=globals())"
open("a.py", "w").write(CODE)
loader = importlib.machinery.SourceFileLoader("loaded", "a.py")
bare = types.ModuleType("bare")
loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader("loaded", loader))
for module in (bare, loaded):
    module.warnings = warnings
    exec(CODE, vars(module))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            module.warn()
        except ValueError as error:
            print(module.__name__, "ValueError:", error)
        else:
            print(module.__name__, *(one.category.__name__ for one in found))
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    linecache.lazycache("b.py", vars(bare))
kinds = [one.category.__name__ for one in found]
print("linecache:", kinds == ["DeprecationWarning"] * (sys.version_info >= (3, 15)) and "from 3.15")
END
expect run bare.py <<'END'
bare ValueError: Module globals is missing a __spec__.loader
loaded UserWarning
linecache: from 3.15
END

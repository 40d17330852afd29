import inspect
import subprocess
import sys

import upcard


def test_simulate_is_a_plain_function_whose_help_names_its_parameters():
    assert inspect.isfunction(upcard.simulate)
    parameters = inspect.signature(upcard.simulate).parameters
    assert {"rules", "strategy", "rounds", "seed", "count", "ramp", "workers"} <= set(parameters)
    assert not {kind.kind for kind in parameters.values()} & {
        inspect.Parameter.VAR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
    }


def test_importing_upcard_loads_no_heavy_library():
    code = "import sys, upcard; print([n for n in ('numpy', 'numba', 'click') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

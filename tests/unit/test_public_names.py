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


def test_importing_upcard_loads_nothing_but_its_names():
    """So it takes a few milliseconds; what a name needs is imported when it is first used."""
    code = (
        "import sys; before = set(sys.modules); import upcard; new = set(sys.modules) - before;"
        "tops = {name.partition('.')[0] for name in new} - sys.stdlib_module_names;"
        "print(*sorted(tops), *sorted(name for name in new if name.startswith('upcard.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "upcard",
        *("upcard._version", "upcard.core", "upcard.core.long_work"),
    ]

"""CI leaves out slow tests that passed as they are, and no others."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import green_runs
import pytest
from green_runs import CannotTellError, Records, Tree

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """
[tool.pytest]
testpaths = ["tests"]
pythonpath = ["src", "tests"]
addopts = ["-p", "no:cacheprovider"]
markers = ["slow: runs with `make slow`"]

[[tool.importlinter.contracts]]
type = "layers"
layers = ["web | tui", "answers", "exact | table", "core"]
"""
PROVIDERS = """
_above = [str]

def provide(packages):
    _above[:] = [packages]

def above():
    return _above[0]
"""
AGAIN = "from without_compiler import run_without_compiler\nrun_without_compiler(__file__, '-q')"
TEST = "import pytest\n{}\npytestmark = pytest.mark.slow\ndef test_it():\n    {}\n"


@pytest.fixture
def project(tmp_path):
    """A project of four layers with a slow test of some packages."""
    place = tmp_path / "project"
    files = {
        "pyproject.toml": PROJECT,
        "README.md": "",
        "requirements/dev.txt": "pytest\n",
        "src/upcard/__init__.py": "if False:\n    from upcard.answers.edge import edge\n",
        "src/upcard/core/__init__.py": PROVIDERS,
        "tests/conftest.py": (
            "def pytest_configure(config):\n    config.pluginmanager.import_plugin('green_runs')\n"
        ),
        "tests/green_runs.py": Path(green_runs.__file__).read_text("utf-8"),
        "tests/naive.py": "import upcard.core\n",
        "tests/without_compiler.py": "import subprocess\n",
        "tests/unit/exact/values.csv": "1\n",
        "tests/unit/exact/test_exact.py": TEST.format("import naive, upcard.exact", "pass"),
        "tests/unit/table/test_table.py": TEST.format("from upcard import table", "pass"),
        "tests/web/test_web.py": TEST.format("import upcard.web", "pass"),
    } | {
        f"src/upcard/{name}/__init__.py": "" for name in ("web", "tui", "answers", "exact", "table")
    }
    for name, text in files.items():
        write(place / name, text)
    return place


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(project, *options, records=True):
    """Run the slow tests of a project as .ci/run does; return the exit code and what ran."""
    folder = project.parent / "records"
    variables = {**os.environ, "UPCARD_CI_RECORDS": str(folder) if records else ""}
    variables["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # nothing here needs them but the workers
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-v", "-m", "slow", *options]
    done = subprocess.run(
        command, cwd=project, env=variables, capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    names = {path.name for path in project.glob("tests/**/test_*.py")}
    ran = {name for name in names for line in lines if f"{name}::" in line}
    said = {
        name for name in names for line in lines if line.startswith("UNCHANGED ") and name in line
    }
    assert not ran & said, done.stdout
    assert ran | said == names or options or not records or done.returncode, done.stdout
    return done.returncode, {name.removeprefix("test_").removesuffix(".py") for name in ran}


@pytest.mark.slow
def test_what_passed_as_it_is_is_left_out_and_named(project):
    assert run(project) == (0, {"exact", "table", "web"})
    assert run(project) == (0, set())
    assert run(project, "-n", "2") == (0, set())
    assert run(project, records=False) == (0, {"exact", "table", "web"})


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("src/upcard/web/style.css", {"web"}),
        ("src/upcard/tui/__init__.py", set()),
        ("src/upcard/answers/__init__.py", {"web"}),
        ("src/upcard/exact/__init__.py", {"exact", "web"}),
        ("src/upcard/table/__init__.py", {"table", "web"}),
        ("src/upcard/core/__init__.py", {"exact", "table", "web"}),
        ("src/upcard/_version.py", {"exact", "table", "web"}),
        ("tests/naive.py", {"exact"}),
        ("tests/unit/exact/test_exact.py", {"exact"}),
        ("tests/unit/exact/values.csv", set()),
        ("tests/unit/conftest.py", {"exact", "table"}),
        ("tests/without_compiler.py", {"exact", "table", "web"}),
        ("tests/conftest.py", {"exact", "table", "web"}),
        ("requirements/dev.txt", {"exact", "table", "web"}),
        ("pyproject.toml", {"exact", "table", "web"}),
        ("README.md", set()),
        ("docs/quickstart.md", {"web"}),
    ],
)
def test_a_change_runs_again_what_can_reach_it(project, changed, again):
    before = Tree(project).stamp_all()
    path = project / changed
    write(path, (path.read_text("utf-8") if path.exists() else "") + "\n# changed\n")
    after = Tree(project).stamp_all()
    assert {
        Path(name).stem.removeprefix("test_") for name in before if before[name] != after[name]
    } == again


@pytest.mark.slow
def test_the_files_that_a_change_concerns_run_again(project):
    run(project)
    write(project / "src/upcard/exact/__init__.py", "# changed\n")
    assert run(project, "-n", "2") == (0, {"exact", "web"})
    assert run(project) == (0, set())


@pytest.mark.slow
def test_a_run_that_is_not_green_or_not_whole_leaves_no_record(project):
    test = project / "tests/unit/exact/test_exact.py"
    good = test.read_text("utf-8")
    assert run(project, "-k", "table") == (0, {"table"})
    assert run(project, "tests/web") == (0, {"web"})
    write(test, good.replace("pass", "assert False"))
    assert run(project) == (1, {"exact", "table", "web"})
    write(test, good)
    assert run(project) == (0, {"exact", "table", "web"})


@pytest.mark.slow
def test_what_changes_while_the_tests_run_is_not_on_record(project):
    code = "from pathlib import Path; import upcard.web; source = Path(upcard.core.__path__[0])"
    act = "(source / 'new.py').write_text('')"
    write(project / "tests/web/test_web.py", TEST.format(code, act))
    assert run(project) == (0, {"exact", "table", "web"})
    assert run(project) == (0, {"exact", "table", "web"})
    assert run(project) == (0, set())


@pytest.mark.slow
@pytest.mark.parametrize(
    "act",
    [
        "pytest.skip('no device')",
        "pytest.xfail('known')",
        "from upcard.core import above; above().upper('tabulate')",
    ],
)
def test_a_test_that_skips_or_asks_a_package_above_is_not_on_record(project, act):
    code = "import upcard.web\ndef test_other(): pass"
    write(project / "tests/web/test_web.py", TEST.format(code, act))
    assert run(project) == (0, {"exact", "table", "web"})
    assert run(project, "-n", "1") == (0, {"web"})
    assert run(project) == (0, {"web"})


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import subprocess, upcard.core", "imports subprocess"),
        ("import upcard.core, pexpect", "imports pexpect"),
        ("from importlib import import_module", "imports importlib"),
        ("import os, upcard.core; os.system('true')", "uses os.system"),
        ("import upcard as u", "imports upcard as u"),
        ("from upcard import anything", "uses upcard.anything"),
        ("import upcard; upcard.anything()", "uses upcard.anything"),
        ("import helper_that_starts", "imports subprocess"),
        ("import upcard.core\nfrom naive import run\nrun(__file__)", "uses __file__"),
        ("import upcard.core; PAGE = open('README.md')", "names README.md"),
        ("from pathlib import Path\nimport upcard.core; ROOT = Path(__file__)", "uses __file__"),
        ("import upcard; print(upcard.core.__file__)", "uses __file__"),
        ("PAGE = Path(__file__).parent / '..' / 'a'\nimport upcard.core", "names .."),
        ("HERE = Path(__file__).parent\nimport upcard.core; HERE.parent", "leaves its folder"),
        ("def test_it(request): request.config.rootpath\nimport upcard.core", "uses rootpath"),
        ("assert 1 + 1 == 2", "names no package of upcard"),
    ],
)
def test_where_it_cannot_be_told_what_a_test_reaches_it_runs(project, code, reason):
    write(project / "tests/helper_that_starts.py", "import subprocess\n")
    test = project / "tests/any/test_any.py"
    write(test, code)
    with pytest.raises(CannotTellError, match=f"^{reason}"):
        Tree(project).stamp(test)


@pytest.mark.parametrize(
    ("code", "packages"),
    [
        ("import upcard; upcard.edge()", {"answers", "exact", "table", "core"}),
        ("from upcard import edge", {"answers", "exact", "table", "core"}),
        ("from upcard.exact.solve import solve", {"exact", "core"}),
        ("import upcard; upcard.exact.solve", {"exact", "core"}),
        ("def test(patch): patch('upcard.table.deal')", {"table", "core"}),
        ("import naive", {"core"}),
        ("from tests import naive", {"core"}),
        ("from tests.deep import twin", {"exact", "core"}),
        ("from tests.deep.twin import solve", {"exact", "core"}),
        ("from deep.twin import solve", {"exact", "core"}),
        (f"import upcard.table\n{AGAIN}", {"table", "core"}),
    ],
)
def test_a_test_reaches_what_it_names_and_all_below(project, code, packages):
    write(project / "tests/deep/twin.py", "import upcard.exact\n")
    test = project / "tests/any/test_any.py"
    write(test, code)
    parts = [path.relative_to(project).parts for path in Tree(project).find_files(test)]
    assert {part[2] for part in parts if part[0] == "src" and len(part) > 3} == packages


def test_a_test_that_reads_its_folder_runs_again_for_a_file_there(project):
    code = "from pathlib import Path\nimport upcard.core; V = Path(__file__).parent / 'values.csv'"
    test = project / "tests/unit/exact/test_exact.py"
    write(test, code)
    before = Tree(project).stamp(test)
    write(project / "tests/unit/exact/values.csv", "2\n")
    assert Tree(project).stamp(test) != before


def test_a_stamp_is_of_the_machine_too(project, monkeypatch):
    test = project / "tests/web/test_web.py"
    before = Tree(project).stamp(test)
    for name, text in (("UPCARD_TEST_SEED", "1"), ("NUMBA_DISABLE_JIT", "1")):
        green_runs.describe_machine.cache_clear()
        monkeypatch.setenv(name, text)
        assert Tree(project).stamp(test) != before
        monkeypatch.delenv(name)
    green_runs.describe_machine.cache_clear()
    monkeypatch.setattr(green_runs.platform, "platform", lambda: "another")
    assert Tree(project).stamp(test) != before
    green_runs.describe_machine.cache_clear()


def test_a_record_counts_for_a_day(tmp_path):
    records = Records(tmp_path / "new" / "records")
    assert records.find_age("a") is None
    records.write(["a", "b", "c"])
    assert records.find_age("a") < 0.1
    hour = 3600
    for name, hours in (("a", -25), ("b", -23), ("c", 2)):
        os.utime(records.folder / name, (time.time() + hours * hour,) * 2)
    assert [records.find_age(name) is not None for name in "abc"] == [False, True, False]
    records.write(["d"])
    assert sorted(path.name for path in records.folder.iterdir()) == ["b", "d"]


def test_the_packages_that_read_the_projects_files_are_known():
    climbs = re.compile(r"\.parents\b|\.parent\.parent\b|\bcwd\(|getcwd\(")
    source = ROOT / "src/upcard"
    found = {
        path.relative_to(source).parts[0]
        for path in source.rglob("*.py")
        if "__file__" in (text := path.read_text(encoding="utf-8")) and climbs.search(text)
    }
    assert found == {*green_runs.READS}


@pytest.mark.slow
def test_the_dearest_slow_tests_have_a_stamp():
    """A mend of the plugin, or an import here, that makes them run always costs CI minutes."""
    stamps = Tree(ROOT).stamp_all()
    assert {f"tests/unit/exact/test_{name}.py" for name in ("position", "naive_twin")} <= {*stamps}
    assert "tests/docs/test_set_up.py" not in stamps

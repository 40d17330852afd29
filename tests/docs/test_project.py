"""What must hold for the project's files and its public names."""

import re
import subprocess
from functools import cache
from pathlib import Path, PurePosixPath

import click
import pytest
import rooms
from gendocs import write_reference_page
from reference import REFERENCE

import upcard
from upcard.cli.app import cli

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {".cfg", ".ini", ".json", ".md", ".py", ".svg", ".toml", ".txt", ".yaml", ".yml", ""}
# With brackets, so that this file, which is read too, does not name them either.
REGISTRY = re.compile(
    r"(?:py[p]i|python[h]osted|ana[c]onda|npm[j]s|crates)\.(?:org|io|com)", re.IGNORECASE
)


def project_files():
    """All the project's own files: hidden folders hold what tools leave behind, but for these."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        is_hidden = parts[0].startswith(".") and parts[0] not in (".ci", ".github", ".gitignore")
        if path.is_file() and not is_hidden and "__pycache__" not in parts:
            yield path


@pytest.mark.slow
def test_no_file_names_a_package_registry():
    named = [
        str(path.relative_to(ROOT))
        for path in project_files()
        if path.suffix in TEXTS and REGISTRY.search(path.read_text(encoding="utf-8"))
    ]
    assert named == []


@pytest.fixture(scope="module")
def sources():
    return rooms.read_here()


@pytest.mark.slow
def test_the_sources_are_divided_into_files_as_the_limits_want_it(sources):
    assert rooms.find_faults(sources) == []


@pytest.mark.slow
def test_no_two_classes_have_one_name(sources):
    places = sources.classes()
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        ({"rules/long.py": "pass\n" * 901}, "1 files over 900 lines, at most 0: rules/long.py"),
        ({"web/long.py": "pass\n" * 901}, "1 files over 900 lines, at most 0: web/long.py"),
        ({"rules/short.py": "pass\n" * 59}, "1 files under 60 lines, at most 0: rules/short.py"),
        (
            {"rules/cards.py": "pass\n" * 60, "rules/seven/cards.py": "pass\n" * 60},
            "1 module names that occur twice, at most 0: cards.py",
        ),
        (
            {f"rules/cards{number}.py": "pass\n" * 60 for number in range(13)},
            "1 uneven folders, at most 0: rules (16)",
        ),
        ({"alone/cards.py": "pass\n" * 60}, "1 uneven folders, at most 0: alone (1)"),
        (
            {"rules/imports.py": "from a import (\n    b,\n    c,\n)\n" * 15 + "pass\n" * 140},
            "imports below the front-ends: 16.95% of the lines, at most 10.0%",
        ),
        (
            {"web/imports.py": "def a():\n    import b\n" * 60},
            "imports: 14.02% of the lines, at most 10.0%",
        ),
    ],
)
def test_a_file_that_breaks_a_limit_is_named(added, fault, monkeypatch):
    for limit in ("LARGE_FILES", "SMALL_FILES", "REPEATED_NAMES", "UNEVEN_FOLDERS"):
        monkeypatch.setattr(rooms, f"MOST_{limit}", 0)
    for limit in ("IMPORTS", "IMPORTS_BELOW"):
        monkeypatch.setattr(rooms, f"MOST_{limit}", 0.1)
    monkeypatch.setattr(rooms, "AIMS", {})
    texts = {f"{folder}/__init__.py": "" for folder in ("rules", "web")}
    texts |= {
        f"{folder}/{name}.py": "pass\n" * 77
        for folder, names in (("rules", ("model", "notation")), ("web", ("page", "view")))
        for name in names
    }
    before = rooms.Rooms({PurePosixPath(path): text for path, text in texts.items()})
    assert rooms.find_faults(before) == []
    after = rooms.Rooms({PurePosixPath(path): text for path, text in (texts | added).items()})
    assert fault in rooms.find_faults(after)


SMALL = "class Card:\n    def to_json(self):\n        return 'the queen of hearts'\n"
SMALL_TEST = "def test_deal():\n    assert say() == 'the bet is too small'\n"


@pytest.mark.parametrize(
    ("name", "added", "added_test"),
    [
        ("lines", "pass\n", ""),
        ("class names", "class Deck: ...\n", ""),
        ("functions over 60 lines", "def deal():\n" + "    pass\n" * 60, ""),
        ("functions named to_json or as_json", SMALL.replace("Card", "Deck"), ""),
        ("files with text for people", "print('the bet is too small')\n", ""),
        ("tests that compare a sentence", "", SMALL_TEST),
    ],
)
def test_what_only_falls_is_held_to_what_it_is(name, added, added_test, monkeypatch):
    """An aim without a limit was missed twice."""

    def read(text="", test=""):
        sources = {PurePosixPath("a.py"): SMALL, PurePosixPath("b.py"): text}
        tests = {PurePosixPath("a.py"): SMALL_TEST, PurePosixPath("b.py"): test}
        return rooms.Rooms(sources, tests)

    before, after = read(), read(added, added_test)
    monkeypatch.setattr(rooms, "AIMS", {name: before.count(name)})
    assert not [fault for fault in rooms.find_faults(before) if fault.startswith(name)]
    assert any(fault.startswith(f"{name}: ") for fault in rooms.find_faults(after))
    monkeypatch.setattr(rooms, "AIMS", {name: after.count(name)})
    assert any(fault.endswith("--lower") for fault in rooms.find_faults(before))
    text = f'AIMS = {{"{name}": {after.count(name):_}}}'
    assert rooms.lower(text, before) == f'AIMS = {{"{name}": {before.count(name):_}}}'
    assert rooms.lower(text, after) == text


@pytest.mark.slow
def test_an_earlier_version_is_measured_beside_this_one(capsys, monkeypatch):
    if not (ROOT / ".git").exists():
        pytest.skip("no earlier version is here")
    monkeypatch.setattr("sys.argv", ["rooms.py", "--base", "HEAD"])
    with pytest.raises(SystemExit):
        rooms.main()
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "| | HEAD | here | limit |"
    assert {row.count("|") for row in rows} == {5}


def test_the_source_distribution_has_every_file_of_the_project():
    """F23: its tests could not be collected, for want of tools that they import."""
    builders = pytest.importorskip("hatchling.builders.sdist")
    packed = {
        file.relative_path for file in builders.SdistBuilder(str(ROOT)).recurse_included_files()
    }
    if not (ROOT / ".git").exists():  # unpacked from one
        assert {"Makefile", "tools/claims.py", "tests/conftest.py", "scripts/bootstrap"} <= packed
        return
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    tracked = {name for name in listed if (ROOT / name).is_file()}
    assert tracked - packed == set()
    assert {name for name in packed if name.startswith((".venv", ".git/"))} == set()


def test_every_target_of_the_makefile_runs_in_ci():
    """F18: `make docs` ended with a traceback, and nothing had run it."""
    targets = re.findall(
        r"^(\w+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    run = "".join(
        (ROOT / name).read_text(encoding="utf-8")
        for name in (".ci/run", "scripts/fresh_machine.py")
    )
    assert len(targets) > 15
    outside = {"findings"}  # about other software, which it installs each time
    assert set(targets) >= outside
    assert {
        name for name in targets if not re.search(rf"(make|unchanged) {name}\b", run)
    } == outside


def test_the_licence_is_there():
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_changelog_is_one_page_of_what_the_first_version_has():
    version = upcard.__version__.partition("+")[0]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)", text, re.MULTILINE) == [f"[{version}] - unreleased"]
    assert len(text.splitlines()) < 120


@pytest.mark.parametrize(
    "page",
    [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_commands_and_options_that_a_page_names_exist(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert find_unknown(text) == []


def test_a_command_and_an_option_that_do_not_exist_are_found():
    text = "`upcard nothing`, `upcard solve 88 v T --nothing -h`, `upcard stats --chart`"
    assert find_unknown(text) == ["nothing", "solve --nothing"]


def find_unknown(text):
    """Return the commands that are named and do not exist, and options that they do not take."""
    context = click.Context(cli, info_name="upcard")
    unknown = []
    for name, rest in re.findall(r"`upcard ([a-z]+(?:-[a-z]+)*)\b([^`\n]*)`", text):
        if name in ("run", "table"):  # names of formats, as in "upcard run"
            continue
        command = cli.get_command(context, name)
        if command is None:
            unknown.append(name)
            continue
        known = {one for param in command.params for one in (*param.opts, *param.secondary_opts)}
        known |= {"-h", "--help"}
        options = re.findall(r"(?<![\w-])--?[a-z][\w-]*", rest)
        unknown += [f"{name} {option}" for option in options if option not in known]
    return unknown


def test_the_public_names_are_those_that_the_api_page_lists():
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(documented) == sorted(upcard.__all__)


def test_the_public_names_are_sorted_and_can_be_imported():
    assert list(upcard.__all__) == sorted(upcard.__all__)
    assert [name for name in upcard.__all__ if not hasattr(upcard, name)] == []


@pytest.mark.parametrize(
    "page",
    [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_links_of_a_page_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", read_page(page), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s#]*)(#[^)]*)?\)", text)
    images = re.findall(r'(?:src|srcset)="([^"]+)"', text)
    local = [link for link in [*(target for target, _ in links), *images] if "://" not in link]
    assert [link for link in local if link and not (page.parent / link).exists()] == []
    pages = [(page.parent / target if target else page, anchor[1:]) for target, anchor in links]
    assert [
        (str(other), anchor)
        for other, anchor in pages
        if anchor and other.suffix == ".md" and anchor not in anchors(other)
    ] == []


@cache
def read_page(page):
    """Return the text of a page; of a reference page the whole, which git does not have."""
    if page.parent == ROOT / "docs" and page.stem in REFERENCE:
        return write_reference_page(page.stem)
    return page.read_text(encoding="utf-8")


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", read_page(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_index_lists_every_page():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    missing = [str(page) for page in pages if page.name != "index.md" and f"({page})" not in index]
    assert missing == []

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "upcard"


def test_no_two_classes_have_one_name():
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


RENAMED = {
    "sitting", "simulate", "table/fair", "table/session", "table/verify_shuffle",
    "coach/drill", "coach/drills", "coach/situations", "coach/openings", "coach/room",
    "coach/lowering", "coach/changes", "coach/seen", "coach/chances", "coach/why",
    "coach/valuing", "coach/odd", "coach/progress", "coach/scheduler", "analysis/chips",
    "analysis/rows", "analysis/figures", "charts/heat", "charts/plots_data", "cli/writing",
    "cli/commands", "cli/simulating", "cli/line/voice", "cli/line/seat", "cli/line/shoes",
    "cli/line/remarks", "cli/line/wishes", "cli/line/deshmukh", "cli/line/roanoke",
    "cli/line/seven_hands", "cli/line/boxes", "exact/support", "exact/odd", "exact/hands",
    "exact/playing", "exact/answers", "exact/reading", "players/game", "players/offers",
    "players/simple", "players/computer", "players/watching", "session/sitting",
    "session/catching_up", "session/buying_in", "session/chips", "session/switches",
    "simulation/keeping", "simulation/probing", "simulation/stopping", "simulation/jobs",
    "simulation/sessions", "store/place", "tui/look", "tui/head", "tui/telling",
    "tui/picture", "tui/entry", "tui/opening", "tui/train/told", "tui/train/tray",
    "tui/train/foot", "tui/train/setup",
}  # fmt: skip
CLASSES = {"Sitting", "Wishes", "DrillWishes", "CountWishes", "Voice", "OddSolver"}


def test_no_module_has_its_old_name():
    """Issue 11, part 6: each has one plain term of the field."""
    modules = {path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("*.py")}
    packages = {path.parent.relative_to(SOURCE) for path in SOURCE.rglob("*.py")}
    found = {path.as_posix() for path in modules | packages}
    assert found & RENAMED == set()
    assert not [name for name in found if name.startswith(("analysis/indices_", "charts/plots_"))]
    assert not [name for name in found if name.startswith("cli/") and name.endswith("_words")]


def test_no_page_or_source_names_an_old_module_or_class():
    dotted = "|".join(sorted(name.replace("/", r"\.") for name in RENAMED if "/" in name))
    old = re.compile(rf"\bupcard\.(?:{dotted}|sitting|simulate\.run)\b")
    classes = re.compile(rf"\b(?:{'|'.join(sorted(CLASSES))})\b")
    texts = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    sources = [*SOURCE.rglob("*.py"), *(ROOT / "campaign").glob("*.py"), *ROOT.glob("tools/*.py")]
    named = {
        path.name: sorted(found)
        for path in [*texts, *sources]
        for text in [path.read_text(encoding="utf-8")]
        if (found := {*old.findall(text), *(classes.findall(text) if path in sources else ())})
    }
    assert named == {}

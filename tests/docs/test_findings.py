"""Each finding has the form that findings/README.md describes; `make findings` runs them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FINDINGS = Path(__file__).resolve().parents[2] / "findings"
SCRIPTS = sorted(FINDINGS.glob("*.sh"))
BASH = shutil.which("bash")
PARTS = ("States", "Seen with", "Matters")


def test_there_are_findings_and_what_they_share():
    names = {path.name for path in FINDINGS.iterdir() if path.is_file()}
    assert names - {path.name for path in SCRIPTS} == {"README.md", "common", "run"}
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_finding_has_the_form(script):
    text = script.read_text(encoding="utf-8")
    head, common, body = text.partition('. "$(dirname -- "${BASH_SOURCE[0]}")/common"\n')
    assert common
    assert re.findall(r"^# ([A-Z][a-z ]+): ", head, re.MULTILINE) == list(PARTS)
    assert re.search(r"\d+\.\d+", head.partition("Seen with")[2])
    assert len(re.findall(r"^expect ", body, re.MULTILINE)) == 1
    for words in re.findall(r"^install (.*)", body, re.MULTILINE):
        assert all(re.fullmatch(r"[a-z-]+==[\w.]+", word) for word in words.split()), words
    assert not re.search(r"upcard|https?://|index-url|/tmp|/home", body)


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.parametrize("file", [*SCRIPTS, FINDINGS / "common", FINDINGS / "run"], ids=str)
def test_bash_can_read_it(file):
    done = subprocess.run([BASH, "-n", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.parametrize(
    ("printed", "variables", "code", "words"),
    [
        ("as seen", {}, 0, "as stated  a.sh"),
        ("another", {}, 1, "CHANGED    a.sh"),
        ("as seen", {"PYTHON315": "python-of-nobody"}, 0, "not tried  a.sh"),
        ("as seen", {"PYTHON315": ""}, 0, "not tried: it needs Python 3.15 or later; name one"),
    ],
)
def test_a_run_says_what_is_as_stated_has_changed_or_was_not_tried(
    tmp_path, printed, variables, code, words
):
    for name in ("common", "run"):
        shutil.copy(FINDINGS / name, tmp_path / name)
    need = "need_python PYTHON315 3.15\n" if variables else ""
    (tmp_path / "a.sh").write_text(
        f". ./common\n{need}expect echo '{printed}' <<'END'\nas seen\nEND\n", encoding="utf-8"
    )
    variables |= {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    command = [BASH, tmp_path / "run"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, words in done.stdout) == (code, True), done
    assert {path.name for path in tmp_path.iterdir()} == {"common", "run", "a.sh"}

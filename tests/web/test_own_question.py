"""A question of one's own with a plain reader is refused at every door, and never a traceback."""

from __future__ import annotations

import enum
import sys
from types import ModuleType
from typing import Annotated

import pytest
from screen_driver import drive, flat, press, wait_for
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

from upcard.answers.questions import QUESTIONS, NamedQuestion, Sheet
from upcard.cli import app as cli_app
from upcard.core.fields import Field
from upcard.core.figure import make_figure
from upcard.rules.model import Rules
from upcard.web.app import make_app


class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"


def answer(
    rules: Rules,
    *,
    hands: Annotated[int, Field(int, "Hands to deal, such as 8.", choices=("1", "many"))] = 8,
    side: Annotated[Side, Field(Side, "Side of the table.")] = Side.LEFT,
    weight: Annotated[float, Field(float, "Weight of a chip.")],
) -> Sheet:
    """Answer with the fields."""
    figure = make_figure("answer", "Answer", hands * weight, f"{hands} {side.value} {weight}", "")
    return Sheet(title="Deal", rules=str(rules), figures=(figure,))


@pytest.fixture(autouse=True)
def question(monkeypatch):
    module = ModuleType("upcard.answers.asked.deal")
    module.answer = answer
    monkeypatch.setitem(sys.modules, module.__name__, module)
    question = NamedQuestion(name="deal", title="Deal", about="Deal some hands.")
    monkeypatch.setitem(QUESTIONS, "deal", question)
    monkeypatch.setitem(cli_app._HELP, "deal", question.about)
    return question


@pytest.fixture
def talk(capsys):
    def run(words):
        code = cli_app.run(words)
        return (code, *capsys.readouterr())

    return run


REFUSED = {
    "hands": ("x", "'x' is not a whole number. Hands to deal"),
    "side": ("up", "'up': choose one of left, right. Side of the table"),
    "weight": ("nan", "'nan' is not a number. Weight of a chip"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_command_refuses_a_field(name, talk):
    text, words = REFUSED[name]
    code, out, err = talk(["deal", f"--{name}", text, *["--weight", "1"] * (name != "weight")])
    assert (code, out) == (2, "")
    assert f"--{name}" in err
    assert words in " ".join(err.split())


def test_the_command_asks_for_a_field_without_a_default(talk):
    code, out, err = talk(["deal"])
    assert (code, out) == (2, "")
    assert "weight is empty. Weight of a chip" in err
    assert "3 right 2.0" in talk(["deal", "--hands", "3", "--side", "RIGHT", "--weight", "2"])[1]


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_the_page_and_its_json_refuse_a_field(name, kind):
    text, words = REFUSED[name]
    fields = {"weight": "1", name: text}
    with TestClient(make_app(make_site()), base_url=ORIGIN) as client:
        head = {"Authorization": f"Bearer {KEY}", "Accept": kind}
        found = client.get("/ask/deal", params=fields, headers=head)
        missing = client.get("/ask/deal", headers=head)
    assert found.status_code == missing.status_code == 422
    assert words in found.text.replace("&#39;", "'").replace("&#x27;", "'")
    assert "Weight is empty. Weight of a chip" in missing.text


@pytest.mark.slow
def test_the_palette_shows_why_a_choice_is_refused(question):
    async def script(pilot, app):
        app.ask(question, Rules.parse("INF"))
        await press(pilot, "down", "down", "enter")
        await wait_for(pilot, lambda: "'many' is not a whole number" in flat(app))

    assert drive(script).failure is None


def test_the_palette_says_that_a_field_has_no_default(question):
    async def script(pilot, app):
        app.ask(question, Rules.parse("INF"), "1")
        await wait_for(pilot, lambda: "Weight is empty" in flat(app))

    assert drive(script).failure is None

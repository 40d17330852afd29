"""Every address of the server is documented, and answers what its documents say."""

import math
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module

import pytest
from api_cases import CASES, FORM, SLOW, World, make_world_site
from html_check import find_faults
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from table_client import HTML, JSON
from view_shapes import describe_fields, list_fields, make_document, make_schema
from web_api import list_addresses, list_asked, list_pages
from web_server import KEY, ORIGIN

from upcard.core.cards import Card
from upcard.core.numbers import to_json
from upcard.services.run_queue import Status
from upcard.store.database import open_store
from upcard.web import showing
from upcard.web.app import make_app
from upcard.web.endpoints import ROUTES
from upcard.web.page_routes import MODULES, first_part
from upcard.web.reading import Fields

REFUSAL = {"api", "error", "words", "fields"}
VIEWS = list_pages()
SCHEMAS = {page: Draft202012Validator(make_document(view)) for page, view in VIEWS.items()}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    site = make_world_site(open_store(tmp_path_factory.mktemp("data") / "upcard.db"))
    with TestClient(make_app(site), base_url=ORIGIN, follow_redirects=False) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        yield World(client, site.store)


class Heard:
    """The fields that requests read, and the types of the view models that they show."""

    def __init__(self):
        self.is_listening = False
        self.fields = set()
        self.views = []


@pytest.fixture
def heard(monkeypatch):
    found = Heard()
    to_json = showing.to_json

    def hear(read):
        def heard(self, name, *more):
            if found.is_listening:
                found.fields.add(name)
            return read(self, name, *more)

        return heard

    def hear_view(view):
        if hasattr(type(view), "__dataclass_fields__"):
            found.views.append(type(view))
        monkeypatch.setattr(showing, "to_json", to_json)  # the parts of a view are not pages
        try:
            return to_json(view)
        finally:
            monkeypatch.setattr(showing, "to_json", hear_view)

    for method in ("text", "texts", "__contains__"):
        monkeypatch.setattr(Fields, method, hear(getattr(Fields, method)))
    monkeypatch.setattr(showing, "to_json", hear_view)
    return found


def ask(world, heard, key, case, headers):
    path, form = world.prepare(case)
    heard.is_listening = True
    if key.startswith("GET "):
        answer = world.client.get(path, headers=headers)
    else:
        answer = world.client.post(path, data=form, headers=headers | FORM)
    heard.is_listening = False
    return answer


def test_every_address_of_the_server_is_documented_and_asked_here():
    assert set(list_addresses()) == set(CASES)
    for route in list_addresses().values():
        asked = list_asked(route.endpoint.endpoint)
        assert all(one.help and one.names for one in asked)


def test_every_route_of_a_page_can_be_reached():
    for module in {name for names in MODULES.values() for name in names}:
        for route in ROUTES[import_module(f"upcard.web.{module}").__name__]:
            assert module in MODULES[first_part(route.path)], route.path


def is_page(answer):
    return answer.headers.get("content-type", "").startswith("text/html")


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=[pytest.mark.slow] * (key in SLOW)) for key in CASES]
)
def test_an_address_answers_a_page_without_fault_and_json_of_its_schema(world, heard, key):
    documented, shown = list_addresses()[key].endpoint.endpoint, set()
    for case in CASES[key]:
        answer = ask(world, heard, key, case, JSON)
        assert not is_page(answer)
        if answer.headers.get("content-type") == "application/json":
            document = answer.json()
            if "page" in document:
                shown.add(document["page"])
                schema = SCHEMAS[document["page"]]
                assert [fault.message for fault in schema.iter_errors(document)] == []
                assert heard.views[-1] is VIEWS[document["page"]]
            else:
                assert answer.status_code >= 400
                assert set(document) == REFUSAL
        page = ask(world, heard, key, case, HTML)
        assert not is_page(page) or find_faults(page.text) == []
    assert heard.fields == {name for one in list_asked(documented) for name in one.names}
    assert documented.page in shown or documented.answer


def test_a_name_too_many_a_lost_one_and_another_type_are_no_json_of_a_page(world):
    shown = world.client.get("/?r=INF", headers=JSON).json()
    check = SCHEMAS["start"]
    assert check.is_valid(shown)
    lost = {name: value for name, value in shown.items() if name != "edge"}
    assert not check.is_valid(lost)
    assert not check.is_valid(shown | {"more": 1})
    assert not check.is_valid(shown | {"problem": None})
    assert not check.is_valid(shown | {"api": 2})
    assert not check.is_valid(shown | {"edge": shown["edge"] | {"more": 1}})


@dataclass(frozen=True)
class ExampleView:
    """One field of each kind."""

    amount: Fraction
    """Chips, over
    two lines."""
    ev: float | None
    card: Card | None
    pairs: tuple[tuple[str, int], ...]
    by_name: dict[str, bool]
    status: Status


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("amount", Fraction(15, 2)),
        ("ev", math.inf),
        ("ev", None),
        ("card", Card("8H")),
        ("pairs", (("a", 1), ("b", 2))),
        ("by_name", {"a": True}),
        ("status", Status.DONE),
    ],
)
def test_the_schema_of_a_type_fits_the_json_that_is_made_of_it(name, value):
    schema = Draft202012Validator(make_schema(list_fields(ExampleView)[name]))
    assert schema.is_valid(to_json(value))
    assert not schema.is_valid([None])
    assert describe_fields(ExampleView) == {"amount": "Chips, over two lines."}

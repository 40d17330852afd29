"""A person at a table of the server: JSON requests, and pages that are checked."""

from contextlib import contextmanager

from html_check import find_faults
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

from upcard.rules.model import Rules
from upcard.table.shoe import ScriptedShoe, make_practice_shoe
from upcard.web.app import make_app

JSON = {"Accept": "application/json"}
HTML = {"Accept": "text/html"}
PARTS = {"Accept": "text/html", "Upcard-Parts": "table"}


@contextmanager
def run_site(*, store=None, cards=None, seed=None, has_coach=False):
    """Run a site of our own; practice tables get these cards, or this seed.

    Without a coach nothing is solved in the background.
    """
    site = make_site(store)
    if not has_coach:
        site.tables.make_coach = lambda *_, **__: None
    if cards is not None:
        site.tables.make_shoe = lambda _: ScriptedShoe(cards)
    if seed is not None:
        site.tables.make_shoe = lambda plan: make_practice_shoe(plan.rules, seed=seed)
    with TestClient(make_app(site), base_url=ORIGIN, follow_redirects=False) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        client.site = site
        yield client


class TableClient:
    """Someone at one table; `view` is what the last answer showed."""

    def __init__(self, client, path=None, **form):
        self.client = client
        if path is None:
            form = {"rules": "INF", "bet": "10", "coach": "silent", "keep": "practice"} | form
            if not Rules.parse(form["rules"]).betting:  # what is of bets is refused there
                form = {name: text for name, text in form.items() if name not in ("bet", "chips")}
            answer = client.post("/tables", data=form)
            assert answer.status_code == 303, answer.text
            path = answer.headers["location"].partition("?")[0]
        self.path = path
        self.view = {}
        self.look()

    def look(self):
        answer = self.client.get(self.path, headers=JSON)
        self.view = answer.json()
        return answer

    @property
    def asked(self):
        """The answers by their keys; empty between rounds."""
        asked = self.session.get("asked")
        return asked["answers"] if asked else {}

    @property
    def session(self):
        return self.view["session"]

    def post(self, move, headers=JSON, *, v=None, **form):
        version = self.view["version"] if v is None else v
        return self.client.post(f"{self.path}/{move}", data={"v": version} | form, headers=headers)

    def move(self, move, **form):
        """Make a move that is possible."""
        answer = self.post(move, **form)
        assert answer.status_code == 200, answer.text
        self.view = answer.json()
        return self.view

    def bet(self, bet="10"):
        return self.move("bet", bet=bet)

    def act(self, action):
        return self.move("act", do=action)

    def stand(self):
        """Stand, or decline what is offered first."""
        return self.act("no insurance" if "no insurance" in self.asked else "stand")

    def play(self, rng, steps=1):
        """Make random moves; return the views."""
        views = []
        for _ in range(steps):
            if self.asked:
                views.append(self.act(rng.choice(list(self.asked))))
            elif self.view["between"]["shortage"]:
                views.append(self.move("chips"))
            else:
                views.append(self.bet(self.view["between"]["bet"]))
        return views

    def check_page(self, path=""):
        """Check the page of the table, and return it."""
        answer = self.client.get(self.path + path, headers=HTML)
        assert find_faults(answer.text) == []
        return answer

"""Requests of every address of the server, and a server at which they have something to ask."""

from played_rounds import play
from table_client import JSON, TableClient
from web_server import make_site

from upcard import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.store.bankroll import deposit
from upcard.store.history import read_round
from upcard.store.round_codes import encode_round
from upcard.table.shoe import make_practice_shoe
from upcard.web.showing import asset_url

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
RUN = {"r": "6D", "count": "hi-lo", "rounds": "1000", "seed": "7", "ramp": "1-8"}
DRILL = {"r": "INF", "questions": "2", "classes": "hard"}


class Case:
    """A request of an address, in words of `World`; `form` is what is posted."""

    def __init__(self, path, **form):
        self.path = path
        self.form = form


SIDE_BETS = {f"side.{bet.code}": "0" for bet in shipped_side_bets()}

CASES = {
    "GET /": [Case("/"), Case("/?r=INF+H17"), Case("/?house=european"), Case("/?r=NOPE")],
    "GET /first-hands": [Case("/first-hands")],
    "POST /first-hands": [Case("/first-hands")],
    "POST /tables": [
        Case("/tables", rules="INF", keep="practice", bet="10", chips="500"),
        Case("/tables", rules="NOPE"),
        Case("/tables", rules="INF", hands="99"),
    ],
    "GET /t/{table}": [Case("/t/{table}"), Case("/t/{asked}"), Case("/t/{over}"), Case("/t/x")],
    "GET /t/{table}/left": [Case("/t/{left}/left"), Case("/t/{table}/left")],
    "GET /t/{table}/coach": [Case("/t/{asked}/coach"), Case("/t/{asked}/coach?v=0")],
    "POST /t/{table}/coach": [
        Case("/t/{asked}/coach", coach="before", knows="fresh"),
        Case("/t/{asked}/coach", coach="loud"),
    ],
    "GET /t/{table}/why": [Case("/t/{asked}/why"), Case("/t/{table}/why")],
    "GET /t/{table}/changes": [Case("/t/{asked}/changes"), Case("/t/{asked}/changes?v=0")],
    "POST /t/{table}/leave": [
        Case("/t/{asked}/leave", v="0"),
        Case("/t/{asked}/leave", v="{v}"),
        Case("/t/{done}/leave", v="{v}"),
    ],
    "POST /t/{table}/bet": [
        Case("/t/{table}/bet", v="0", bet="10", **SIDE_BETS),
        Case("/t/{table}/bet", v="{v}", bet="x"),
        Case("/t/{played}/bet", v="{v}", bet="10"),
    ],
    "POST /t/{table}/act": [
        Case("/t/{asked}/act", v="0", do="hit"),
        Case("/t/{asked}/act", v="{v}", do="fold"),
    ],
    "POST /t/{table}/count": [
        Case("/t/{table}/count", v="0", count="1"),
        Case("/t/{table}/count", v="{v}", count="1"),
        Case("/t/{table}/count", v="{v}", skip="1"),
    ],
    "POST /t/{table}/undo": [Case("/t/{table}/undo", v="0"), Case("/t/{table}/undo", v="{v}")],
    "POST /t/{table}/hands": [Case("/t/{table}/hands", v="{v}", hands="2")],
    "POST /t/{table}/chips": [Case("/t/{table}/chips", v="0")],
    "POST /t/{table}/seed": [Case("/t/{table}/seed", v="{v}", text="mine")],
    "POST /t/{table}/end-shoe": [Case("/t/{table}/end-shoe", v="0")],
    "GET /houses": [
        Case("/houses"),
        Case("/houses?compare=european&compare=deshmukh"),
        Case("/houses?compare=x"),
    ],
    "GET /houses/{name}": [Case("/houses/european"), Case("/houses/nowhere")],
    "GET /ask/{question}": [
        Case("/ask/dealer?r=INF"),
        Case("/ask/dealer?r=1D&shoe=1D+less+5"),
        Case("/ask/dealer?r=1D&shoe=nonsense"),
        Case("/ask/dealer?r=NOPE"),
        Case("/ask/dealer?r=deshmukh"),
        Case("/ask/rules?text=european+LS"),
        Case("/ask/rules?text=6D+FOO"),
        Case("/ask/solve?r=INF&hand=88+v+T&hole=6"),
        Case("/ask/solve?r=INF&hand=88+v+T&doubled=1"),
        Case("/ask/stats?chart=yes"),
        Case("/ask/weather"),
        Case("/ask/sidebet?r=2D&bet=over-13&shoe=2D+less+5"),
        Case("/ask/sidebet?r=2D&bet=nope"),
        Case("/ask/find?place=las+vegas&decks=6&soft_17=hits&natural=3:2&surrender=yes"),
        Case("/ask/find?place=the+moon"),
        Case("/ask/compare?r=6D&games=6D+H17,+double-exposure,+2D"),
        Case("/ask/compare?r=6D&games=nonsense"),
        Case("/ask/compare?r=6D&bankroll=5000"),
        Case("/ask/mastery?r=INF"),
        Case("/ask/edge?r=INF&compare=H17;D9"),
        Case("/ask/edge?r=INF&compare=FOO"),
        Case("/ask/edge?r=INF&sees_hole=180%"),
        Case("/ask/edge?r=INF&strategy=mine.tsv"),
        Case("/ask/removal?r=1D"),
        Case("/ask/removal?r=1D&shoes=9"),
        Case("/ask/removal?r=INF"),
        Case("/ask/insurance?r=1D&hand=T+6"),
        Case("/ask/insurance?r=INF"),
        Case("/ask/counts"),
        Case("/ask/counts?r=1D&count=red-7"),
        Case("/ask/counts?r=1D&count=hi-lo&toml=yes"),
        Case("/ask/counts?count=hi-lo&indices=i18%2Bfab4"),
        Case("/ask/counts?count=hi-lo&indices=mine.txt"),
        Case("/ask/counts?count=mine.toml"),
        Case("/ask/counts?toml=yes"),
        Case("/ask/ceiling?r=INF"),
        Case("/ask/ceiling?r=1D&rounds=9"),
        Case("/ask/best-count?r=1D+SP1&toml=yes"),
        Case("/ask/best-count?goal=luck"),
        Case("/ask/bankroll?r=INF&bankroll=60&rounds=300&paths=50"),
        Case("/ask/bankroll?r=6D&count=hi-lo&ramp=mine.txt"),
        Case("/ask/bankroll?r=6D&paths=1M"),
        Case("/ask/indices?r=2D&plays=insurance&count=ko"),
        Case("/ask/indices?r=INF"),
        Case("/ask/indices?r=2D&count=mine.toml"),
        Case("/ask/indices?r=2D&learn=0"),
        Case("/ask/ramp?r=6D&spread=1-4"),
        Case("/ask/ramp?run={run}&spread=1-4"),
        Case("/ask/sessions?r=INF&player=mimic&betting=martingale;+waiting:2&sessions=3&rounds=9"),
        Case("/ask/sessions?r=INF&player=mine.py:Mine"),
        Case("/ask/sessions?r=INF&sessions=200&rounds=5000"),
        Case("/ask/policy"),
        Case("/ask/policy?p=0.5&ev=yes"),
        Case("/ask/policy?p=2"),
        Case("/ask/bench?r=INF&worst=3"),
        Case("/ask/bench?r=INF&player=mimic;+basic&worst=3"),
        Case("/ask/bench?r=INF&player=ann.py"),
        Case("/ask/bench?r=INF&history=yes"),
        Case("/ask/league?r=INF&player=mimic&seed=2"),
        Case("/ask/league?r=INF&player=perfect"),
    ],
    "GET /ask/{question}/{file}": [
        *(Case(f"/ask/{one}/tables.csv?r=INF") for one in ("dealer", "edge", "find", "mastery")),
        *(Case(f"/ask/{one}/tables.csv?r=1D") for one in ("removal", "sidebet", "compare")),
        Case("/ask/insurance/tables.csv?r=1D"),
        Case("/ask/bankroll/tables.csv?r=INF&bankroll=60&rounds=300&paths=50"),
        Case("/ask/indices/answer.txt?r=2D&plays=insurance"),
        Case("/ask/sessions/tables.csv?r=INF&player=mimic&sessions=3&rounds=9"),
        Case("/ask/policy/answer.txt"),
        Case("/ask/bench/answer.txt?r=INF"),
        Case("/ask/bench/answer.txt?r=INF&player=mimic"),
        Case("/ask/insurance/picture.svg?r=1D"),
        Case("/ask/counts/tables.csv"),
        Case("/ask/bench/tables.csv?r=INF&player=mimic&worst=3"),
        Case("/ask/bench/tables.csv?r=INF&history=yes"),
        Case("/ask/counts/answer.txt?count=hi-lo&toml=yes"),
        Case("/ask/counts/answer.txt?count=hi-lo"),
        Case("/ask/best-count/answer.txt?r=1D+SP1&level=2&unbalanced=yes&toml=yes"),
        Case("/ask/dealer/tables.csv?r=1D&shoe=nonsense"),
        Case("/ask/weather/tables.csv"),
        Case("/ask/ramp/tables.csv?run=x&explain=yes"),
        Case("/ask/rules/tables.csv?text=european"),
        Case("/ask/solve/tables.csv?r=INF&hand=88+v+T&hole=6"),
        Case("/ask/solve/tables.csv?r=INF&hand=88+v+T&doubled=1"),
        Case("/ask/stats/tables.csv?chart=yes"),
    ],
    "POST /ask/{question}": [
        Case("/ask/mastery", r="INF", goal="0.1% by friday"),
        Case("/ask/mastery", r="INF", goal="soon"),
    ],
    "GET /rules": [
        Case("/rules?r=INF+H17&was=INF"),
        Case("/rules?r=INF&with=INF+H17"),
        Case("/rules?r=INF&effects=1"),
        Case("/rules?r=INF&house=european"),
        Case("/rules?r=INF&soft_17=hits"),
        Case("/rules?r=NOPE&with=NOPE"),
    ],
    "GET /rules/chart.{kind}": [Case("/rules/chart.svg?r=INF"), Case("/rules/chart.exe")],
    "GET /hand": [
        Case("/hand?r=INF"),
        Case("/hand?r=INF&c=T.6&u=9&changes=1"),
        Case("/hand?r=6D&c=T&less=5.5&to=less"),
        Case("/hand?r=INF&c=T&add=6&to=hand"),
        Case("/hand?c=X"),
    ],
    "GET /drills": [Case("/drills?r=INF"), Case("/drills?r=INF&speed=x&group=9&minutes=-1")],
    "POST /drills/{name}": [
        Case("/drills/strategy", **DRILL),
        Case("/drills/strategy", **DRILL, mistakes="never"),
        Case("/drills/nothing"),
    ],
    "GET /d/{id}": [Case("/d/{drill}"), Case("/d/strategy-gone"), Case("/d/nothing")],
    "POST /d/{id}/answer": [
        Case("/d/{drill}/answer", v="0", text="h"),
        Case("/d/{drill}/answer", v="{v}", text="fold"),
        Case("/d/{drill}/answer", v="{v}", text="h"),
    ],
    "POST /d/{id}/next": [Case("/d/{drill}/next", v="0")],
    "POST /d/{id}/pause": [Case("/d/{drill}/pause", v="{v}")],
    "POST /d/{id}/end": [Case("/d/{ended}/end", v="{v}")],
    "GET /history": [
        Case("/history"),
        Case("/history?mistakes=1&class=hard+hits&cell=16+v+T"),
        Case("/history?over=x&from=x&to=x&house=x"),
        Case("/history?before=2"),
        Case("/history?house="),
    ],
    "GET /history.{kind}": [Case("/history.csv"), Case("/history.jsonl"), Case("/history.exe")],
    "GET /h/{code}": [
        Case("/h/{code}"),
        Case("/h/{code}?at=1&instead=hit&place=end"),
        Case("/h/x"),
    ],
    "GET /history/{number}": [
        Case("/history/1"),
        Case("/history/1?at=1&instead=hit&place=1"),
        Case("/history/2?at=end&cards=seen"),
        Case("/history/1?at=99"),
        Case("/history/99"),
    ],
    "GET /stats": [
        Case("/stats"),
        Case("/stats?rounds_per_hour=x&house=x"),
        Case("/stats?pace=60"),
    ],
    "GET /lab": [Case("/lab?r=INF&count=&rounds=1M"), Case("/lab?r=NOPE&count=x&rounds=x&ramp=x")],
    "POST /runs": [Case("/runs", **RUN), Case("/runs", **RUN | {"rounds": "x"})],
    "GET /runs/{name}": [Case("/runs/{run}"), Case("/runs/nothing")],
    "GET /runs/{name}/events": [Case("/runs/{run}/events")],
    "POST /runs/{name}/stop": [Case("/runs/{run}/stop")],
    "POST /runs/{name}/go-on": [Case("/runs/{run}/go-on")],
    "GET /runs/{name}/delete": [Case("/runs/{run}/delete"), Case("/runs/nothing/delete")],
    "POST /runs/{name}/delete": [Case("/runs/{other}/delete"), Case("/runs/nothing/delete")],
    "POST /runs/{name}/extend": [
        Case("/runs/{run}/extend", rounds="many"),
        Case("/runs/{run}/extend", rounds="500"),
    ],
    "GET /runs/{name}/round": [
        Case("/runs/{run}/round?shoe=0&round=1"),
        Case("/runs/{run}/round?shoe=x"),
    ],
    "GET /runs/{name}/{shoe}/{number}": [
        Case("/runs/{run}/0/1"),
        Case("/runs/{run}/0/last?chunk=0"),
        Case("/runs/{run}/0/9999"),
    ],
    "GET /runs/{name}/ramp": [
        Case("/runs/{run}/ramp"),
        Case("/runs/{run}/ramp?spread=1-4&bankroll=1000&hours=10&with=1:1+2:4"),
        Case("/runs/{run}/ramp?spread=x"),
        Case("/runs/{run}/ramp?ramp=1-4&unit=5&pace=60&with=unit%3D5%26pace%3D60"),
    ],
    "GET /learn": [Case("/learn")],
    "GET /learn/{page:path}": [
        Case("/learn/"),
        Case("/learn/web"),
        Case("/learn/?q=hole+card"),
        Case("/learn/web.md"),
        Case("/learn/nothing"),
    ],
    "GET /settings": [Case("/settings?saved=1")],
    "POST /settings": [
        Case("/settings", theme="dark", motion="auto", keys="on"),
        Case("/settings", theme="pink"),
        Case("/settings", bet="25", hands="80"),
        Case("/settings", bet="-1"),
    ],
    "GET /static/{version}/{name}": [Case("{asset}"), Case("/static/old/upcard.css")],
    "GET /favicon.ico": [Case("/favicon.ico")],
}
SLOW = [key for key in CASES if "/runs" in key or "/ask/" in key or key == "GET /rules"]
"""These play a simulation, or solve dozens of games."""


class World(dict):
    """The names of things in addresses: tables at each stage, a drill, a run, made when needed."""

    def __init__(self, client, store):
        super().__init__(asset=asset_url("swap.js"), code=encode_round(read_round(store, 1).record))
        self.client = client

    def __missing__(self, name):
        if name in ("drill", "ended"):
            path = self.client.post("/drills/strategy", data=DRILL).headers["location"]
        elif name in ("run", "other"):
            path = self.client.post("/runs", data=RUN).headers["location"]
        else:
            path = self.sit_down(name)
        self[name] = path.rpartition("/")[2]
        return self[name]

    def sit_down(self, stage):
        player = TableClient(self.client, keep="practice", coach="before")
        while stage in ("asked", "over", "done") and not player.asked:
            player.bet()
        while stage in ("over", "done") and player.asked:
            player.act("stand")
        if stage == "left":
            player.move("leave")
        return player.path

    def prepare(self, case):
        """Return the path of a case and its form, with the present version where it names one."""
        path, form = case.path.format_map(self), dict(case.form)
        for run in {"run", "other"} & set(self):
            self.client.app.state.site.runs.wait(self[run])
        if form.get("v") == "{v}":
            shown = self.client.get(path.rpartition("/")[0], headers=JSON).json()
            form["v"] = shown.get("version", 0)
        return path, form


def make_world_site(store):
    """Return a site with rounds, whose practice tables all get the same cards."""
    deposit(store, 10_000)
    play(store, Rules.parse("INF"), 6)
    site = make_site(store)
    site.tables.make_shoe = lambda plan: make_practice_shoe(plan.rules, seed=1)
    return site

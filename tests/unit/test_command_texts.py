"""Every public function takes the texts of the command line, and refuses them in its words."""

import inspect

import pytest
from marks import slow_except

import upcard
from upcard.cli.app import run
from upcard.simulation.run import resume
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations
from upcard.strategy.ramp import parse_ramp
from upcard.table import ScriptedShoe

TEXT = "2D H17"
RULES = upcard.Rules.parse(TEXT)
SHOE = "2D less T T 5"
HI_LO = load_system("hi-lo")
RUN = {"rounds": 4000, "seed": 1, "workers": 1}
FLAT = upcard.Strategy.parse(
    "".join(f"{row}\t{'H' if row in '56789' else 'S'}" + "\tS" * 9 + "\n" for row in "56789")
    + "".join(
        f"{row}" + "\tS" * 10 + "\n"
        for row in (
            *map(str, range(10, 20)),
            *(f"A{low}" for low in range(2, 10)),
            *(f"{low}{low}" for low in range(2, 11)),
            "AA",
        )
    )
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with a chart, a faulty one, a house and a ramp."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text(str(FLAT), encoding="utf-8")
    (tmp_path / "bad.tsv").write_text("16\tH\nXX\tS\n", encoding="utf-8")
    house = f'title = "Mine"\nsource = "A visit."\nabout = "A test."\nrules = "{TEXT}"\n'
    (tmp_path / "my house.toml").write_text(house, encoding="utf-8")
    (tmp_path / "ramp.txt").write_text("0 1\n1 4\n", encoding="utf-8")
    return tmp_path


def act(answer):
    table = upcard.Table(TEXT, "T 6 8 T 9 5")
    table.start("10")
    return table.act(answer).net


def tally(**options):
    return upcard.simulate(RULES, **RUN | options).tally


def cycle(rules, shoe):
    return upcard.Game(rules, upcard.Player(), shoe).cycle("2.5")


SAME = {
    "rules": lambda: (upcard.expected_value(TEXT), upcard.expected_value(RULES)),
    "house file": lambda: (upcard.expected_value("my house.toml"), upcard.expected_value(RULES)),
    "splits": lambda: (
        upcard.solve(TEXT, "88", "T", splits="cdp"),
        upcard.solve(RULES, "8 8", 10, splits="CDP"),
    ),
    "shoe": lambda: (
        upcard.solve_game(TEXT, shoe=SHOE).ev,
        upcard.solve_game(RULES, shoe=[8, 8, 8, 8, 7, 8, 8, 8, 8, 30]).ev,
    ),
    "hand of ranks": lambda: (upcard.solve(TEXT, "T6", "T"), upcard.solve(RULES, (10, 6), 10)),
    "upcard": lambda: (upcard.dealer_outcomes(TEXT, "10D"), upcard.dealer_outcomes(RULES, 10)),
    "chart's shoe": lambda: (
        upcard.basic_strategy(TEXT, shoe="2D"),
        upcard.basic_strategy(RULES),
    ),
    "chart of expected_value": lambda: (
        upcard.expected_value(TEXT, strategy="mine.tsv"),
        upcard.expected_value(RULES, strategy=FLAT),
    ),
    "chart of effects_of_removal": lambda: (
        upcard.effects_of_removal(TEXT, strategy="mine.tsv"),
        upcard.effects_of_removal(RULES, strategy=FLAT),
    ),
    "chart of simulate": lambda: (tally(strategy="mine.tsv"), tally(strategy=FLAT)),
    "chart of indices": lambda: (
        upcard.indices(TEXT, "mine.tsv", plays="16 v T", method="EXACT").rows,
        upcard.indices(RULES, FLAT, plays="16 v T", method="exact").rows,
    ),
    "rounds": lambda: (tally(rounds="4k"), tally()),
    "until": lambda: (
        tally(rounds=None, until="2%"),
        tally(rounds=None, until=0.02),
    ),
    "count": lambda: (tally(count="Hi-Lo"), tally(count=HI_LO)),
    "ramp": lambda: (
        upcard.simulate(TEXT, **RUN, count="hi-lo", ramp="0:1 1:4").ev,
        upcard.simulate(RULES, **RUN, count=HI_LO, ramp=parse_ramp("0:1 1:4", HI_LO, decks=2)).ev,
    ),
    "ramp's file": lambda: (
        upcard.simulate(TEXT, **RUN, count="hi-lo", ramp="ramp.txt").ev,
        upcard.simulate(TEXT, **RUN, count="hi-lo", ramp="0:1 1:4").ev,
    ),
    "indices": lambda: (
        tally(count="hi-lo", indices="i18"),
        tally(count=HI_LO, indices=load_deviations("i18")),
    ),
    "rounds of indices": lambda: (
        upcard.indices(TEXT, plays="16 v T", rounds="4k", seed=1).rows,
        upcard.indices(RULES, plays="16 v T", rounds=4000, seed=1).rows,
    ),
    "decisions": lambda: (
        upcard.play_round(TEXT, "T 6 8 T 9", decisions="stick", bets="2.5"),
        upcard.play_round(RULES, "T 6 8 T 9", decisions=["stand"], bets=[2.5]),
    ),
    "cards of a table": lambda: (
        upcard.Table(TEXT, "T 6 8 T 9").start(10),
        upcard.Table(RULES, ScriptedShoe("T 6 8 T 9")).start(["10"]),
    ),
    "shoe of a table of EVs": lambda: (
        upcard.ev_table(TEXT, shoe=SHOE).rows,
        upcard.ev_table(RULES, shoe=[8, 8, 8, 8, 7, 8, 8, 8, 8, 30]).rows,
    ),
    "rules of questions": lambda: (
        [one.id for one in upcard.bench_questions(TEXT)],
        [one.id for one in upcard.bench_questions(RULES)],
    ),
    "player to score": lambda: (
        upcard.score_player(TEXT, "chart:mine.tsv").regret_per_100,
        upcard.score_player(RULES, FLAT).regret_per_100,
    ),
    "player to value": lambda: (
        upcard.value_of("chart:mine.tsv", TEXT),
        upcard.value_of(FLAT, RULES),
    ),
    "side bet": lambda: (
        upcard.side_bet("21+3 flat").value("2D less T QH", TEXT),
        upcard.side_bet("+21+3(9)").value("2D less QH T", RULES),
    ),
    "answer": lambda: (act("stay"), act(upcard.Action.STAND)),
    "game": lambda: (
        cycle("lott", "T 6 T 7 9"),
        cycle(upcard.house("lott"), ScriptedShoe("T 6 T 7 9")),
    ),
    "p": lambda: (
        upcard.policy("4/13").rows,
        upcard.policy(upcard.house("mdp").ten_probability).rows,
    ),
    "cell": lambda: (FLAT.cell("tt", "T"), FLAT.cell("1010", 10)),
}


@pytest.mark.parametrize(
    "what", slow_except(SAME.keys() - {"rounds of indices", "chart of simulate"}, SAME)
)
@pytest.mark.usefixtures("files")
def test_a_text_of_the_command_line_is_read(what):
    from_text, from_value = SAME[what]()
    assert from_text == from_value


def simulate(**options):
    return upcard.simulate(TEXT, **RUN | options)


REFUSED = {
    "rules": ("edge --rules 6X", lambda: upcard.expected_value("6X")),
    "rules of solve_game": ("edge --rules 6X", lambda: upcard.solve_game("6X")),
    "rules of solve": ("solve T6 v 9 --rules 6X", lambda: upcard.solve("6X", "T6", "9")),
    "rules of basic_strategy": ("chart --rules 6X", lambda: upcard.basic_strategy("6X")),
    "rules of effects": ("removal --rules 6X", lambda: upcard.effects_of_removal("6X")),
    "rules of dealer_outcomes": ("dealer --rules 6X", lambda: upcard.dealer_outcomes("6X", "9")),
    "rules of simulate": ("simulate --rules 6X", lambda: upcard.simulate("6X")),
    "rules of indices": ("indices --rules 6X", lambda: upcard.indices("6X")),
    "rules of play_round": ("play --rules 6X", lambda: upcard.play_round("6X", "T 6 8 T")),
    "rules of Table": ("play --rules 6X", lambda: upcard.Table("6X")),
    "rules of Game": ("play --rules 6X", lambda: upcard.Game("6X", upcard.Player())),
    "rules of bench_questions": ("bench --rules 6X", lambda: upcard.bench_questions("6X")),
    "rules of score_player": (
        "bench score --player mimic --rules 6X",
        lambda: upcard.score_player("6X", "mimic"),
    ),
    "rules of ev_table": ("chart --rules 6X", lambda: upcard.ev_table("6X")),
    "house": ("edge --house nowhere", lambda: upcard.house("nowhere")),
    "load_house": ("edge --house no.toml", lambda: upcard.load_house("no.toml")),
    "side bet": ("sidebet nothing", lambda: upcard.side_bet("nothing")),
    "side bet's shoe": (
        "sidebet s7 --shoe 6D-T",
        lambda: upcard.side_bet("s7").value("6D-T"),
    ),
    "rules of a side bet": (
        "sidebet s7 --rules 6X",
        lambda: upcard.side_bet("s7").value(None, "6X"),
    ),
    "hand": ("solve TX v 9", lambda: upcard.solve(TEXT, "TX", "9")),
    "upcard": ("solve T6 v Z", lambda: upcard.solve(TEXT, "T6", "Z")),
    "shoe": ("edge --shoe 6D-T", lambda: upcard.expected_value(TEXT, shoe="6D-T")),
    "splits": ("edge --splits no", lambda: upcard.expected_value(TEXT, splits="no")),
    "chart": ("edge --strategy bad.tsv", lambda: upcard.solve_game(TEXT, strategy="bad.tsv")),
    "no chart": (
        "removal --strategy no.tsv",
        lambda: upcard.effects_of_removal(TEXT, strategy="no.tsv"),
    ),
    "chart of a run": ("simulate --strategy bad.tsv", lambda: simulate(strategy="bad.tsv")),
    "count": ("simulate --count hilo", lambda: simulate(count="hilo")),
    "ramp": (
        "simulate --count hi-lo --ramp 8-1",
        lambda: simulate(count="hi-lo", ramp="8-1"),
    ),
    "indices": (
        "simulate --count hi-lo --indices i19",
        lambda: simulate(count="hi-lo", indices="i19"),
    ),
    "rounds": ("simulate --rounds many", lambda: simulate(rounds="many")),
    "until": ("simulate --until little", lambda: simulate(until="little")),
    "player": ("simulate --player nobody", lambda: simulate(player="nobody")),
    "extend": ("simulate --extend many RUN.json", lambda: resume("RUN.json", extend="many")),
    "plays": ("indices --plays 16xT", lambda: upcard.indices(TEXT, plays="16xT")),
    "count of indices": ("indices --count hilo", lambda: upcard.indices(TEXT, count="hilo")),
    "p": ("policy x", lambda: upcard.policy("x")),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.usefixtures("files")
def test_a_wrong_text_is_refused_in_the_words_of_the_command(what, capsys):
    command, call = REFUSED[what]
    with pytest.raises(upcard.BlackjackError) as refused:
        call()
    assert run(command.split()) == 2
    assert str(refused.value) in capsys.readouterr().err


NONSENSE = [
    lambda: upcard.solve(TEXT, 88, "9"),
    lambda: upcard.solve(TEXT, ["T", "6"], "9"),
    lambda: upcard.solve(TEXT, "soft 18", "9"),
    lambda: upcard.solve(TEXT, "T6", None),
    lambda: upcard.expected_value(TEXT, shoe=5),
    lambda: upcard.expected_value(TEXT, strategy=5),
    lambda: simulate(count=5),
    lambda: simulate(count="hi-lo", indices=5),
    lambda: simulate(count="hi-lo", enter="x"),
    lambda: simulate(spots="2"),
    lambda: simulate(workers="2"),
    lambda: simulate(player=5),
    lambda: simulate(engine=5),
    lambda: simulate(rounds=True),
    lambda: simulate(until=float("nan")),
    lambda: upcard.indices(TEXT, plays=5),
    lambda: upcard.indices(TEXT, method=5),
    lambda: upcard.play_round(TEXT, "T 6 8 T 9", decisions="jump"),
    lambda: upcard.play_round(TEXT, "T 6 8 T 9", bets=None),
    lambda: act("jump"),
    lambda: act(None),
    lambda: FLAT.cell(16, None),
]


@pytest.mark.parametrize("call", NONSENSE, ids=[str(number) for number in range(len(NONSENSE))])
def test_nonsense_is_refused_with_a_sentence(call):
    with pytest.raises(upcard.BlackjackError) as refused:
        call()
    assert len(str(refused.value)) > 15


def test_every_public_function_that_takes_rules_is_among_these():
    takes = {
        name
        for name in upcard.__all__
        if callable(found := getattr(upcard, name))
        and not (inspect.isclass(found) and issubclass(found, BaseException))
        and next(iter(inspect.signature(found).parameters), "") == "rules"
    }
    assert takes - {"Indices"} == {  # which is a result
        *("Game", "Table", "basic_strategy", "dealer_outcomes", "effects_of_removal"),
        *("expected_value", "indices", "play_round", "simulate", "solve", "solve_game"),
        *("bench_questions", "ev_table", "score_player"),
    }

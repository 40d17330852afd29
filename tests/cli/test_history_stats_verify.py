"""`upcard history`, `upcard stats` and `upcard verify`: an empty store, a full one, and faults."""

import csv
import json
import re
import subprocess
import sys

import pytest
from driving import read_json, talk

import upcard
from upcard import Action, Rules
from upcard.analysis.grades import write_grades
from upcard.answers.questions import Asking
from upcard.core.numbers import format_chips
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.files import store_path
from upcard.store.history import RoundSearch, read_rounds, read_shoes, write_json
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
from upcard.store.round_codes import encode_round

SEED = bytes(range(32))
COMMITMENT_2 = "a147e1f2192bc120bd22b2630fc35998fbc067d20c9b6925499d9cea7d98c07a"
COMMITMENT = "050f0dc845d9099c5ed0c5685664362780615b50e0161c6f33ecef89c69336d5"


@pytest.fixture
def full():
    """Fill the store: two houses, one with a judged mistake, all shoes over but one."""
    number = iter(range(1, 1000))

    def draw_seed():
        return next(number).to_bytes(32, "big")

    with open_store() as store:
        deposit(store, 500)
        for notation, rounds in (("vegas-strip", 6), ("1D PEN50 H17", 12)):
            rules = Rules.parse(notation)
            shoe = FairShoe(
                rules, player_seed="luck", seeds=lambda: next(number).to_bytes(32, "big")
            )
            table = KeptTable.sit_down(store, rules, shoe=shoe)
            for _ in range(rounds):
                state = table.start([10])
                while not state.is_over:
                    state = table.act(
                        Action.STAND if Action.STAND in state.legal else state.legal[-1]
                    )
                    judge(store, table)
            if notation == "vegas-strip":
                table.close()
            else:
                table._lock.release()
    return store_path()


def judge(store, table):
    judgement = JudgementRecord(
        step=len(table.actions) - 1,
        situation="T6 v T",
        category="hard 12 to 16",
        chosen=Action.STAND,
        best=Action.HIT,
        cost_ev=0.05,
        cost_chips=0.5,
        method="exact, fresh shoe",
    )
    record_judgement(store, table.session, table.round_number, judgement)


def rounds_of(path):
    with open_store(path) as store:
        return list(read_rounds(store)), bankroll_of(store)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["history"], "No round has been saved yet. Play some: upcard play\n"),
        (["stats"], "Your results\n\nNo round has been saved yet. Play some: upcard play\n\n"),
        (["verify"], "No shoe has been played to its end yet.\n"),
    ],
)
def test_an_empty_store_is_said_so_and_not_made(tmp_path, command, said):
    assert talk(command) == (0, said, "")
    assert read_json(*command)
    assert list(tmp_path.iterdir()) == []


def test_history_lists_the_newest_rounds_last(full):
    rounds, bankroll = rounds_of(full)
    answer = talk(["history", "--last", "4"])
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0].split() == [
        "round", "when", "house", "hand", "outcome", "bet", "net", "bankroll", "cost",
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[1:5]] == ["15", "16", "17", "18"]
    assert not [line for line in lines if len(line) > 80]
    net = sum(stored.net for stored in rounds[-4:])
    wrong = sum(line.endswith(" 0.50") for line in lines)
    assert lines[-1] == (
        f"4 of 18 rounds, net {'+' * (net > 0)}{net}; {wrong} mistakes. Bankroll {bankroll}."
    )


def test_history_marks_the_rounds_with_mistakes(full):
    with open_store(full) as store:
        wrong = [one.id for one in read_rounds(store, RoundSearch(with_mistakes=True))]
    lines = talk(["history"]).out.splitlines()
    marked = [int(line.split()[0]) for line in lines[1:19] if re.search(r" \d+  +[\d.]+$", line)]
    assert marked == wrong
    only = talk(["history", "--mistakes"]).out.splitlines()
    assert [int(line.split()[0]) for line in only[1:-2]] == wrong
    newest = talk(["history", "--mistakes", "--last", "2"]).out.splitlines()
    assert [int(line.split()[0]) for line in newest[1:-2]] == wrong[-2:]
    found = read_json("history", "--mistakes")["rounds"]
    assert [row["round"] for row in found] == wrong
    assert all(row["mistakes"] >= 1 and row["cost"] > 0 for row in found)
    assert all(row["grades"] == {"mistake": row["mistakes"]} for row in found)


def test_history_shows_codes(full):
    rounds, _ = rounds_of(full)
    answer = talk(["history", "--codes"])
    codes = [line.split()[-2] for line in answer.out.splitlines()[1:19]]
    assert codes == [encode_round(stored.record) for stored in rounds]


def test_history_as_json_has_everything(full):
    rounds, bankroll = rounds_of(full)
    found = read_json("history")
    assert found["rounds_played"] == 18
    assert (found["bankroll"], found["on_tables"]) == (format_chips(bankroll), "0")
    assert [row["net"] for row in found["rounds"]] == [
        format_chips(stored.net) for stored in rounds
    ]


def test_history_is_exported(full, tmp_path):
    table, lines = tmp_path / "rounds.csv", tmp_path / "rounds.jsonl"
    assert talk(["history", "--csv", str(table), "--jsonl", str(lines)]) == (0, "", "")
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert rows == read_json("history")["rounds"]
    with table.open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert [row["code"] for row in cells] == [row["code"] for row in rows]
    assert [row["grades"] for row in cells] == [write_grades(row["grades"] or {}) for row in rows]
    assert talk(["history", "--jsonl", "-", "--last", "2"]).out.count("\n") == 2


def test_stats_split_the_net_and_name_the_leaks(full):
    rounds, _ = rounds_of(full)
    net = sum(stored.net for stored in rounds)
    answer = talk(["stats"])
    assert answer.code == 0
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    for part in ("Best play was worth", "Errors ", "Luck", "one SD is ±", "vegas-strip"):
        assert part in answer.out
    assert "Leaks, in chips:\n" in answer.out
    assert "18 rounds are too few for a rate an hour: it takes 100.\n" in answer.out
    assert re.search(r"decisions +asked +blunders +mistakes +slips +cost", answer.out)
    found = read_json("stats", "--rounds-per-hour", "50")
    total = found["total"]
    assert total["net"] == format_chips(net)
    parts = total["best_play"] - total["error_cost"] + total["luck"]
    assert parts == pytest.approx(float(net))
    (leak,) = found["leaks"]
    counts = rf"{leak['decisions']} +0 +{leak['mistakes']} +0"
    assert re.search(f"hard 12 to 16 +{counts} ", answer.out)
    assert leak["grades"] == total["grades"] == {"mistake": leak["mistakes"]}
    assert leak["per_hour"] == pytest.approx(leak["cost"] / 18 * 50)
    assert found["coached_rounds"] == 18
    # Each mistake cost half a chip.
    assert leak["cost_deviation"] == pytest.approx(leak["mistakes"] ** 0.5 / 2)
    assert leak["per_hour_deviation"] == pytest.approx(leak["cost_deviation"] / 18 * 50)
    assert sum(item["rounds"] for item in found["by_house"].values()) == 18


def test_leaks_an_hour_are_told_with_their_error_after_enough_rounds(full, monkeypatch):
    """F19: leaks had no error, luck has."""
    monkeypatch.setattr("upcard.store.statistics.FEWEST_FOR_A_RATE", 18)
    out = talk(["stats"]).out
    (leak,) = read_json("stats")["leaks"]
    told = (leak["cost"], leak["cost_deviation"], leak["per_hour"], leak["per_hour_deviation"])
    assert "Leaks, in chips, and in an hour of 100 rounds:\n" in out
    (line,) = [line for line in out.splitlines() if "hard 12 to 16" in line]
    assert line.split()[-4:] == [f"{amount:.2f}" for amount in told]
    assert "too few" not in out


@pytest.mark.slow
def test_history_calls_the_default_game_as_the_start_screen_does():
    """F17: it was "own rules", "six decks" and "Blackjack, the six-deck game"."""
    for notation, name in (("6D", "six decks"), ("6D H17", "own rules"), ("lott", "lott")):
        with open_store() as store:
            deposit(store, 100)
            with KeptTable.sit_down(store, Rules.parse(notation)) as table:
                state = table.start([10])
                while not state.is_over:
                    state = table.act(state.legal[-1])
        assert f"  {name} " in talk(["history", "--last", "1"]).out.splitlines()[1]
    assert "  six decks " in talk(["stats"]).out


def test_every_hand_of_a_round_has_its_outcome():
    """F17: a split round had none."""
    number = iter(range(1, 10**6))
    rules = Rules.parse("1D CSM NOINS")
    shoe = FairShoe(rules, seeds=lambda: next(number).to_bytes(32, "big"))
    with open_store() as store:
        deposit(store, 10_000)
        with KeptTable.sit_down(store, rules, shoe=shoe) as table:
            while True:
                state = table.start([10])
                while not state.is_over:
                    is_pair = Action.SPLIT in state.legal
                    state = table.act(Action.SPLIT if is_pair else Action.STAND)
                if len(state.hands) > 1:
                    break
    outcomes = ", ".join(str(outcome) for outcome, _ in state.results)
    assert f" {outcomes} " in talk(["history", "--last", "1"]).out.splitlines()[1]


def test_chips_on_a_table_are_part_of_the_bankroll(full):
    """F4: what a table shows and what history shows agree while a hand is played elsewhere."""
    with open_store(full) as store, KeptTable.sit_down(store, Rules.parse("6D")) as table:
        while table.start([7]).is_over:
            pass
        bankroll = bankroll_of(store)
        out = talk(["history"]).out
        assert out.endswith(f" Bankroll {float(bankroll):g}, of which 7 on a table.\n")
        assert read_json("history")["on_tables"] == "7"


def test_json_of_any_length_is_written_a_round_at_a_time(full, monkeypatch):
    """S2-3: no more than a page of rounds is held."""
    monkeypatch.setattr("upcard.store.history._PAGE", 2)
    held = []
    with open_store(full) as store:
        rounds = (held.append(stored) or stored for stored in read_rounds(store))
        pieces = write_json(store, rounds, {"a": 1})
        text = "".join(next(pieces) for _ in range(4))
        assert len(held) == 3
        text += "".join(pieces)
        assert "".join(write_json(store, [], {"a": {}})) == '{\n  "rounds": [],\n  "a": {}\n}\n'
    assert len(json.loads(text)["rounds"]) == 18
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_verify_checks_every_shoe_that_is_over(full):
    with open_store(full) as store:
        shoes = read_shoes(store)
    over = [shoe for shoe in shoes if shoe.reveal]
    assert len(over) == len(shoes) - 1 >= 2
    answer = talk(["verify"])
    assert answer.code == 0
    assert answer.out.startswith(f"{len(over)} of {len(over)} shoes fit: the commitment and")
    assert answer.out.endswith("In play, to be revealed at the end: 1.\n")
    assert len(read_json("verify")["shoes"]) == len(over)
    assert talk(["verify", "--shoe", str(shoes[-1].id)]).err.startswith("upcard: shoe")


def test_verify_finds_a_card_that_was_exchanged(full):
    with open_store(full) as store:
        store.run("UPDATE rounds SET cards = 'AC' || substr(cards, 3) WHERE id IN (1, 2)")
    answer = talk(["verify"])
    assert answer.code == 1
    assert "Shoe 1 DOES NOT FIT: round" in answer.out
    assert talk(["verify", "--shoe", "1"]).out.startswith("DOES NOT FIT: round")
    assert talk(["verify", "--shoe", "1", "--json"]).code == 1


def test_a_shoe_is_exported_and_checked_by_both_programs(full, tmp_path):
    path, script = tmp_path / "reveal.json", tmp_path / "check.py"
    answer = talk(["verify", "--shoe", "1", "--export", str(path)])
    assert (answer.code, answer.out) == (
        0,
        "Shoe 1 fits: the commitment and the cards of 6 rounds.\n",
    )
    checked = talk(["verify", str(path)])
    assert checked == (0, "Everything fits: the commitment and the cards of 6 rounds.\n", "")
    script.write_text(talk(["verify", "--script"]).out, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(script), str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == checked.out
    assert json.loads(talk(["verify", "--shoe", "1", "--export", "-"]).out) == json.loads(
        path.read_text(encoding="utf-8")
    )
    path.write_text(path.read_text().replace('"luck"', '"bad luck"'))
    assert talk(["verify", str(path)]).code == 1


def test_a_code_is_held_against_the_seeds_of_its_shoe(full):
    rounds, _ = rounds_of(full)
    with open_store(full) as store:
        reveal = read_shoes(store)[0].reveal
    code = encode_round(rounds[0].record)
    given = ["verify", code, "--player-seed", "luck", "--server-seed", reveal.server_seed.hex()]
    answer = talk([*given, "--commitment", str(reveal.commitment)])
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "The server seed fits the commitment.",
        "The round of the code was dealt from these seeds.",
    ]
    assert talk([*given, "--commitment", "00" * 32]).code == 1
    assert talk([*given[:2], *given[4:]]).out.startswith("DOES NOT FIT: the code was dealt with")
    listed = encode_round(rounds[-1].record)
    assert "made while the shoe was in play" in talk(["verify", listed, *given[2:]]).err


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("chart", [False, True])
def test_a_long_history_reports_its_progress(monkeypatch, chart):
    seen = []
    asking = Asking(watch=lambda *report: seen.append(report))
    for longest, reports in ((18, [("18 of 18 rounds added up", 1.0)]), (19, [])):
        seen.clear()
        monkeypatch.setattr("upcard.answers.asked.stats._LONG", longest)
        upcard.ask("stats", chart=chart, asking=asking)
        assert seen == reports


def test_seeds_print_the_order_of_the_cards():
    found = read_json(
        "verify", "--server-seed", SEED.hex(), "--commitment", COMMITMENT, "--rules", "1D"
    )
    assert found["cards"].startswith("2D 6S 7H QC QS 6H 4H 3C 2H KS 5H TS 2C")
    assert found["is_commitment_checked"] is True
    given = ["verify", "--server-seed", SEED.hex(), "--commitment"]
    # The commitment binds the rules, and which of its shoes this is.
    assert talk([*given, COMMITMENT, "--rules", "1D LS"]).code == 1
    assert talk([*given, COMMITMENT, "--rules", "1D", "--number", "2"]).code == 1
    assert read_json(*given, COMMITMENT_2, "--rules", "1D", "--number", "2")["fits"]
    other = read_json(
        "verify", "--server-seed", SEED.hex(), "--house", "vegas-strip", "--shuffle", "3"
    )
    assert len(other["cards"].split()) % 52 == 0
    assert other["is_commitment_checked"] is False


FAULTS = {
    "json and csv": (["history", "--json", "--csv", "x"], "--json with --csv"),
    "one file twice": (["history", "--csv", "-", "--jsonl", "-"], "name the same file"),
    "codes and json": (["history", "--codes", "--json"], "every row there has its code"),
    "no rounds": (["history", "--last", "0"], "'0': write a whole number from 1"),
    "no file": (["history", "--csv", "no/such/folder/x.csv"], "cannot write"),
    "no hour": (["stats", "--rounds-per-hour", "0"], "from 1 to 1,000,000"),
    "hours that are not number": (["stats", "--rounds-per-hour", "nan"], "from 1 to 1,000,000"),
    "endless hours": (["stats", "--chart", "--rounds-per-hour", "inf"], "from 1 to 1,000,000"),
    "no such shoe": (["verify", "--shoe", "9"], "there is no shoe 9: none has been dealt yet"),
    "export of nothing": (["verify", "--export", "x"], "say which shoe"),
    "export and json": (["verify", "--shoe", "1", "--export", "-", "--json"], "only one of them"),
    "a shoe and seeds": (["verify", "--shoe", "1", "--server-seed", "00"], "one or the other"),
    "a code without seeds": (["verify", "abc"], "give --server-seed"),
    "no code": (["verify", "abc", "--server-seed", SEED.hex()], "check letters do not fit"),
    "no reveal file": (["verify", "no.json"], "cannot read the reveal file 'no.json': No such"),
    "a number beyond the chain": (
        ["verify", "--server-seed", SEED.hex(), "--number", "5000"],
        "shoe 5000 of a commitment: from 1 to 4096",
    ),
    "a commitment alone": (["verify", "--commitment", COMMITMENT], "give --server-seed"),
    "a short seed": (["verify", "--server-seed", "00"], "64 hexadecimal digits"),
    "two sets of rules": (
        ["verify", "--server-seed", SEED.hex(), "--house", "lott", "--rules", "6D"],
        "not both",
    ),
    "an infinite deck": (["verify", "--server-seed", SEED.hex(), "--rules", "INF"], "no order"),
    "a script of something": (["verify", "x", "--script"], "give one or the other"),
    "a script as JSON": (["verify", "--script", "--json"], "--script with --json: give one or"),
    "rules of a code": (["verify", "abc", "--rules", "6D"], "give one or the other"),
}


@pytest.mark.parametrize(("arguments", "fault"), FAULTS.values(), ids=FAULTS)
def test_bad_input_is_one_clear_line(arguments, fault):
    code, out, err = talk(arguments)
    assert (code, out) == (2, "")
    assert fault in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["history", "stats", "verify"])
def test_a_damaged_store_is_reported_and_left_as_it_is(command):
    store_path().parent.mkdir()
    store_path().write_bytes(b"scribble")
    code, out, err = talk([command])
    assert (code, out) == (2, "")
    assert "is not a store of upcard's" in err
    assert store_path().read_bytes() == b"scribble"


def test_with_company_history_and_stats_are_of_ones_own_hands():
    rules = Rules.parse("6D NOINS")
    number = iter(range(7, 1000))
    shoe = FairShoe(rules, seeds=lambda: next(number).to_bytes(32, "big"))
    with open_store() as store:
        deposit(store, 500)
        with KeptTable.sit_down(store, rules, shoe=shoe, company="basic; you; mimic") as table:
            for _ in range(9):
                state = table.start([100, 10, 200], player_spots=[1])
                while not state.is_over:
                    state = table.act(Action.STAND)
    rounds, bankroll = rounds_of(store_path())
    answer = talk(["history"])
    lines = answer.out.splitlines()[1:10]
    for line, stored in zip(lines, rounds, strict=True):
        (hand,) = stored.own_hands
        assert " ".join(map(str, hand.cards)) + " v " in line
        assert f" {hand.outcome} " in line
        assert line.split()[-3] == "10"
    net = sum(stored.net for stored in rounds)
    assert bankroll == 500 + net
    assert read_json("history")["rounds"][0]["company"] == "basic; you; mimic"
    total = read_json("stats")["total"]
    assert (total["initial_bets"], total["net"]) == ("90", format_chips(net))
    assert total["decisions"] == sum(len(stored.own_answers) for stored in rounds)

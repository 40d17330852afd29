"""`upcard replay CODE` and `upcard replay 17`: values, costs, other answers, and every fault."""

import json
import random
import re
import weakref
from fractions import Fraction

import pytest
from driving import talk
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import Action, EmptyShoeError, Rules
from upcard.coach.adviser import Coach
from upcard.core.actions import parse_answers
from upcard.core.cards import parse_cards
from upcard.core.errors import IllegalActionError, NoExactValueError, NotationError
from upcard.exact.solve import solve
from upcard.fair.fair_shoe import FairShoe
from upcard.players.seen_cards import SeenCards
from upcard.session.coaching import TableCoach
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan, title_of
from upcard.session.review import Given, review_round
from upcard.store.bankroll import buy_in, deposit
from upcard.store.database import open_in_memory, open_store
from upcard.store.files import StoreError
from upcard.store.history import RoundSearch, hear_shoe_before, read_rounds
from upcard.store.kept_table import KeptTable
from upcard.store.round_codes import encode_round
from upcard.table.rounds import CardList, RoundRecord, Table

H, S, D = Action.HIT, Action.STAND, Action.DOUBLE


def code(cards, actions, *, rules="6D S17 LS", bets=(10,)):
    coded = RoundRecord(
        rules=Rules.parse(rules),
        bets=tuple(map(Fraction, bets)),
        actions=tuple(actions),
        source=CardList(parse_cards(cards)),
    )
    return encode_round(coded)


# 16 against a nine: hits a five, and the dealer has nineteen.
SIXTEEN = ("TC 9H 6D TS 5C", [H])


def show(*arguments):
    answer = talk(["replay", *map(str, arguments)])
    assert (answer.code, answer.err) == (0, "")
    assert all(len(line) <= 79 for line in answer.out.splitlines())
    return " ".join(answer.out.split())


def read(*arguments):
    answer = talk(["replay", *map(str, arguments), "--json"])
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


def questions(review):
    return [step for step in review["steps"] if step["type"] == "question"]


def seat(rules="6D S17 LS", *, seed=1, **options):
    rng = random.Random(seed)
    rules = Rules.parse(rules)
    store = open_store()
    deposit(store, 10_000)
    shoe = FairShoe(rules, seeds=lambda: rng.randbytes(32))
    table = KeptTable.sit_down(store, rules, shoe=shoe, **options)
    weakref.finalize(table, store.close)
    return table


def play(table, rounds, *, bets=(10,), player_spots=None, seed=1):
    rng = random.Random(seed)
    for _ in range(rounds):
        state = table.start(bets, player_spots=player_spots)
        while not state.is_over:
            state = table.act(rng.choice(state.legal))


def stored_rounds():
    with open_store() as store:
        return list(read_rounds(store))


# --- a code ---


def test_a_round_is_shown_with_every_answers_value_and_the_settlement():
    out = show(code(*SIXTEEN))
    assert out.startswith("6D S17 PEEK")
    (question,) = questions(read(code(*SIXTEEN))["played"])
    for one in question["answers"]:
        assert f"{one['action']} {one['text']} {one['cost_text']}" in out
    for part in (
        "hand 1 gets TC: 10",
        "dealer gets a card face down",
        "answer 1 TC 6D (16) against 9H: hit. Surrender was better: a slip, 0.0045 of a bet",
        " 0.05 answered stand ",
        "Hitting loses 0.505 of a bet on average, surrendering half.",
        "hand 1 gets 5C: 21",
        "dealer turns up 9H TS: 19",
        "hand 1 win with 21, bet 10: +10",
        "Net +10 chips",
        "Values exact, per initial bet; composition: 6 decks, fresh, less this spot's cards",
    ):
        assert part in out, part


def test_the_values_are_those_of_the_solver():
    found = read(code(*SIXTEEN))
    (question,) = questions(found["played"])
    values = solve(Rules.parse("6D S17 LS"), "T6", "9").ev
    assert {one["action"]: one["ev"] for one in question["answers"]} == pytest.approx(
        {str(action): ev for action, ev in values.items()}
    )
    best = max(values.values())
    assert question["best"] == "surrender"
    assert question["cost"] == pytest.approx(best - values[H])
    assert question["cost_chips"] == pytest.approx(10 * (best - values[H]))
    assert found["played"]["cost_chips"] == question["cost_chips"]
    assert (found["played"]["mistakes"], found["played"]["net"]) == (1, "10")


def test_a_round_of_yours_is_found_by_its_number():
    with seat() as table:
        play(table, 8)
    for stored in stored_rounds():
        found = read(stored.id)
        assert found["round"] == stored.id
        assert found["code"] == encode_round(stored.record)
        assert Fraction(str(found["played"]["net"])) == stored.net
        assert [item["action"] for item in questions(found["played"])] == list(
            stored.record.actions
        )
        assert found["played"] == read(found["code"])["played"]


def test_the_file_of_that_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "17").write_text("{}")
    assert "is not a run" in talk(["replay", "17", "--shoe", "0"]).err


def test_it_stops_before_an_answer_and_does_not_tell_it():
    text = code(*SIXTEEN)
    out = show(text, "--at", 1)
    assert "answer 1 TC 6D (16) against 9H: what would you do?" in out
    assert "Stopped before answer 1" in out
    assert "answered" not in out
    assert "TS" not in out.replace("bets", "")
    found = read(text, "--at", 1)["played"]
    (question,) = questions(found)
    assert (question["action"], found["is_over"], found["net"]) == (None, False, None)
    assert "cost" not in question
    assert "dealer" not in found


def test_another_answer_is_played_on_and_both_ends_stand_side_by_side():
    text = code(*SIXTEEN)
    out = show(text, "--at", 1, "--instead", "surrender")
    assert "answer 1 TC 6D (16) against 9H: surrender, instead. That was right." in out
    assert "as played instead answers hit surrender" in out
    assert "net +10 −5" in out
    assert "difference −15: with these cards, not on average" in out
    found = read(text, "--at", 1, "--instead", "surrender")
    assert (found["played"]["net"], found["instead"]["net"]) == ("10", "-5")
    assert (found["played"]["cost_ev"] > 0, found["instead"]["cost_ev"]) == (True, 0)


def test_the_coach_answers_where_no_answers_are_left():
    # 11 of three cards stood; the coach hits it.
    text = code("6C TH 2D 9S 3C 8H", [H, S])
    out = show(text, "--at", 1, "--instead", "hit")
    assert "answer 2 6C 2D 3C (11) against TH: hit: the coach's best, as no more answers" in out
    found = read(text, "--at", 1, "--instead", "hit")["instead"]
    assert [item["given"] for item in questions(found)] == ["instead", "best", "best"]
    assert [item["action"] for item in questions(found)] == ["hit", "hit", "stand"]
    assert (found["mistakes"], found["net"]) == (0, "0")


def test_answers_that_are_not_asked_for_are_named():
    text = code("TC 9H 6D TS KC", [H])
    out = show(text, "--at", 1, "--instead", "hit stand")
    assert "Not asked stand: the round was over before" in out
    assert read(text, "--at", 1, "--instead", "hit stand")["instead"]["not_asked"] == ["stand"]


def test_in_a_house_without_bets_no_chips_are_told():
    text = code(*SIXTEEN, rules="6D S17 LS betting=false", bets=(1,))
    out = show(text)
    assert "chips" not in out
    assert "Net +1, in a house without bets" in out
    found = read(text)["played"]
    assert found["cost_chips"] is questions(found)[0]["cost_chips"] is None


def test_where_no_exact_method_values_a_game_the_round_is_shown_all_the_same():
    rules = "6D shows_upcard=false hole_card=no-peek NOINS"
    text = code("TC 9H 6D TS 5C", [H], rules=rules)
    out = show(text)
    assert "No values: the finite-deck solver cannot honour shows_upcard=false" in out
    assert "ev" not in questions(read(text)["played"])[0]
    longer = code("2C 9H 3D TS 5C", [H, S], rules=rules)
    answer = talk(["replay", longer, "--at", "1", "--instead", "hit"])
    assert answer.code == 2
    assert "no answer is left for 2C 3D 5C (10), and the coach has none" in answer.err


def test_a_code_that_breaks_off_is_shown_as_far_as_it_goes():
    out = show(code("6C TH 2D 9S 3C 8H", [H]))
    assert "answer 2 6C 2D 3C (11) against TH: what would you do?" in out
    assert "Stopped before answer 2" in out
    out = show(code("6C TH 2D 9S 3C 8H", [H]), "--at", 2, "--instead", "hit")
    assert "net not known: it breaks off 0" in out


# --- company, and the cards seen ---


def test_with_company_the_questions_are_the_persons_own():
    with seat("6D NOINS", company="basic; you; mimic") as table:
        play(table, 12, bets=(50, 10, 70), player_spots=[1])
    for stored in stored_rounds():
        found = read(stored.id)
        mine = [item for item in questions(found["played"]) if item["answer"]]
        assert [item["answer"] for item in mine] == list(range(1, 1 + len(stored.own_answers)))
        assert {item["spot"] for item in mine} <= {1}
        assert len(questions(found["played"])) == len(stored.record.actions)
        assert Fraction(str(found["played"]["net"])) == stored.net
        assert (found["own"], found["company"]) == ([1], "basic; you; mimic")
    out = show(stored.id)
    assert "10 on spot 2 (you)" in out
    assert "hand 2 (you) gets" in out
    assert "chips on your spots" in out


def test_the_company_answers_as_it_did_while_it_holds_the_same_cards():
    coded = RoundRecord(
        rules=Rules.parse("6D NOINS"),
        bets=(Fraction(1), Fraction(1)),
        actions=(H, S, H, S),
        source=CardList(parse_cards("2C 2D TH 3C 3D 7S 4C 5C KC")),
    )
    # The first spot's hit took the four; now it stands, and the second one gets it.
    review = review_round(coded, player_spots=[0], at=1, instead=[S])
    asked = [step for step in review.steps if hasattr(step, "given")]
    assert [(item.action, item.given) for item in asked] == [
        (S, Given.INSTEAD),
        (H, Given.PLAYED),
        (H, Given.COACH),
        (H, Given.COACH),
    ]


@pytest.mark.slow
def test_the_cards_seen_are_those_of_the_shuffle_before_the_round():
    with seat("2D PEN75") as table:
        play(table, 25)
    checked = 0
    for stored in stored_rounds():
        with open_store() as store:
            before = hear_shoe_before(store, stored)
        review = review_round(stored.record, before=before)
        rules, seen = stored.session.rules, SeenCards(stored.session.rules)
        for event in before:
            seen.hear(event)
        assert seen.look().cards + seen.look().never_shown <= stored.place.dealt
        again = Table(rules, stored.record.make_shoe())
        again.listeners.append(seen.hear)
        again.start(stored.record.bets)
        for answer in review.answers:
            advice = Coach(rules, cards="seen").advise(
                again.view(), again.legal_actions(), seen.look()
            )
            assert answer.advice.ev == advice.ev
            again.act(answer.action)
            checked += 1
    assert checked > 20
    found = read(stored.id, "--cards", "seen")
    assert found["cards_known"] == "seen"


def test_cards_that_are_in_no_record_are_said_so():
    with seat("6D") as table:
        play(table, 4)
    with open_store() as store:
        store.run("PRAGMA foreign_keys = OFF")
        store.run("DELETE FROM rounds WHERE id = 2")
        with pytest.raises(StoreError, match="the cards seen are not known"):
            hear_shoe_before(store, list(read_rounds(store))[-1])


# --- any rules ---


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_any_round_reviews_as_it_was_played_and_can_be_played_otherwise(rules, seed):
    rng = random.Random(seed)
    spots = rng.randint(1, min(rules.max_spots, 3))
    with open_in_memory() as store:
        deposit(store, 10**6)
        shoe = FairShoe(rules, seeds=lambda: rng.randbytes(32))
        with KeptTable.sit_down(store, rules, shoe=shoe) as table:
            player_spots = sorted(rng.sample(range(spots), rng.randint(1, spots)))
            try:
                state = table.start(
                    [rng.randint(1, 9) for _ in range(spots)], player_spots=player_spots
                )
                while not state.is_over:
                    state = table.act(rng.choice(state.legal))
            except EmptyShoeError:
                return
        (stored,) = read_rounds(store)
    coded = stored.record
    review = review_round(coded, player_spots=player_spots)
    assert review.net == stored.net
    assert tuple(answer.step for answer in review.answers) == stored.own_answers
    for answer in review.answers:
        assert (answer.advice is None) == (answer.judgement is None)
        for action in answer.legal:
            try:
                other = review_round(
                    coded, player_spots=player_spots, at=answer.number, instead=[action]
                )
            except (NoExactValueError, NotationError):  # no coach, or all cards on the table
                continue
            assert other.state.is_over
            assert other.answers[answer.number - 1].action is action
            if other.state == review.state:
                assert other.net == review.net


# --- answers in words, and faults ---


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("hit stand", (H, S)),
        ("stick, double down", (S, D)),
        ("No Insurance hit", (Action.NO_INSURANCE, H)),
        ("no even money insurance", (Action.NO_EVEN_MONEY, Action.INSURANCE)),
        ("no-split,surrender", (Action.NO_SPLIT, Action.SURRENDER)),
    ],
)
def test_answers_are_read_as_people_write_them(text, actions):
    assert parse_answers(text) == actions


def test_other_answers_need_a_place():
    coded = RoundRecord(
        rules=Rules(), bets=(Fraction(1),), actions=(S,), source=CardList(parse_cards("T 9 9 8"))
    )
    with pytest.raises(IllegalActionError, match="say before which answer"):
        review_round(coded, instead=[H])
    with pytest.raises(NotationError, match="there is no answer 2: the round has answer 1 only"):
        review_round(coded, at=2)


LISTED = code("TC 9H 6D TS 5C", [H])
FAULTS = {
    "a mistyped code": ([LISTED[:-1] + "a"], "its check letters do not fit; there is no file"),
    "a letter of no code": (
        ["1OIl"],
        "check letters do not fit; there is no file of that name either",
    ),
    "a file that is not there": (["RUN.json"], "No such file"),
    "no such round": (["17"], "there is no round 17: no round has been played yet"),
    "round 0": (["0"], "there is no round 0"),
    "an answer too far": ([LISTED, "--at", "3"], "there is no answer 3: the round has answer 1"),
    "answer 0": ([LISTED, "--at", "0"], "'0': write a whole number at least 1"),
    "no question": ([code("AC 9H KD TS", []), "--at", "1"], "the round has none"),
    "an illegal answer": ([LISTED, "--at", "1", "--instead", "split"], "cannot split TC 6D (16)"),
    "no answer": ([LISTED, "--at", "1", "--instead", "fold"], "unknown action 'fold'"),
    "empty answers": ([LISTED, "--at", "1", "--instead", " , "], "no answer in ' , '"),
    "answers nowhere": ([LISTED, "--instead", "hit"], "--instead without --at"),
    "cards nobody knows": (
        [code("2C 6H 3D TS 8C", [S]), "--at", "1", "--instead", "hit stand"],
        "after stand an unknown card is needed: this code lists the 5 cards",
    ),
    "cards seen of a code": ([LISTED, "--cards", "seen"], "--cards seen with a code"),
    "other cards": ([LISTED, "--cards", "some"], "'some' is not one of 'fresh', 'seen'"),
    "a run's option": ([LISTED, "--shoe", "1"], "--shoe with"),
    "another run's option": ([LISTED, "--chunk", "0"], "--chunk with"),
    "a round's option": ([".", "--at", "1"], "--at with the file of a run"),
    "answers left over": (
        [code("TC 9H 6D TS 5C", [H, S])],
        "the round cannot be played: cannot stand",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_line_and_exit_code_2(case):
    words, expected = FAULTS[case]
    answer = talk(["replay", *words])
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert expected in answer.err


# --- only the mistakes ---


def judge_all(rng, rounds):
    """Play rounds badly at a kept table, each decision judged; return those with mistakes."""
    rules = Rules.parse("6D S17")
    plan = TablePlan(rules=rules, title=title_of(rules))
    with open_store() as store:
        buy_in(store, Fraction(1000))
        with GameSession.keep(store, plan, coach=TableCoach(rules)) as session:
            for _ in range(rounds):
                session.place(Fraction(1))
                while session.options:
                    asked = session.ask()
                    action = rng.choice(session.options)
                    session.judge(asked, session.coach.advise(asked), action)
                    session.act(action)
        return [stored.id for stored in read_rounds(store, RoundSearch(with_mistakes=True))]


def test_the_mistakes_of_the_newest_rounds_are_printed_one_after_another():
    wrong = judge_all(random.Random(5), 12)
    out = show("--mistakes", "--last", 3)
    assert [int(found) for found in re.findall(r"Round (\d+) ", out)] == wrong[-3:]
    assert out.count("was better: a ") >= 3
    found = json.loads(talk(["replay", "--mistakes", "--json"]).out)["rounds"]
    assert [one["round"] for one in found] == wrong[-10:]


def test_without_a_mistake_there_is_nothing_to_review():
    assert talk(["replay", "--mistakes"]).out == "The coach has found no mistake in your rounds.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mistakes", "3"], "SOURCE with --mistakes"),
        (["--mistakes", "--at", "1"], "--at with --mistakes"),
        (["3", "--last", "2"], "--last without --mistakes"),
        ([], "say what to replay"),
    ],
)
def test_one_round_and_the_mistakes_of_several_are_told_apart(arguments, words):
    answer = talk(["replay", *arguments])
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err

"""The drill of whole hands on the screen, and how a hand is kept."""

from __future__ import annotations

import pytest
from train_driving import drive, in_memory, opened

from upcard.core.actions import Action
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill_run import DrillRun
from upcard.drills.trainer import DrillStep
from upcard.rules.model import Rules
from upcard.session.table_view import KEYS
from upcard.table.events import Board
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import write_cards

RULES = Rules.parse("6D LS")


def start(seed=3, **options):
    drill = DrillOptions(rules=RULES, **options).make("hands")
    return DrillRun(drill, in_memory(), seed=seed)


def best(run):
    return run.hand.advice().best


def worst(run):
    costs = run.hand.advice().costs
    return max(costs, key=costs.get)


@pytest.mark.slow
def test_hands_are_played_to_their_end():
    async def scene():
        async with opened("hands", memory=in_memory()) as driver:
            ended = 0
            for _ in range(30):
                if driver.screen.step is DrillStep.JUDGED:
                    ended += 1
                    assert driver.part("ask") == driver.verdict.hand.text
                    assert driver.verdict.hand.cost == 0
                    state = driver.run.hand.state
                    if len(state.hands) == 1:
                        mine = driver.part("cards").split("You")[1]
                        assert (state.results[0][0] == "bust") == ("bust" in mine)
                    await driver.press("space")
                else:
                    await driver.press(KEYS[best(driver.run)])
            assert driver.run.questions == ended + 1
            assert driver.run.tally.cost == 0
            assert driver.run.tally.asked == driver.run.tally.right > ended

    drive(scene)


def split_key(run):
    """The key of somebody who splits whatever he can, and stands else."""
    choices = run.prompt.choices
    return "p" if "split" in choices else KEYS[best(run)] if "stand" not in choices else "s"


def seed_of(hands):
    """A seed whose first hand is split into so many."""
    for seed in range(2000):
        run = start(seed=seed, classes="pair")
        run.ask()
        while run.is_hand_open:
            run.ask()
            run.answer("split" if split_key(run) == "p" else "stand")
        if len(run.hand.state.hands) == hands:
            return seed
    return None


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 4])
def test_every_hand_of_a_split_is_on_the_screen(count):
    seed = seed_of(count)

    async def scene():
        async with opened("hands", classes="pair", seed=seed) as driver:
            while True:
                run = driver.run
                await driver.press(
                    "space" if driver.screen.step is DrillStep.JUDGED else split_key(run)
                )
                hands = run.hand.state.hands
                if len(hands) > 1:
                    drawn = driver.part("cards")
                    assert all(f"Hand {n}" in drawn for n in range(1, len(hands) + 1))
                    assert f"Hand {len(hands)}" in driver.text
                if not run.is_hand_open:
                    assert len(hands) == count
                    return

    drive(scene)


def test_the_hand_goes_on_as_it_was_played_after_a_mistake():
    async def scene():
        async with opened("hands", classes="hard", rules="6D") as driver:
            while "hit" not in driver.prompt.choices or best(driver.run) == "hit":
                await driver.press(KEYS[best(driver.run)])
                if driver.screen.step is DrillStep.JUDGED:
                    await driver.press("space")
            before = driver.prompt.cards
            await driver.press("h")
            hand = driver.run.hand.state.hands[0]
            assert (hand.cards[: len(before)], len(hand.cards)) == (before, len(before) + 1)
            assert not driver.verdict.is_right
            assert (driver.verdict.hand is None) == driver.run.is_hand_open

    drive(scene)


def test_a_key_says_why_it_is_no_answer_later_in_a_hand():
    async def scene():
        async with opened("hands", classes="hard", rules="6D") as driver:
            while len(driver.prompt.cards if driver.prompt else ()) < 3:
                key = "space" if driver.screen.step is DrillStep.JUDGED else "h"
                await driver.press(key)
            await driver.press("d")
            assert "3 cards" in driver.part("notice")

    drive(scene)


@pytest.mark.slow
def test_a_hand_is_one_answer_that_costs_what_all_its_mistakes_do():
    run = start(seed=5, classes="hard")
    several = 0
    for _ in range(60):
        run.ask()
        item, before = run.prompt.item, run.progress.record(run.prompt.item)
        answers = run.progress.answers
        hand = run.hand
        while run.is_hand_open:
            run.ask()
            run.answer(str(worst(run) if len(hand.judgements) else best(run)))
            record = run.progress.record(item)
            assert run.progress.answers == answers + 1
            assert record.asked == before.asked + 1
            assert record.lost - before.lost == pytest.approx(hand.cost)
            is_wrong = hand.cost > 0
            assert record.errors == before.errors + is_wrong
            assert (record.again_at is not None) == is_wrong
            whole = before.add(answers + 1, float(is_wrong), repeat_after=4)
            assert (record.right, record.wrong) == pytest.approx((whole.right, whole.wrong))
        several += sum(not one.is_right for one in hand.judgements) > 1
    assert several


def test_a_hand_left_in_its_middle_is_kept_as_far_as_it_went():
    run = start(seed=5, classes="hard")
    while not (run.is_hand_open and run.hand.cost):
        run.ask()
        run.answer("hit")
    kept = run.memory.load("hands", run.drill.about)
    assert kept == run.progress
    assert kept.record(run.last_item).lost == pytest.approx(run.hand.cost)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", ["6D LS", "6D deal_order=hands-hole-up", "6D ENHC"])
@pytest.mark.parametrize("drill", ["hands", "strategy"])
def test_the_dealers_cards_lie_as_they_do_at_the_table(drill, rules):
    """D1: the table drew the upcard first, the drills the hole card."""

    async def scene():
        async with opened(drill, rules=rules, look=Appearance(ascii_only=True)) as driver:
            first = driver.part("cards").splitlines()[1]
            found = Rules.parse(rules)
            board = Board(found)
            table = Table(found, ScriptedShoe("T 6 7 9 8 5 4 3 2"))
            table.listeners.append(board.hear)
            table.start([10])
            hides = [card is None for card in board.dealer]
            cards = first.split("Dealer")[0].strip("| ").split("|")
            assert ["#" in card for card in cards] == hides

    drive(scene)


@pytest.mark.slow
def test_a_session_takes_numbers_between_rounds_and_keys_in_them():
    async def scene():
        async with opened("ready", rules="6D") as driver:
            for _ in range(20):
                session = driver.run.hand
                assert driver.screen.query_one("#drill-pad").display == (not driver.prompt.choices)
                if driver.prompt.choices:
                    await driver.press(KEYS[Action(session.best)])
                else:
                    if session.rounds:
                        dealer = write_cards(session.state.dealer, driver.screen.app.look).plain
                        assert dealer in driver.text
                    await driver.press("h")
                    assert "a number is asked for" in driver.part("notice")
                    keys = ["minus" if one == "-" else one for one in session.best]
                    await driver.press(*keys, "enter")
                assert driver.part("verdict") == ""
            assert driver.run.tally.right == 20
            await driver.press("q")
            assert driver.app.ended.summary[1].endswith(" of 200 rounds, 20 answers.")

    drive(scene)

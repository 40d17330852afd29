"""Everything the table says has a place, on every screen from 40 by 12 to 140 by 45."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from screen_driver import drive, plan_for, press, settle, text_of, wait_for

from upcard.core.actions import Action
from upcard.session.coaching import CoachVoice
from upcard.session.table_view import KEYS, find_answer
from upcard.tui.app import ScreenOptions
from upcard.tui.appearance import Appearance
from upcard.tui.felt_screen import Felt

PLACES = ("#head", "#felt", "#side", "#words", "#notice", "#asked", "#foot")
NEVER = ("6D NS ND", "6D LS DAS", "european", "1D D10")


def regions(app):
    found = [(place, app.screen.query_one(place)) for place in PLACES]
    return [(place, widget.region) for place, widget in found if widget.display and widget.region]


def row_of(app, place):
    """What is to be read in the line of a widget."""
    return text_of(app).splitlines()[app.screen.query_one(place).region.y].strip()


def check_places(app):
    width, height = app.size
    lines = text_of(app).splitlines()
    assert len(lines) == height
    assert all(len(line) <= width for line in lines)
    placed = regions(app)
    for index, (place, region) in enumerate(placed):
        assert region.y + region.height <= height, place
        for other, over in placed[index + 1 :]:
            if "side" not in (place, other):
                assert not region.overlaps(over), (place, other)
    assert "?" in row_of(app, "#foot")
    assert app.screen.query_one(Felt).size.height >= 3


def check_refusal(app, words):
    shown = row_of(app, "#notice")
    assert words in list(app.screen.messages)
    if shown != words:
        assert shown.endswith("V: more")
        start = shown.removesuffix("V: more").rstrip(" .…")
        assert words.startswith(start)
        assert start


async def walk(pilot, app, rng, steps):
    for _ in range(steps):
        width, height = rng.randint(40, 140), rng.randint(12, 45)
        await pilot.resize_terminal(width, height)
        await wait_for(pilot, lambda: len(text_of(app).splitlines()) == height)  # noqa: B023
        await settle(pilot)
        screen = app.screen
        check_places(app)
        options = app.seat.session.options
        illegal = [one for one in Action if options and find_answer(KEYS[one], options) is None]
        key = KEYS[rng.choice(illegal)] if illegal else rng.choice("xzg")
        await press(pilot, key)
        check_refusal(app, screen.messages.notice)
        check_places(app)
        await press(pilot, KEYS[rng.choice(options)] if options else "enter")
        check_places(app)


def wander(seed, steps):
    rng = random.Random(seed)

    async def script(pilot, app):
        await walk(pilot, app, rng, steps)

    plan = plan_for(rng.choice(NEVER), hands=rng.choice((1, 1, 2, 3)))
    voice = rng.choice((CoachVoice.AFTER, CoachVoice.BEFORE))
    chips = Fraction(10_000)
    opening = ScreenOptions(plan=plan, keep="practice", chips=chips, coach=voice, seed=seed)
    look = Appearance(animate=False, ascii_only=rng.random() < 0.3)
    drive(script, opening, look=look)


@pytest.mark.slow
def test_a_refusal_is_seen_in_full_or_marked_and_nothing_overlaps():  # F3
    wander(7, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_refusal_is_seen_on_any_screen_in_any_round(seed):  # F3
    wander(seed, 10)


def play(cards, *keys, size=(80, 24), voice=CoachVoice.SILENT, rules="6D LS", chips=100, **options):
    """Press keys at a table, and return what is on the screen before them and after each."""
    shown = []

    async def script(pilot, app):
        shown.append(text_of(app))
        for key in keys:
            await press(pilot, key)
            shown.append(text_of(app))

    plan = plan_for(rules, **options)
    drive(
        script, ScreenOptions(plan=plan, cards=cards, chips=Fraction(chips), coach=voice), size=size
    )
    return shown


@pytest.mark.slow
def test_a_bet_is_refused_in_sight_beside_four_mistakes_and_w_has_them_all():  # F3, F12
    cards = "T 6 7 T A A A 2 T"  # hits 17, 18, 19, 20 and busts
    keys = ("enter", "h", "h", "h", "h", "b", "9", "9", "9", "enter", "w")
    *_, broke, _, _, _, refused, why = play(cards, *keys, voice=CoachVoice.AFTER)
    assert "Chips are brought between hands, once the smallest bet is not covered." in broke
    assert "A bet of 999 is more than your balance of 90." in refused
    assert refused.count("You hit") == 3
    assert "W: more" in refused
    assert why.count("You hit") >= 4


@pytest.mark.slow
def test_a_refusal_is_a_sentence_with_the_cards_of_the_table_and_ends_at_the_next_key():
    *_, split, insured, turned = play("AD 4S 7S TC", "enter", "p", "i", "t", rules="6D")  # F10
    assert "Cannot split A♦ 7♠ v 4♠: it is not a pair. Legal: hit, stand, double" in split
    assert "Cannot take insurance A♦ 7♠ v 4♠: insurance is not being offered." in insured
    assert "Cannot" not in turned  # F11
    narrow = play("AD 4S 7S TC", "enter", "p", size=(60, 24))[-1]
    assert "Cannot split A♦ 7♠ v 4♠: it is not a pair." in narrow
    assert "Legal" not in narrow


def test_the_result_of_a_round_ends_with_the_next_bet():  # F11
    *_, ended, typed = play("T 6 8 T 9 T", "enter", "s", "5")
    assert "You win 10.  Enter bets 10" in ended
    assert "Your bet: 5_" in typed
    assert "You win" not in typed


def test_the_prompt_is_worded_for_40_columns():  # D1, F12
    first, *_, split = play("8 6 8 T 2 3", "enter", "p", size=(40, 12))
    assert "Enter bets 10; type another" in first
    assert "Hand 1 of 2: 8 2 is 10 against 6." in split
    assert "W   ?   Q" in split


def test_a_title_that_has_no_room_gives_way_to_the_name_of_the_house():  # F12
    async def script(pilot, app):
        assert text_of(app).startswith(" seven-hands")
        assert "..." not in text_of(app).splitlines()[0]

    drive(script, ScreenOptions(plan=plan_for("seven-hands"), keep="practice"), size=(60, 24))


def test_a_split_has_its_keys_and_its_hands_are_told_apart():
    _, pair, split = play("8 6 8 T 2 3 T T T", "enter", "p")
    for word in ("hit", "stand", "double", "split", "surrender", "W  why", "?"):
        assert word in pair.splitlines()[-1]  # F14
    assert "you a: 10" in split  # D1
    assert "you b: 10" in split
    assert "Hand 1 of 2, you a: 8 2 is 10 against 6." in split


def test_split_hands_of_several_spots_are_told_apart():  # D1
    text = play("8 8 6 8 8 T 2 3 T T T", "enter", "p", hands=2)[-1]
    for name in ("you 1a", "you 1b", "you 2"):
        assert name in text


def test_the_hole_card_is_shown_to_the_player_and_the_coach_after_all_hands_are_over():  # D1
    seen = []

    async def script(pilot, app):
        await press(pilot, "enter", "h")
        assert "Dealer 15" in text_of(app)
        assert "▒" not in text_of(app)
        seen.append(app.seat.session.coach.seen.look().cards)
        await press(pilot, "u")
        assert "▒" in text_of(app)
        seen.append(app.seat.session.coach.seen.look().cards)

    plan = plan_for("6D LS")
    drive(script, ScreenOptions(plan=plan, cards="T 6 8 9 7 5", chips=Fraction(100)))
    assert seen == [5, 3]


@pytest.mark.slow
def test_a_natural_is_called_blackjack():  # D1
    assert "Blackjack! You win 15." in play("A 6 T 9", "enter")[-1]
    assert "is blackjack against A.  Even money?" in play("A A T 9", "enter")[-1]


@pytest.mark.slow
def test_cards_are_larger_where_there_is_room():  # D1
    small = play("TS 6H 8D TC 9S", "enter", size=(80, 24))[-1]
    large = play("TS 6H 8D TC 9S", "enter", size=(140, 45))[-1]
    assert large.count("♦") > 8 > small.count("♦")
    lines = [line for line in large.splitlines()[1:-3] if line[:94].strip()]
    assert len(lines) >= 27


@pytest.mark.slow
def test_no_terminal_is_too_small_to_draw_in():
    """F33: the first table ended with a traceback where a line had a width of 1."""
    sizes = random.Random(33)

    async def script(pilot, app):
        for keys in ((), ("enter",), ("s",), ("w",), ("escape",), ("question_mark",)):
            await press(pilot, *keys)
            for _ in range(25):
                await pilot.resize_terminal(sizes.randint(1, 45), sizes.randint(1, 15))
                await pilot.pause()
            await pilot.resize_terminal(80, 24)

    drive(script, ScreenOptions(plan=plan_for("6D LS")))

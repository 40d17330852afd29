"""The screen and the browser show the same table, at every moment of random rounds."""

import random
import time
from fractions import Fraction

import pytest
from screen_driver import LARGE, drive, plan_for, press, text_of, wait_for
from table_client import TableClient, run_site

from upcard.core.actions import Action
from upcard.core.figure import write_ev
from upcard.core.numbers import format_chips, to_json, with_minus_signs
from upcard.rules.house import house_names, load_house
from upcard.session.betting import shortage_at
from upcard.session.coaching import CoachVoice
from upcard.session.table_view import KEYS, YES, view_session
from upcard.tui.app import ScreenOptions

ROUNDS = 3
CHIPS = 120  # few enough for shortages, uncovered doubles and smaller bets
COMPANY = ("basic; you", "you; mimic martingale", "counter; you; never-bust")


def sits_there(house, company):
    """Whether a house has room for the company; who counts decides by the upcard alone."""
    rules = load_house(house).rules
    if rules.max_spots - company.count(";") < rules.min_spots:
        return False
    if "counter" in company and rules.deck_size != 52:
        return False  # hi-lo counts decks of 52
    return not (rules.shows_hole and "counter" in company)


CASES = []
for number, house in enumerate(house_names()):
    among = COMPANY[number % len(COMPANY)]
    seated = [among] if sits_there(house, among) else [""]
    CASES += [(house, company) for company in dict.fromkeys([*seated, *[""][number % 3 :]])]
PRACTICE = "Practice: nothing is saved, and there is no commitment to the cards."
PATIENCE_SECONDS = 60


class BothTables:
    """One table twice, of the same cards: on the screen, and as JSON from the server."""

    def __init__(self, pilot, app, web, rng):
        self.pilot, self.app, self.web, self.rng = pilot, app, web, rng

    @property
    def screen(self):
        return self.app.screen

    async def move(self):
        """Make a random move that is possible at both."""
        session = self.app.seat.session
        if session.can_undo and self.rng.random() < 0.15:
            await press(self.pilot, "u")
            self.web.move("undo")
        elif session.options:
            action = self.rng.choice(session.options)
            await press(self.pilot, KEYS[action])
            self.web.act(str(action))
        elif shortage_at(session) is not None:
            await press(self.pilot, "b")
            self.web.move("chips")
        else:
            await press(self.pilot, *(["plus"] * self.rng.randrange(3)))
            bet = self.screen.betting.entry.words
            await press(self.pilot, "enter")
            self.web.bet(bet)

    def wait_for_coach(self):
        end = time.monotonic() + PATIENCE_SECONDS
        while self.web.view["coach"]["state"] == "thinking" and time.monotonic() < end:
            time.sleep(0.01)
            self.web.look()

    async def compare(self):
        """Compare everything that the two show now."""
        self.wait_for_coach()
        session, screen, view = self.app.seat.session, self.screen, self.web.view
        shown = to_json(view_session(session, screen.board, screen.coaching))
        assert shown == view["session"]
        text = text_of(self.app)  # nothing is painted until a key is pressed
        self.compare_answers(session, view, text)
        self.compare_coach(screen, view["coach"], text)
        self.compare_words(screen, view, text)
        if view["between"] is not None:
            assert screen.betting.entry.words == view["between"]["bet"]
            shortage = shortage_at(session)
            assert view["between"]["shortage"] == ("" if shortage is None else str(shortage))
        await self.compare_refusals(session)

    def compare_answers(self, session, view, text):
        asked = view["session"]["asked"]
        answers = {} if asked is None else asked["answers"]
        assert [str(one) for one in session.options] == list(answers)
        for action in Action:
            is_open = self.screen.check_action("answer", (KEYS[action],)) is True
            is_taken = KEYS[action] == YES.key and any(one.declines for one in session.options)
            assert is_open == (KEYS[action] in answers.values() or is_taken)
        assert session.can_undo == view["can_undo"]
        foot = text.splitlines()[-1]
        for name, key in answers.items():
            assert f" {key.upper()}  {name}" in foot

    def compare_coach(self, screen, coach, text):
        advice = screen.coaching.advice
        if coach["state"] == "ready" and coach["values"]:
            values = {str(action): ev for action, ev in advice.ev.items()}
            assert {one["action"]: one["ev"] for one in coach["values"]} == values
            assert [one["action"] for one in coach["values"] if one["is_best"]] == [advice.best]
            for action, ev in values.items():
                assert f"{action:<14}{write_ev(ev, 4)}" in text
        elif coach["state"] == "unknown":
            assert coach["why_none"] == screen.coaching.why_no_value
        verdicts = [
            (with_minus_signs(one.text), with_minus_signs(one.reason), one.is_mistake)
            for one in screen.coaching.verdicts
        ]
        told = [(one["text"], one["reason"], one["is_mistake"]) for one in coach["verdicts"]]
        assert not told or told == verdicts
        assert coach["can_explain"] == (screen.coaching.to_explain is not None)

    def compare_words(self, screen, view, text):
        """Compare what is painted and said with the words of the page."""
        session = view["session"]
        for hand in session["hands"]:
            assert hand["name"] in text
            assert f"{hand['total']} {hand['word']}".strip() in text
            assert not hand["bet"] or f": {hand['bet']}" in text
        if session["hands"]:
            assert f"Dealer {session['dealer']['total']}".strip() in text
        assert session["title"] in text
        if session["balance"] is not None:
            assert f"{format_chips(Fraction(session['balance']))} chips" in text
        asked = session["asked"]
        if asked is None:
            assert session["result"] in text or screen.is_betting
        else:
            assert asked["total"] in text
            assert asked["offer"] in text
        # A verdict that a fast key overtook is in the browser until the next bet, not after it.
        shown = {*view["story"], *view["notes"], PRACTICE}
        extra = {*screen.messages.story} - shown
        assert [one for one in extra if not one.startswith("Before: ")] == []

    async def compare_refusals(self, session):
        """Try an answer that is not legal: both give the session's reason."""
        meant = {key: action for action, key in reversed(KEYS.items()) if not action.declines}
        closed = meant.keys() - {YES.key, *map(KEYS.get, session.options)}
        if not session.options or not closed:
            return
        action = meant[self.rng.choice(sorted(closed))]
        reason = session.find_refusal(action).reason
        await press(self.pilot, KEYS[action])
        answer = self.web.post("act", do=str(action))
        assert answer.status_code == 422
        assert reason in answer.json()["problem"]
        assert reason[:60] in self.screen.messages.notice


@pytest.mark.slow
@pytest.mark.parametrize(("house", "company"), CASES)
def test_a_table_is_the_same_on_the_screen_and_in_the_browser(house, company):
    check_both(house, company, f"{house} {company}", rounds=ROUNDS)


def test_a_round_is_the_same_on_the_screen_and_in_the_browser():
    check_both("INF LS", "", "quick", rounds=2, has_coach=False)


def check_both(rules, company, seed, *, rounds, has_coach=True):
    rng = random.Random(seed)
    number = rng.randrange(1000)
    most = plan_for(rules).rules.max_spots - company.count(";")
    hands = rng.randint(plan_for(rules).rules.min_spots, min(most, 3))
    plan = plan_for(rules, hands=hands, company=company)
    voice = CoachVoice.BEFORE if has_coach else CoachVoice.SILENT

    with run_site(seed=number, has_coach=has_coach) as client:
        web = TableClient(
            client,
            rules=rules,
            hands=str(hands),
            company=company,
            chips=str(CHIPS),
            coach=voice.value,
        )

        async def script(pilot, app):
            # Company sits down in a thread: the table comes when it has.
            await wait_for(pilot, lambda: hasattr(app.screen, "dealing"))
            if not has_coach:
                app.seat.session.coach = None
            both = BothTables(pilot, app, web, rng)
            while app.seat.session.bank.rounds < rounds or app.seat.session.options:
                await both.compare()
                await both.move()
            await both.compare()

        opening = ScreenOptions(
            plan=plan, keep="practice", seed=number, chips=Fraction(CHIPS), coach=voice
        )
        drive(script, opening, size=(LARGE[0] + 40, LARGE[1] + 10))

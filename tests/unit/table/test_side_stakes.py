"""Side bets at the table: settled as soon as their cards are public, and never by hidden ones."""

import random
from fractions import Fraction

import pytest

from upcard.core.actions import Action
from upcard.core.cards import DECK
from upcard.core.errors import NotationError, RulesError
from upcard.core.wager import Wager
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet, shipped_side_bets
from upcard.table import events
from upcard.table.rounds import CardList, RoundRecord, Table, play_round
from upcard.table.settle import net_of_spots
from upcard.table.shoe import ScriptedShoe


def play(rules: str, bets, cards: str, answers: str = ""):
    """Return the names of the events, with the rows of side bets, and the result."""
    result = play_round(Rules.parse(rules), cards, bets=bets, decisions=answers or ())
    names = [
        f"{event.bet}: {event.row}"
        if isinstance(event, events.SideBetSettled)
        else type(event).__name__
        for event in result.events
    ]
    return names, result


@pytest.mark.parametrize(
    ("rules", "bets", "cards", "answers", "row", "before", "net"),
    [
        ("6D +21+3(9)", "10 21+3 2", "8D 7S 6H TC", "stand", "21+3: straight", "Acted", 18),
        ("6D +PP(25/12/6)", "10 pp 1", "8D 7S 8H TC", "stand", "pp: coloured pair", "Acted", 12),
        # No natural is possible behind a six: nothing is left to wait for.
        (
            *("6D +LL(1000/125/19/9/4)", "10 ll 1", "QH 6S QH TC 5D", "stand"),
            *("ll: queens of hearts", "Acted", 125),
        ),
        # Behind a ten the look decides.
        (
            *("6D +LL(1000/125/19/9/4)", "10 ll 1", "QH TS QH 9C", "stand"),
            *("ll: queens of hearts", "Acted", 125),
        ),
        (
            *("6D +LL(1000/125/19/9/4)", "10 ll 1", "QH TS QH AC", ""),
            *("ll: queens of hearts and a dealer's natural", "Settled", 1000),
        ),
        # Without a look, the dealer's second card decides, however the hand ends.
        (
            *("6D ENHC +LL(1000/125/19/9/4)", "10 ll 1", "QH TS QH 5C AC", "hit"),
            *("ll: queens of hearts and a dealer's natural", "Settled", 1000),
        ),
        ("6D H17 +PUSH22(11)", "10 push22 1", "T 6 6 T 9D 6C", "hit", "push22: 22", "Settled", 11),
        (
            "6D +BUST(2/2/4/12/50/250)",
            "10 bust 1",
            "A 6 K T 6",
            "",
            "bust: busts with 3 cards",
            "Settled",
            2,
        ),
        # A first card that is no seven: no third card can matter.
        (
            "6D +S7(5000/500/100/50/3)",
            "10 s7 1",
            "8D 6S 7H TC 5D",
            "stand",
            "s7: lost",
            "Acted",
            -1,
        ),
        (
            *("6D +S7(5000/500/100/50/3)", "10 s7 1", "7D 6S 5H TC 5D", "stand"),
            *("s7: one seven", "Acted", 3),
        ),
        (
            *("6D +S7(5000/500/100/50/3)", "10 s7 1", "7D 6S 7H TC 7C", "stand"),
            *("s7: three sevens", "Settled", 500),
        ),
    ],
)
def test_a_bet_is_settled_as_soon_as_public_cards_decide_it(  # noqa: PLR0917 (a column each)
    rules, bets, cards, answers, row, before, net
):
    names, result = play(rules, bets, cards, answers)
    assert names.index(row) < names.index(before)
    assert [one.net for one in result.side] == [net]
    assert result.net == net + sum(hand.net for hand in result.hands)


def test_the_look_comes_before_a_bet_that_waits_for_it():
    names, _ = play("6D +LL(1000/125/19/9/4)", "10 ll 1", "QH TS QH 9C", "stand")
    assert names.index("Peeked") + 1 == names.index("ll: queens of hearts")
    names, _ = play("6D +21+3(9)", "10 21+3 1", "QH TS QH 9C", "stand")
    assert names.index("21+3: lost") < names.index("Peeked")


def test_a_house_with_a_dealer_bet_plays_the_dealer_out_whatever_is_placed():
    names, result = play("6D +BUST(2/2/4/12/50/250)", "10", "T 6 6 T 9 8", "hit")
    assert result.dealer.total == 24
    assert names[-3:] == ["DealerDealt", "Settled", "RoundEnded"]
    assert play("6D", "10", "T 6 6 T 9", "hit")[1].dealer.total == 16


def test_a_card_is_turned_up_where_nobody_took_one():
    names, result = play("6D +S7(5000/500/100/50/3)", "10 s7 1", "7D TS 7H AC 7S", "")
    assert names[-4:] == ["TurnedUp", "s7: three sevens", "Settled", "RoundEnded"]
    assert result.side[0].net == 500
    names, _ = play("6D +S7(5000/500/100/50/3)", "10", "9D 9S 9H TC 7S", "stand")
    assert "TurnedUp" in names, "every round deals it, so that a shoe does not depend on bets"


def test_if_drawn_asks_for_the_card_of_the_own_hand(tmp_path):
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "next1"]\nif_drawn = true\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    rules = f"6D +{file}"
    assert play(rules, "1 third 1", "5D 9S 9H TC 5C", "hit, stand")[1].side[0].row == "pair"
    names, result = play(rules, "1 third 1", "5D 6S 9H TC 5C", "stand")
    assert (result.side[0].row, names[-3]) == ("lost", "third: lost")
    assert "TurnedUp" not in names


@pytest.mark.parametrize(
    ("cards", "answers", "rows"),
    [
        # The first spot splits: its first card then is its own, and the second spot draws later.
        ("8D 5D 6S 8H 9H TC 3C 4C 5C", "split, stand, stand, hit", ["lost", "pair"]),
        ("8D 5D 6S 8H 9H TC 8C 4C 2C", "split, stand, stand, hit", ["pair", "lost"]),
        ("8D 5D 6S 8H 9H TC 5C", "stand, hit", ["lost", "pair"]),
        ("8D 5D 6S 3H 9H TC 8C 5C", "hit, stand, hit", ["pair", "pair"]),
    ],
)
def test_the_card_that_a_spot_draws_first_is_its_own_whatever_hands_it_has(
    tmp_path, cards, answers, rows
):
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "next1"]\nif_drawn = true\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    rules = Rules.parse(f"6D SP2 +{file}")
    state = Table(rules, ScriptedShoe(f"{cards} 2D 3D 4D 9S 9C 9D"))
    state.start(["1 third 1", "1 third 1"])
    for answer in answers.split(", "):
        state.act(answer)
    while state.is_playing:
        state.act("stand")
    found = {one.spot: one.row for one in state.state.side.results}
    assert [found[0], found[1]] == rows


def test_spots_have_bets_of_their_own():
    _, result = play("6D +PP(25/12/6)", ["10 pp 2", "5"], "8D 9D 7S 8D 9D TC", "stand, stand")
    assert [(one.spot, one.net) for one in result.side] == [(0, 50)]
    table = Table(Rules.parse("6D +PP(25/12/6)"), ScriptedShoe("8D 9D 7S 8D 9D TC"))
    table.start(["10 pp 2", "5 pp 1"])
    table.act("stand")
    state = table.act("stand")
    assert sum(net_of_spots(state)) == state.net
    assert net_of_spots(state)[1] == 25 + 5


@pytest.mark.parametrize(
    ("rules", "bets", "cards", "kind", "words"),
    [
        ("6D", "10 21+3 2", "8D 7S 6H TC", RulesError, "this house has none"),
        ("6D +PP(25/12/6)", "10 21+3 2", "8D 7S 6H TC", RulesError, "this house has pp"),
        ("6D +21+3(9)", "10 21+3 -2", "8D 7S 6H TC", RulesError, "over 0"),
        ("6D +21+3(9)", "10 21+3 2", "8 7S 6H TC", NotationError, "card 8 has no suit"),
        ("6D +BETWEEN(30/10/6/4/1)", "10 between 2", "8 7 T 4", NotationError, "card T has no"),
    ],
)
def test_what_cannot_be_settled_is_refused(rules, bets, cards, kind, words):
    with pytest.raises(kind, match=words):
        play(rules, bets, cards, "stand")


PLACED = [bet for bet in shipped_side_bets() if not bet.after]


def choose(view, legal):
    """Answer by public cards only: hit below 15, take what is offered first."""
    if Action.HIT in legal:
        return Action.HIT if view.hand.total < 15 else Action.STAND
    return legal[-1]


def record(rules, cards, bets):
    table, heard = Table(rules, ScriptedShoe(cards)), []
    table.listeners.append(heard.append)
    state = table.start(bets)
    while not state.is_over:
        state = table.act(choose(table.view(), table.legal_actions()))
    return heard, state


def test_two_rounds_that_look_alike_settle_alike():
    rng = random.Random("two worlds")
    settled = 0
    for number in range(120):
        bets = {bet.code: bet for bet in rng.sample(PLACED, 5)}
        rules = Rules(
            decks=2,
            hole_card=rng.choice(["peek", "no-peek"]),
            side_bets=tuple(bets.values()),
        )
        cards = rng.sample([*DECK, *DECK], 60)
        if number % 3 == 0:  # what waits for the hole card is rare
            cards[0] = cards[2] = load_side_bet("lucky-ladies-a").rows[0].get("exact")[0]
        if number % 6 == 0:
            cards[1] = rng.choice([card for card in DECK if card.rank in (1, 10)])
        wager = Wager(Fraction(10), tuple((code, Fraction(1)) for code in bets))
        heard, state = record(rules, cards, [wager])
        assert len(state.side.results) == len(bets)
        assert state.net == state.results[0][1] + state.side.net + state.insurance.net
        has_natural = {cards[1].rank, cards[3].rank} == {1, 10}
        other = list(cards)
        place = next(
            place
            for place in range(30, 60)
            if ({cards[1].rank, cards[place].rank} == {1, 10}) is has_natural
        )
        other[3], other[place] = other[place], other[3]
        alike, _ = record(rules, other, [wager])
        shown = next(
            place
            for place, event in enumerate(heard)
            if isinstance(event, events.Revealed | events.RoundEnded)
        )
        assert heard[:shown] == alike[:shown]
        settled += sum(isinstance(event, events.SideBetSettled) for event in heard[:shown])
    assert settled > 240


def test_a_record_with_side_bets_is_played_again():
    rng = random.Random("again")
    rules = Rules.parse("2D +21+3(9) +BUST(2/2/4/12/50/250) +S7(5000/500/100/50/3)")
    for _ in range(30):
        cards = rng.sample([*DECK, *DECK], 60)
        heard, state = record(rules, cards, ["10 bust 2 21+3 1"])
        dealt = next(event for event in heard if isinstance(event, events.RoundStarted))
        assert str(dealt.bets[0]) == "10 21+3 1 bust 2", "in the order of the house"
        actions = tuple(event.action for event in heard if isinstance(event, events.Acted))
        again = RoundRecord(
            rules=rules, bets=dealt.bets, source=CardList(tuple(cards)), actions=actions
        )
        assert (again.result.net, again.result.side) == (state.net, state.side.results)


def test_a_plain_house_has_no_trace_of_side_bets():
    record_of = RoundRecord(rules=Rules(), bets=(Fraction(10),), source=None)
    assert record_of.bets == (Wager(Fraction(10)),)
    _, result = play("6D", "10", "8D 7S 6H TC 9", "stand")
    assert result.side == ()


def pair_up(cards, spots):
    """Put a card of the same rank second at every spot, in the order of the opening deal."""
    for spot in range(spots):
        second = spots + 1 + spot
        other = next(at for at in range(40, 104) if cards[at].rank == cards[spot].rank)
        cards[second], cards[other] = cards[other], cards[second]


@pytest.mark.parametrize("hole_card", ["peek", "no-peek", "none"])
@pytest.mark.parametrize("spots", [1, 2])
def test_bets_are_settled_by_the_cards_as_they_were_dealt_though_hands_are_split(hole_card, spots):
    rng = random.Random(f"pairs {hole_card} {spots}")
    after_splits = 0
    for number in range(20):
        bets = {bet.code: bet for bet in rng.sample(PLACED, 8)}
        rules = Rules(decks=2, hole_card=hole_card, side_bets=tuple(bets.values()))
        cards = rng.sample([*DECK, *DECK], 104)
        if number % 2:  # behind these, bets wait for the second card
            cards[spots] = next(card for card in cards[50:] if card.rank in (1, 10))
        pair_up(cards, spots)
        table, heard = Table(rules, ScriptedShoe(cards)), []
        table.listeners.append(heard.append)
        stakes = tuple((code, Fraction(1)) for code in bets)
        state = table.start([Wager(Fraction(10), stakes)] * spots)
        while not state.is_over:
            splits = Action.SPLIT in table.legal_actions()
            state = table.act(Action.SPLIT if splits else choose(table.view(), state.legal))
        dealt = 2 * spots + (1 if hole_card == "none" else 2)
        named = {"upcard": cards[spots]} | dict(zip(["next1"], cards[dealt:], strict=False))
        if len(state.dealer) > 1:
            named["hole"] = state.dealer[1]
        has_natural = {card.rank for card in state.dealer[:2]} == {1, 10}
        assert len(state.side.results) == len(bets) * spots
        for one in state.side.results:
            bet = bets[one.code]
            mine = {"player1": cards[one.spot], "player2": cards[spots + 1 + one.spot]}
            looked = state.dealer if bet.is_on_dealer else [(named | mine)[x] for x in bet.names]
            rows = bet.find_rows(looked, has_natural=has_natural)
            assert (one.row, one.net) == (bet.name_rows(rows), bet.pays(rows)), (bet.name, looked)
        split = [getattr(event, "action", None) for event in heard]
        if Action.SPLIT in split:
            later = heard[split.index(Action.SPLIT) :]
            after_splits += sum(isinstance(event, events.SideBetSettled) for event in later)
    assert after_splits > 10

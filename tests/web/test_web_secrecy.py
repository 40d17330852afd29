"""Two worlds with the same visible cards: every byte of the server is the same until the reveal."""

import random

import pytest
from table_client import HTML, JSON, PARTS, TableClient, run_site

from upcard.core.cards import ACE, TEN
from upcard.fair.seeds import shoe_key
from upcard.rules.deck import DECK_SIZE, full_shoe
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.services import open_tables
from upcard.services.open_seat import OpenSeat
from upcard.session.choice import drop_counting
from upcard.session.plan import TablePlan
from upcard.store.database import open_store
from upcard.table.shoe import ScriptedShoe
from upcard.web.table import page as pages

MOST_QUESTIONS = 4
"""Of a round that is watched."""


@pytest.fixture(autouse=True)
def same_in_both_worlds(monkeypatch):
    """Names of tables are random, and the coach may be quick or slow; here neither is."""
    monkeypatch.setattr(open_tables.secrets, "token_urlsafe", lambda _: "same")
    monkeypatch.setattr(pages, "_SOON_SECONDS", 60.0)


class World:
    """One round from known cards, as far as its questions go."""

    def __init__(self, cards, rules, *, hands, voice, questions=MOST_QUESTIONS, has_coach=True):
        self.responses = []
        """All responses of the server, a list for each question."""
        self.dealt = []
        """How many cards were dealt by each question."""
        self.hole = None
        """The place of the hole card among the cards."""
        shoe = ScriptedShoe(cards)
        with run_site(has_coach=has_coach) as client:
            client.site.tables.make_shoe = lambda _: shoe
            plan = TablePlan(rules=Rules.parse(rules), count="hi-lo:1")
            # Hi-Lo is for decks with tens.
            count = drop_counting(plan).count if plan.rules.deck_size == DECK_SIZE else ""
            form = {"rules": rules, "coach": voice, "hands": str(hands), "count": count}
            player = TableClient(client, bet="1", **form)
            answers = [player.post("bet", bet="1")]
            player.look()
            while player.asked and len(self.responses) < questions:
                self.responses.append([*answers, *self.look_around(client, player)])
                self.dealt.append(shoe.position)
                self.find_hole(client, player, cards)
                options = list(player.asked)
                action = random.Random(len(self.dealt)).choice(options)
                answers = [player.post("act", headers, do=action) for headers in (JSON, HTML)]
                player.look()

    def look_around(self, client, player):
        """Ask for everything that the table shows, and for what it refuses."""
        asked = [client.get(player.path, headers=headers) for headers in (HTML, JSON, PARTS)]
        asked += [client.get(player.path + path, headers=JSON) for path in ("/coach", "/why")]
        asked += [player.post("act", headers, do="jump") for headers in (JSON, HTML)]
        asked.append(player.post("count", count="0"))
        return [*asked, player.post("act", v=-1)]

    def find_hole(self, client, player, cards):
        shown = player.session["dealer"]["cards"]
        if None in shown:
            (one,) = client.site.tables._seats.values()
            dealer = one.session.state.dealer
            self.hole = cards.index(dealer[shown.index(None)])

    def bytes_of(self, question):
        return [
            (answer.status_code, sorted(answer.headers.items()), answer.content)
            for answer in self.responses[question]
        ]


def compare_two_worlds(rng, rules, **options):
    """Play a round, change what is hidden at one of its questions, and compare all until then."""
    deck = full_shoe(1, Rules.parse(rules).deck_size).cards
    while True:
        cards = [*rng.sample(deck, len(deck)), *rng.sample(deck, len(deck))]
        first = World(cards, rules, **options)
        if first.dealt:
            break
    last = rng.randrange(len(first.dealt))
    other = [*cards[: first.dealt[last]], *rng.sample(deck, len(deck)), *deck][: len(cards)]
    if first.hole is not None:
        # Never a natural: it would end the round, or already have.
        plain = [card for card in deck if card.rank not in (ACE, TEN)]
        other[first.hole] = rng.choice([card for card in plain if card != cards[first.hole]])
    second = World(other, rules, questions=last + 1, **options)
    assert len(second.dealt) == last + 1
    for question in range(last + 1):
        assert first.bytes_of(question) == second.bytes_of(question)


def test_no_byte_depends_on_the_hole_card_or_on_the_cards_to_come():
    rng = random.Random("two worlds")
    for _ in range(2):
        compare_two_worlds(rng, "INF", hands=1, voice="before")


def test_the_comparison_of_two_worlds_sees_a_leak(monkeypatch):
    seen = OpenSeat.place

    def leak(self, text, side):
        seen(self, text, side)
        self.said.append(str(self.session.state.dealer))

    monkeypatch.setattr(OpenSeat, "place", leak)
    rng = random.Random("a leak")
    with pytest.raises(AssertionError):
        compare_two_worlds(rng, "INF", hands=1, voice="silent", has_coach=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", house_names())
def test_no_byte_depends_on_a_hidden_card_in_any_house(name):
    rng = random.Random(f"two worlds {name}")
    rules = load_house(name).rules
    hands = range(rules.min_spots, max(rules.min_spots, min(rules.max_spots, 3)) + 1)
    for number in range(8):
        voice = ("before", "after")[number % 2]
        compare_two_worlds(rng, name, hands=hands[number % len(hands)], voice=voice)


def test_a_saved_table_sends_no_secret_of_a_shoe_before_its_end(tmp_path):
    """A mutation put the shoe's key into `fair.next_player_seed`, and no test noticed."""
    with open_store(tmp_path / "upcard.db") as store, run_site(store=store) as client:
        sent = []
        client.event_hooks["response"].append(lambda answer: sent.append((answer, answer.read())))
        player = TableClient(client, bet="1", keep="saved")
        player.move("seed", text="mine")
        for text in ("theirs", "", "ours"):
            player.bet("1")
            client.get(player.path, headers=HTML)
            while player.asked:
                player.stand()
            player.move("seed", text=text)
        for page in ("/history", "/history/1", "/history.jsonl"):
            for headers in (JSON, HTML):
                client.get(page, headers=headers)
        (row,) = store.rows("SELECT server_seed, chain_seed, player_seed FROM shoes")
        seed, chain, player_seed = row
        key = shoe_key(bytes.fromhex(seed), player_seed).hex()
        assert len(sent) > 20
        for secret in (seed, chain, key):
            for answer, body in sent:
                assert secret.encode() not in body, answer.url
                assert secret not in str(answer.headers)
        player.move("end-shoe")
        assert seed in str(player.view["fair"]["reveals"])

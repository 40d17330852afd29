"""The fair shuffle: fixed vectors, two programs held against each other, and the shoe's life."""

import ast
import hashlib
import hmac
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import EmptyShoeError, NotationError, Rules
from upcard.core.cards import DECK
from upcard.table import Table, fair, verify_shuffle
from upcard.table.fair import FairnessError, FairShoe, KeyedShoe, Place, Reveal, Stream, commit

SCRIPT = Path(verify_shuffle.__file__)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "fair-shuffle.md"
SEED = bytes(range(32))
# The bytes below were worked out with OpenSSL's command line as well; see docs/fair-shuffle.md.
COMMITMENT = "ced734de1c1df6e1008b8a6737a5486f23c557134db6b27074bc35796081f921"
KEYS = {
    "": "3b7df89f4fccec47f849822501bfc345",
    "lucky seven ♣": "b2fc258a5ad20d6296e9726063239796",
}
STREAM = "395f668e4f040b472dd75150a042c0367f454e87db7a9aae0020f114a337be5e"
# Rules, player's seed, place and the cards dealt from there.
DEALS = [
    ("6D", "", Place(0, 0), "5D 8H 9D 7S QS 3D 3D KC 5S AH TD 8H"),
    ("1D", "", Place(0, 0), "TH 6S 9C 4C 5H AS KD TC JH 3S 5S 6C"),
    ("1D CSM", "", Place(1, 0), "4H 3D JS QH QC 2C AD 2D TH TC 6S KS"),
    ("INF", "", Place(0, 0), "7C 5H 8H 6D JH 7D 8S KD 6C 8H 2S QC"),
    ("1D PEN100", "", Place(0, 40), "JD 3C QH 2D 9S 4S JS 8C 3D AH KC QS 8S 3H 5C 7S JH 6D KD 4C"),
    ("6D", "lucky seven ♣", Place(0, 0), "5H 3D 3S 2D 5D 8S 3C 2H JD 3D QD QH"),
]


def deal(shoe, count):
    return [str(shoe.draw()) for _ in range(count)]


def keyed(notation, key=b"k" * 16, place=Place()):  # noqa: B008
    shoe = KeyedShoe(Rules.parse(notation), key, place)
    shoe.start_round()
    return shoe


def counted_seeds():
    number = iter(range(1, 1000))
    return lambda: next(number).to_bytes(32, "big")


class TestVectors:
    def test_the_commitment(self):
        assert str(commit(SEED)) == COMMITMENT

    @pytest.mark.parametrize(("player_seed", "key"), KEYS.items())
    def test_the_key(self, player_seed, key):
        assert Reveal(server_seed=SEED, player_seed=player_seed).key.hex() == key

    def test_the_first_block_of_the_stream(self):
        assert Stream(Reveal(server_seed=SEED).key, 0).take(32).hex() == STREAM

    @pytest.mark.parametrize(("notation", "player_seed", "place", "cards"), DEALS)
    def test_the_cards(self, notation, player_seed, place, cards):
        key = Reveal(server_seed=SEED, player_seed=player_seed).key
        assert " ".join(deal(keyed(notation, key, place), len(cards.split()))) == cards


seeds = st.binary(min_size=32, max_size=32)
player_seeds = st.text(st.characters(exclude_categories=("C", "Z")), max_size=16)


@given(seeds, player_seeds, st.integers(1, 8), st.integers(0, 2**32 - 1), st.data())
def test_both_programs_deal_the_same_cards(server_seed, player_seed, decks, shuffle, data):
    reveal = Reveal(server_seed=server_seed, player_seed=player_seed)
    assert str(reveal.commitment) == verify_shuffle.commitment_of(server_seed)
    key = verify_shuffle.key_of(server_seed, player_seed)
    assert reveal.key == key
    dealt = data.draw(st.integers(0, decks * 52 - 1))
    shoe = keyed(f"{decks}D PEN100", key, Place(shuffle, dealt))
    # All that can be dealt from there: what is left, then the discards once more.
    cards = deal(shoe, decks * 52)
    assert cards == verify_shuffle.deal_round(key, decks, shuffle, dealt, decks * 52)
    assert Counter(cards) == Counter(map(str, DECK * decks))


@given(seeds, st.fractions(0, 1), st.integers(0, 2**32 - 1))
def test_both_programs_deal_the_same_infinite_deck(server_seed, tens, shuffle):
    key = verify_shuffle.key_of(server_seed, "")
    shoe = KeyedShoe(Rules(decks=None, ten_probability=tens), key, Place(shuffle))
    shoe.start_round()
    assert deal(shoe, 30) == verify_shuffle.deal_infinite(key, tens, shuffle, 30)
    assert shoe.cards_left is None


@given(st.binary(min_size=16, max_size=16), st.lists(st.integers(1, 2**80), min_size=1))
def test_both_programs_draw_the_same_numbers(key, limits):
    stream, other = Stream(key, 7, 1), verify_shuffle.keystream(key, 7, 1)
    for limit in limits:
        drawn = stream.below(limit)
        assert 0 <= drawn < limit
        assert drawn == verify_shuffle.pick(other, limit)


def test_a_draw_that_would_favour_some_numbers_is_thrown_away():
    class Fixed(Stream):
        def take(self, count):
            return self.given.pop(0)

    stream = Fixed(b"", 0)
    # 2**32 = 3 * 1431655765 + 1: the last number of four bytes is one too many.
    stream.given = [b"\xff\xff\xff\xff", b"\xff\xff\xff\xfe"]
    assert stream.below(3) == 2
    assert stream.given == []


def test_the_stream_is_the_one_the_page_describes():
    key, label = b"k" * 16, (5).to_bytes(4, "big") + (1).to_bytes(4, "big")
    blocks = [hmac.new(key, label + n.to_bytes(4, "big"), hashlib.sha256).digest() for n in (0, 1)]
    stream = Stream(key, 5, 1)
    assert stream.take(40) + stream.take(24) == b"".join(blocks)


def test_every_card_is_as_likely_in_every_place():
    first, last = Counter(), Counter()
    for number in range(5200):
        cards = verify_shuffle.order_of(b"a key of a test.", 1, number)
        first[cards[0]] += 1
        last[cards[-1]] += 1
    for counts in (first, last):
        # chi-square with 51 degrees of freedom exceeds 100 once in 25,000 shuffles of this size
        assert sum((counts[str(card)] - 100) ** 2 / 100 for card in DECK) < 100


class TestSeeds:
    def test_another_seed_does_not_fit(self):
        shown = commit(SEED)
        Reveal(server_seed=SEED).check(shown)
        with pytest.raises(FairnessError, match="not the seed committed to"):
            Reveal(server_seed=bytes(32)).check(shown)

    @pytest.mark.parametrize("text", ["a\nb", "\x00", "\ud800", "x" * 65, "♣" * 22])
    def test_a_player_seed_that_cannot_be_written_is_refused(self, text):
        with pytest.raises(NotationError, match="player seed"):
            FairShoe(Rules.parse("6D"), player_seed=text)

    @pytest.mark.parametrize("text", ["", "00", "g" * 64, "0 " * 32, "00" * 33])
    def test_a_commitment_is_64_digits(self, text):
        with pytest.raises(NotationError, match="64 hexadecimal digits"):
            fair.Commitment.parse(text)

    def test_the_player_seed_changes_the_cards(self):
        keys = {Reveal(server_seed=SEED, player_seed=text).key for text in ("", "a", "b")}
        assert len(keys) == 3

    def test_two_shoes_of_the_system_differ(self):
        assert FairShoe(Rules.parse("6D")).commitment != FairShoe(Rules.parse("6D")).commitment


class TestKeyedShoe:
    def test_it_goes_on_from_any_round(self):
        whole = keyed("2D PEN90")
        cards = deal(whole, 60)
        assert whole.next_place == Place(0, 60)
        assert deal(keyed("2D PEN90", place=Place(0, 60)), 10) == deal(whole, 10)
        assert cards != deal(keyed("2D PEN90", place=Place(1, 0)), 60)

    def test_the_cut_card_brings_another_shuffle(self):
        shoe = keyed("1D PEN50")
        deal(shoe, 25)
        assert not shoe.start_round()
        deal(shoe, 1)
        assert shoe.is_used_up
        assert shoe.start_round()
        assert shoe.place == Place(1, 0)
        assert shoe.cards_left == 52

    @pytest.mark.parametrize("notation", ["1D CSM", "INF"])
    def test_a_fresh_shuffle_a_round(self, notation):
        shoe = keyed(notation)
        rounds = [deal(shoe, 5)]
        for number in (1, 2):
            shoe.start_round()
            assert shoe.place == Place(number, 0)
            rounds.append(deal(shoe, 5))
        assert len({tuple(cards) for cards in rounds}) == 3

    def test_discards_come_back_when_a_shoe_runs_out(self):
        shoe = keyed("1D PEN100")
        discards = deal(shoe, 40)
        assert not shoe.start_round()
        on_table = deal(shoe, 12)
        again = deal(shoe, 40)
        assert Counter(again) == Counter(discards)
        assert again != discards
        with pytest.raises(EmptyShoeError, match="all 52 cards lie on the table"):
            shoe.draw()
        assert shoe.is_used_up
        assert on_table + again == deal(keyed("1D PEN100", place=Place(0, 40)), 52)

    def test_a_round_that_needs_every_card_is_void(self):
        shoe = keyed("1D")
        deal(shoe, 52)
        with pytest.raises(EmptyShoeError, match="all 52 cards lie on the table"):
            shoe.draw()

    @pytest.mark.parametrize(
        ("notation", "place"),
        [
            ("1D PEN50", Place(0, 26)),
            ("1D", Place(0, -1)),
            ("1D CSM", Place(0, 1)),
            ("INF", Place(0, 1)),
            ("INF", Place(2**32, 0)),
            ("1D", Place(-1, 0)),
        ],
    )
    def test_a_place_where_no_round_begins_is_refused(self, notation, place):
        with pytest.raises(NotationError, match="no round begins at card"):
            keyed(notation, place=place)


class TestFairShoe:
    def test_a_shoe_is_revealed_when_its_cut_card_has_come_out(self):
        shoe = FairShoe(Rules.parse("1D PEN50"), seeds=counted_seeds())
        shown, following = shoe.commitment, shoe.next_commitment
        assert shoe.start_round()
        first = deal(shoe, 26)
        assert shoe.is_over
        assert shoe.reveals == []
        assert shoe.start_round()
        (reveal,) = shoe.reveals
        reveal.check(shown)
        assert first == deal(keyed("1D PEN50", reveal.key), 26)
        assert shoe.commitment == following

    def test_a_player_seed_counts_from_the_next_shoe_on_once_a_round_has_begun(self):
        shoe = FairShoe(Rules.parse("1D"), seeds=counted_seeds())
        shoe.add_player_seed("mine")
        assert shoe.player_seed == "mine"
        shoe.start_round()
        shoe.add_player_seed("later")
        assert (shoe.player_seed, shoe.next_player_seed) == ("mine", "later")
        assert shoe.end_shoe().player_seed == "mine"
        assert shoe.player_seed == "later"

    def test_csm_keeps_its_seed_until_the_shoe_is_ended(self):
        shoe = FairShoe(Rules.parse("1D CSM"), seeds=counted_seeds())
        shown = shoe.commitment
        for number in range(3):
            assert shoe.start_round()
            assert shoe.place == Place(number, 0)
            deal(shoe, 5)
        assert shoe.commitment == shown
        shoe.end_shoe().check(shown)
        shoe.start_round()
        assert shoe.place == Place(0, 0)

    @pytest.mark.parametrize("notation", ["1D PEN50", "2D CSM", "INF"])
    def test_it_can_be_made_once_more_before_any_round(self, notation):
        rules = Rules.parse(notation)
        shoe = FairShoe(rules, player_seed="a", seeds=counted_seeds())
        for count in (5, 20, 9, 5):
            state = shoe.prepare_round()
            assert state == shoe.prepare_round()
            shoe.start_round()
            again = FairShoe.restore(rules, state)
            again.start_round()
            assert deal(again, count) == deal(shoe, count)
            assert again.commitment == shoe.commitment
            assert again.next_commitment == shoe.next_commitment

    def test_a_table_plays_with_it(self):
        rules = Rules.parse("1D CSM")
        table = Table(rules, FairShoe(rules, seeds=counted_seeds()))
        for _ in range(20):
            state = table.start([1])
            while not state.is_over:
                state = table.act(state.legal[-1])


def reveal_file(tmp_path, **changes):
    """Write the reveal of a shoe of two rounds, perhaps changed."""
    key = verify_shuffle.key_of(SEED, "me")
    order = verify_shuffle.order_of(key, 1, 0)
    document = {
        "method": "upcard-shuffle-1",
        "commitment": COMMITMENT,
        "server_seed": SEED.hex(),
        "player_seed": "me",
        "rules": "1D",
        "decks": 1,
        "ten_probability": "4/13",
        "shuffle": "cut-card",
        "penetration": "3/4",
        "rounds": [
            {"shuffle": 0, "dealt": 0, "cards": " ".join(order[:6])},
            {"shuffle": 0, "dealt": 6, "cards": " ".join(order[6:11])},
        ],
    }
    path = tmp_path / "reveal.json"
    path.write_text(json.dumps(document | changes), encoding="utf-8")
    return str(path)


class TestScript:
    def test_it_imports_the_standard_library_only(self):
        tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
        named = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = {
            name.split(".")[0]
            for node in named
            for name in (
                [node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names]
            )
        }
        assert modules <= set(sys.stdlib_module_names)
        assert "upcard" not in modules

    def test_it_runs_by_itself_away_from_everything(self, tmp_path):
        path = reveal_file(tmp_path)
        copy = tmp_path / "check.py"
        copy.write_bytes(SCRIPT.read_bytes())
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(copy), path],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "Everything fits: the commitment and the cards of 2 rounds.\n"

    @pytest.mark.parametrize(
        ("changes", "code", "text"),
        [
            ({"commitment": "0" * 64}, 1, "the commitment of this server seed is"),
            ({"player_seed": "you"}, 1, "round 1, card 1"),
            ({"method": "another"}, 1, "this program knows"),
            ({"rounds": [{"shuffle": 0, "dealt": 1, "cards": "AC"}]}, 1, "a gap"),
            ({"penetration": "1/10"}, 1, "after the cut card"),
            ({"server_seed": "00"}, 2, ""),
            ({"rounds": 5}, 2, ""),
            ({"decks": None, "ten_probability": "x"}, 2, ""),
        ],
    )
    def test_it_finds_what_does_not_fit(self, tmp_path, capsys, changes, code, text):
        assert verify_shuffle.main([reveal_file(tmp_path, **changes)]) == code
        out, err = capsys.readouterr()
        assert text in out
        assert bool(err) == (code == 2)

    def test_it_prints_an_order_from_seeds(self, capsys):
        code = verify_shuffle.main(
            ["--server-seed", SEED.hex(), "--commitment", COMMITMENT, "--decks", "1"]
        )
        assert code == 0
        first, order = capsys.readouterr().out.splitlines()
        assert first == "The commitment fits."
        assert order.split() == deal(keyed("1D", Reveal(server_seed=SEED).key), 52)

    def test_a_round_of_csm_follows_the_one_before_it(self, tmp_path):
        key = verify_shuffle.key_of(SEED, "me")
        rounds = [
            {
                "shuffle": number,
                "dealt": 0,
                "cards": " ".join(verify_shuffle.deal_infinite(key, Fraction(4, 13), number, 5)),
            }
            for number in range(3)
        ]
        given = {"decks": None, "shuffle": "every-round"}
        assert verify_shuffle.main([reveal_file(tmp_path, **given, rounds=rounds)]) == 0
        assert verify_shuffle.main([reveal_file(tmp_path, **given, rounds=rounds[1:])]) == 1


def test_the_page_has_these_vectors():
    text = PAGE.read_text(encoding="utf-8")
    for value in (SEED.hex(), COMMITMENT, STREAM, *KEYS.values(), *(deal[3] for deal in DEALS)):
        assert value in text

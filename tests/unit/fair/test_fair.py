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
from upcard.fair import fair_shoe as shoe
from upcard.fair import verify_shuffle
from upcard.fair.fair_shoe import FairShoe, KeyedShoe, Place
from upcard.fair.seeds import METHOD, FairnessError, Reveal, Stream
from upcard.table import Table

SCRIPT = Path(verify_shuffle.__file__)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "fair-shuffle.md"
SEED = bytes(range(32))
RULES = "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2"
# The bytes below were worked out with OpenSSL's command line as well; see docs/fair-shuffle.md.
COMMITMENTS = {
    1: "57b6788ae138bb64054c95125ef7dd56bc457cb0d76edfbd648e145a58d459cf",
    2: "a70e161a74b74e8ff1477b133bd1efe9234d4756a49e3da07dc18db767358d23",
    3: "910ede2e109564bb4b1f7f3231338339abd34d807b4d36fea811df48c6b2d62f",
}
COMMITMENT_1D = "050f0dc845d9099c5ed0c5685664362780615b50e0161c6f33ecef89c69336d5"
KEYS = {
    "": "7b5067e145da97f2f195d63a2ae1fdf9",
    "lucky seven ♣": "3d8541fdba44b72f8ad46769d9b925a9",
}
STREAM = "dffc255f1b92b44915b1cab36e6dbf8fd559f95693d1fc67b73d97d6887f575d"
# Rules, player's seed, place and the cards dealt from there.
DEALS = [
    ("6D", "", Place(0, 0), "AS 5C QD JH TD KS JS 2S 6D 5C JC 9S"),
    ("1D", "", Place(0, 0), "2D 6S 7H QC QS 6H 4H 3C 2H KS 5H TS 2C"),
    ("1D CSM", "", Place(1, 0), "9H AC 7S 9S 5D 3C AD 2D AH QD KD TC"),
    ("INF", "", Place(0, 0), "JS 2S JD 3D 7C 3S 5H 8C 5H AS 7C 8H"),
    (
        *("1D PEN100", "", Place(0, 40)),
        "TH KH 3S AD 9C 4D 5C TD 7S JS 6D 4C 9H 5D 2S 7C 8C TC 6S QH",
    ),
    ("6D", "lucky seven ♣", Place(0, 0), "QD QC 4S QS 2H 3C TC 5H 2S 6S TC 2S"),
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
    @pytest.mark.parametrize(("number", "commitment"), COMMITMENTS.items())
    def test_the_commitment(self, number, commitment):
        reveal = Reveal(server_seed=SEED, number=number, rules=RULES)
        assert str(reveal.commitment) == commitment

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


@given(seeds, st.integers(1, 40), st.text(st.characters(exclude_categories=("C",))))
def test_both_programs_work_out_the_same_commitment(server_seed, number, rules):
    reveal = Reveal(server_seed=server_seed, number=number, rules=rules)
    assert str(reveal.commitment) == verify_shuffle.commitment_of(server_seed, number, rules)


@given(
    seeds,
    player_seeds,
    st.sampled_from([f"{decks}D{short}" for decks in range(1, 9) for short in ("", "48")]),
    st.integers(0, 2**32 - 1),
    st.data(),
)
def test_both_programs_deal_the_same_cards(server_seed, player_seed, name, shuffle, data):
    reveal = Reveal(server_seed=server_seed, player_seed=player_seed)
    key = verify_shuffle.key_of(server_seed, player_seed)
    assert reveal.key == key
    decks, is_short = int(name[0]), name.endswith("48")
    size = decks * (48 if is_short else 52)
    dealt = data.draw(st.integers(0, size - 1))
    shoe = keyed(f"{name} PEN100", key, Place(shuffle, dealt))
    # All that can be dealt from there: what is left, then the discards once more.
    cards = deal(shoe, size)
    assert cards == verify_shuffle.deal_round(key, name, shuffle, dealt, size)
    of_deck = [str(card) for card in DECK if not is_short or card.face != "T"]
    assert Counter(cards) == Counter(of_deck * decks)


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


@pytest.mark.slow
def test_every_card_is_as_likely_in_every_place():
    first, last = Counter(), Counter()
    for number in range(5200):
        cards = verify_shuffle.order_of(b"a key of a test.", "1D", number)
        first[cards[0]] += 1
        last[cards[-1]] += 1
    for counts in (first, last):
        # chi-square with 51 degrees of freedom exceeds 100 once in 25,000 shuffles of this size
        assert sum((counts[str(card)] - 100) ** 2 / 100 for card in DECK) < 100


class TestSeeds:
    def test_another_seed_does_not_fit(self):
        shown = Reveal(server_seed=SEED).commitment
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
            shoe.Commitment.parse(text)

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
        with pytest.raises(EmptyShoeError, match="all 52 cards are on the table"):
            shoe.draw()
        assert shoe.is_used_up
        assert on_table + again == deal(keyed("1D PEN100", place=Place(0, 40)), 52)

    def test_a_round_that_needs_every_card_is_void(self):
        shoe = keyed("1D")
        deal(shoe, 52)
        with pytest.raises(EmptyShoeError, match="all 52 cards are on the table"):
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
        assert shoe.commitment == following == shown
        assert (reveal.number, shoe.number) == (1, 2)

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
            again = state.make_shoe(rules)
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
    order = verify_shuffle.order_of(key, "1D", 0)
    document = {
        "method": METHOD,
        "commitment": COMMITMENT_1D,
        "number": 1,
        "server_seed": SEED.hex(),
        "player_seed": "me",
        "rules": "1D S17 PEEK DOA DAS SP4 NRSA NS 3:2",
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
            ({"number": 2}, 1, "the commitment of this server seed is"),
            ({"rules": "1D S17 LS"}, 1, "the commitment of this server seed is"),
            ({"rules": "2D"}, 1, "decks is 1 in the file, and 2 by its rules"),
            ({"rules": "1D PEN50"}, 1, "penetration is 3/4 in the file, and 1/2 by its rules"),
            ({"rules": "1D CSM"}, 1, "shuffle is cut-card in the file, and every-round by its"),
            ({"rules": "INF"}, 1, "decks is 1 in the file, and None by its rules"),
            ({"rounds": [{"shuffle": 0, "dealt": 1, "cards": "AC"}]}, 1, "a gap"),
            ({"penetration": "1/10"}, 1, "penetration is 1/10 in the file"),
            ({"decks": 10**12}, 1, "decks is 1000000000000 in the file"),
            ({"method": "upcard-shuffle-1"}, 2, ""),
            ({"server_seed": "00"}, 2, ""),
            ({"rounds": 5}, 2, ""),
            ({"rounds": [{"shuffle": 0, "dealt": 0, "cards": "AC " * 1001}]}, 2, ""),
            ({"rounds": [{"shuffle": "0", "dealt": 0, "cards": "AC"}]}, 2, ""),
            ({"ten_probability": "x"}, 2, ""),
            ({"penetration": "1/0"}, 2, ""),
            ({"penetration": "1e999999999"}, 2, ""),
            ({"rules": "1D penetration=1e999999999"}, 2, ""),
            ({"rules": "S17"}, 2, ""),
            ({"rules": 7}, 2, ""),
            ({"number": 0}, 2, ""),
            ({"number": 10**12}, 2, ""),
            ({"number": True}, 2, ""),
            ({"player_seed": "\ud800"}, 2, ""),
        ],
    )
    def test_it_finds_what_does_not_fit(self, tmp_path, capsys, changes, code, text):
        assert verify_shuffle.main([reveal_file(tmp_path, **changes)]) == code
        out, err = capsys.readouterr()
        assert text in out
        assert bool(err) == (code == 2)

    def test_it_prints_an_order_from_seeds(self, capsys):
        given = ["--server-seed", SEED.hex(), "--commitment"]
        rules = "1D S17 PEEK DOA DAS SP4 NRSA NS 3:2"
        assert verify_shuffle.main([*given, COMMITMENT_1D, "--rules", rules]) == 0
        first, order = capsys.readouterr().out.splitlines()
        assert first == "The commitment fits."
        key = Reveal(server_seed=SEED).key
        assert order.split() == deal(keyed("1D", key), 52)

    def test_a_commitment_is_checked_with_its_rules_and_number_only(self, capsys):
        given = ["--server-seed", SEED.hex(), "--commitment", COMMITMENTS[2], "--rules", RULES]
        assert verify_shuffle.main([*given, "--number", "2"]) == 0
        assert verify_shuffle.main(given) == 1
        assert verify_shuffle.main(given[:-2]) == 2
        assert "give --rules" in capsys.readouterr().err

    @pytest.mark.parametrize("text", ["[" * 200_000, "9" * 5000, "[]", "7", "{", "\x00"])
    def test_what_is_no_reveal_file_is_not_what_does_not_fit(self, tmp_path, capsys, text):
        """S4.9: a traceback exits with 1, which is "does not fit"."""
        path = tmp_path / "reveal.json"
        path.write_text(text, encoding="utf-8")
        assert verify_shuffle.main([str(path)]) == 2
        assert capsys.readouterr().err.startswith("verify_shuffle: cannot read the input: ")

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
        rules = "INF S17 PEEK DOA DAS SP4 NRSA NS 3:2"
        commitment = verify_shuffle.commitment_of(SEED, 1, rules)
        given = {"decks": None, "shuffle": "every-round", "rules": rules, "commitment": commitment}
        assert verify_shuffle.main([reveal_file(tmp_path, **given, rounds=rounds)]) == 0
        assert verify_shuffle.main([reveal_file(tmp_path, **given, rounds=rounds[1:])]) == 1


def test_the_page_has_these_vectors():
    text = PAGE.read_text(encoding="utf-8")
    for value in (SEED.hex(), COMMITMENT_1D, RULES, *COMMITMENTS.values()):
        assert value in text
    for value in (STREAM, *KEYS.values(), *(cards for *_, cards in DEALS)):
        assert value in text

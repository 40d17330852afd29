"""Side bets in files and in notation: words, faults with their lines, tokens."""

import base64
import json
import random
import tracemalloc
import zlib
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from string import ascii_letters

import pytest

from upcard.core.cards import Card, parse_cards
from upcard.core.errors import RulesError
from upcard.core.numbers import format_chips
from upcard.rules.describe import describe_rules
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import (
    load_side_bet,
    read_side_bet,
    shipped_side_bets,
)
from upcard.rules.side_bets import (
    MOST_LETTERS,
    MOST_WRITTEN,
    PayRow,
    as_written,
    hand_total,
    write_whole,
)

LOOKED = ("player1", "player2", "upcard")
THREE = 'cards = ["player1", "player2", "upcard"]'
DEALER = 'cards = ["dealer"]'


def read(row, cards=THREE, more=""):
    text = (
        f'title = "A test"\nsource = "Here."\n{cards}\n{more}\n'
        f'win = [\n  {{name = "row", {row}, pays = 2}},\n]\n'
    )
    return read_side_bet(text, name="test", where="test.toml")


def fits(row, cards, dealt=THREE, *, natural=False):
    return read(row, dealt).find_rows(parse_cards(cards), has_natural=natural) == (0,)


@pytest.mark.parametrize(
    ("row", "yes", "no"),
    [
        ("same_rank = 3", "KH KS KH", "KH QS KH"),
        ("same_rank = 2", "KH 3S KD", "KH QS JH"),
        ("same_value = 3", "KH QS TD", "KH QS 9D"),
        ("same_suit = 3", "KH 3H 9H", "KH 3H 9D"),
        ("same_suit = 2", "KH 3S 9H", "KH 3S 9D"),
        ("same_colour = 3", "KH 3D 9H", "KH 3D 9C"),
        ("run = 3", "AH 3D 2H", "KH AD 2C"),
        ("run = 3", "QH AD KH", "JH AD KC"),
        ("run = 3, same_suit = 3", "5H 4H 6H", "5H 4H 6D"),
        ("run = 2", "9H 3D 2H", "9H 3D 5C"),
        ("run = 2", "AH 9D 2H", "AH 9D 3H"),  # an ace is low
        ("run = 2", "AH 9D KC", "AH 9D QC"),  # and high
        ("run = 2, same_suit = 2", "9H 3H 2H", "9D 3H 2D"),
        ("run = 2, same_suit = 3", "9H 3H 2H", "9D 3H 2H"),
        ("run = 2, same_colour = 2", "9C 3H 2D", "9H 3H 2C"),
        ('ranks = ["6", "7", "8"]', "8H 6D 7C", "8H 6D 6C"),
        ('ranks = ["T", "X", "A"]', "KH AD TC", "KH AD QC"),
        ('ranks = ["T", "X", "X"]', "TH KD TC", "KH JD QC"),
        ('exact = ["QH", "QH", "2C"]', "QH 2C QH", "QH 2C QD"),
        ("total = 21", "AH 5D 5C", "AH 5D 6C"),
        ('total = "19-21"', "AH 4D 4C", "AH 5D 2D"),
        ('total = "22+"', "KH 9D 3C", "KH 9D 2C"),
        ("total = 13, ace = 1", "AH 9D 3C", "AH AD AC"),
        ("between = 1", "5H 7D 6C", "5H 6D 7C"),
        ('between = "4+"', "8H AD 9C", "9H KD TC"),
    ],
)
def test_a_word_fits_what_it_says(row, yes, no):
    assert fits(row, yes)
    assert not fits(row, no)


@pytest.mark.parametrize("ranks", ["TXA", "TTX", "TXX", "JXX", "KQX", "7X7", "ATX", "XXX"])
def test_ranks_fit_in_whatever_order_they_and_the_cards_are_written(ranks):
    """`X` takes what the others leave: which cards fit is tried in every assignment."""
    for hand in combinations_with_replacement("7ATJQK", 3):
        wanted = any(
            all(one in "TJQK" if rank == "X" else one == rank for one, rank in pairs)
            for order in permutations(hand)
            for pairs in [list(zip(order, ranks, strict=True))]
        )
        for written in set(permutations(ranks)):
            row = PayRow(name="row", pays=Fraction(2), cards=LOOKED, words=(("ranks", written),))
            fits = row.make_test()
            found = {fits(parse_cards(" ".join(order))) for order in permutations(hand)}
            assert found == {wanted}, (hand, written)


@pytest.mark.parametrize(
    ("row", "yes", "no"),
    [
        ("size = 3", "KH 6D TC", "KH 9D"),
        ('size = "4+", total = "22+"', "2H 2D KC TC", "KH 6D TC"),
        ('last = "6", total = "22+"', "KH TD 6C", "KH 6D TC"),
        ('last = "X"', "9H 6D QC", "TH 6D 9C"),
        ('last = "T"', "9H 6D TC", "9H 6D QC"),
    ],
)
def test_words_about_the_dealers_hand(row, yes, no):
    assert fits(row, yes, DEALER)
    assert not fits(row, no, DEALER)


def test_naturals_cards_of_a_row_and_each_card():
    assert fits("same_rank = 2, dealer_natural = true", "KH KD 3C", natural=True)
    assert not fits("same_rank = 2, dealer_natural = true", "KH KD 3C")
    assert fits("same_rank = 2, dealer_natural = false", "KH KD 3C")
    own = 'ranks = ["7"], cards = ["player1"]'
    assert fits(own, "7H 2D 3C")
    assert not fits(own, "2H 7D 3C")
    each = read("same_rank = 2", 'cards = ["upcard"]', 'for_each = ["player1", "player2"]')
    assert [
        len(each.find_rows(parse_cards(cards))) for cards in ("7H 7D 7C", "7H 2D 7C", "7H 2D 3C")
    ] == [
        *(2, 1, 0),
    ]
    assert [each.pays(rows) for rows in ((0, 0), (0,), ())] == [4, 2, -1]
    assert hand_total(parse_cards("A A 9")) == 21


def test_pays_for_one_and_pushes():
    more = 'pays = "for one"'
    assert read("same_rank = 3", more=more).rows[0].pays == 1
    text = 'title="x"\nsource="x"\ncards=["player1"]\nwin=[{name="seven", ranks=["7"], push=true}]'
    bet = read_side_bet(text, name="x", where="x.toml")
    assert bet.pays(bet.find_rows([Card("7H")])) == 0


@pytest.mark.parametrize(
    ("row", "cards", "words"),
    [
        ("colour = 3", THREE, "line 6: row: unknown word 'colour'"),
        ("same_rank = 4", THREE, "from 2 to 3 of 3 cards"),
        ("run = 1", THREE, "from 2 to 3"),
        ("run = 4", THREE, "from 2 to 3"),
        ('ranks = ["6"]', THREE, "as many as the cards"),
        ('ranks = ["6", "7", "Z"]', THREE, "not a rank"),
        ('exact = ["Q", "QH", "QH"]', THREE, "cards with suits"),
        ('exact = ["ZZ", "QH", "QH"]', THREE, "unknown card"),
        ('total = "x"', THREE, "write 20, '19-21' or '22"),
        ("total = 50", THREE, "these cards have from 3 to 33"),
        ("between = 0", THREE, "from 1 to 11"),
        ("size = 3", THREE, "'size' is about the dealer's final hand"),
        ('last = "6"', THREE, "'last' is about the dealer's final hand"),
        ("ace = 1", THREE, "'ace' is about 'total'"),
        ("dealer_natural = 1", THREE, "true or false"),
        ('same_rank = 2, cards = ["hole", "upcard"]', THREE, "'hole' is not one of"),
        ("push = true", THREE, "has no 'pays'"),
        ("same_rank = 2", 'cards = ["dealer", "upcard"]', "looked at alone"),
        ("same_rank = 2", 'cards = ["player3"]', "line 3: 'cards': 'player3' is not one of"),
        (
            "same_rank = 2",
            'cards = ["upcard", "hole"]\nif_drawn = true',
            "line 4: 'if_drawn' is about",
        ),
        ("same_rank = 2", f"{THREE}\nodd = 1", "line 4: unknown key 'odd'"),
        ("same_rank = 2", f'{THREE}\npays = "in chips"', "'to one' or 'for one'"),
        ("same_rank = 2", f'{THREE}\nfor_each = ["player1"]', "is in cards too"),
        ("same_rank = 2", f'{THREE}\ncode = "7"', "not a number"),
        ("same_rank = 2", f"{THREE}\npublished = [{{edge = 3}}]", "'decks' or 'rules'"),
    ],
)
def test_a_fault_is_named_with_its_line(row, cards, words):
    with pytest.raises(RulesError, match=r"test\.toml, line \d+") as caught:
        read(row, cards)
    assert words in str(caught.value)


def test_all_faults_are_told_at_once_and_missing_keys_too():
    with pytest.raises(RulesError) as caught:
        read_side_bet('title = "x"\nodd = 1\n', name="x", where="x.toml")
    assert len(caught.value.faults) == 4
    assert "'win' is missing" in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "never"),
    [
        (["same_suit = 3", "run = 3, same_suit = 3"], "row 2"),
        (["same_value = 2", "same_rank = 2"], "row 2"),
        (["total = 20", 'total = "19-21"', "total = 21"], "row 3"),
    ],
)
def test_a_row_that_earlier_ones_always_take_is_refused(rows, never):
    written = ",\n".join(
        f'  {{name = "row {number}", {row}, pays = 2}}' for number, row in enumerate(rows, start=1)
    )
    text = f'title = "x"\nsource = "x"\n{THREE}\nwin = [\n{written}\n]\n'
    line = 4 + len(rows)
    with pytest.raises(RulesError, match=rf"x\.toml, line {line}: row '{never}' is never reached"):
        read_side_bet(text, name="x", where="x.toml")


def test_pays_below_zero_and_twice_the_same_name_are_refused():
    rows = 'win = [{name = "a", same_rank = 3, pays = -1},\n {name = "a", same_suit = 3, pays = 1}]'
    with pytest.raises(RulesError) as caught:
        read_side_bet(f'title = "x"\nsource = "x"\n{THREE}\n{rows}', name="x", where="x")
    assert "it pays -1 to one" in str(caught.value)
    assert "two rows are called 'a'" in str(caught.value)


@pytest.mark.parametrize("bet", shipped_side_bets(), ids=lambda bet: bet.name)
def test_a_shipped_bet_is_found_by_its_name_and_its_token(bet):
    assert load_side_bet(bet.name) is bet
    assert load_side_bet(bet.name.replace("-", " ").upper()) is bet
    assert load_side_bet(str(bet)) is bet
    assert load_side_bet(str(bet).removeprefix("+")) is bet
    assert bet.source
    if not bet.after:
        rules = Rules.parse(f"6D {bet}")
        assert rules.side_bets == (bet,)
        assert Rules.parse(str(rules)) == rules
        assert rules.main_game == Rules()


def test_a_file_is_read_and_written_whole_for_records(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = '[{name = "trips", same_rank = 3, pays = 50}]'
    text = f'title = "Mine"\nsource = "x"\n{THREE}\nwin = {rows}'
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    bet = load_side_bet("+mine.toml")
    assert str(bet) == "+mine.toml"
    whole = str(as_written(bet))
    (tmp_path / "mine.toml").unlink()
    assert load_side_bet(whole) == bet
    slips = (
        *(whole[:-cut] for cut in range(1, 12)),
        *(f"{whole}{more}" for more in ("AAAA", "=", "+", "/", "é")),
        *(f"{whole[:20]}{one}{whole[21:]}" for one in "+/ "),
    )
    for slip in slips:
        with pytest.raises(RulesError, match="is mistyped or not whole"):
            load_side_bet(slip)


def bet_of_length(length):
    """Return the text of a file whose bet takes this many characters in a record."""
    text = (
        'title = "{}"\nsource = "us"\ncards = ["player1"]\n'
        'win = [{{name = "seven", ranks = ["7"], pays = 11}}]\n'
    )
    short = read_side_bet(text.format("t"), name="long", where="long.toml")
    noise = random.Random(length).choices(ascii_letters, k=length - len(write_whole(short)) + 1)
    return text.format("".join(noise))


@pytest.mark.parametrize("length", [200, 2_000, MOST_WRITTEN - 1, MOST_WRITTEN])
def test_whatever_bet_a_file_can_have_is_read_again_from_its_token(length):
    bet = read_side_bet(bet_of_length(length), name="long", where="long.toml")
    assert len(write_whole(bet)) == length
    assert len(str(bet)) <= MOST_LETTERS
    again = load_side_bet(str(bet))
    assert (again, again.title) == (bet, bet.title)


def test_a_longer_bet_is_refused_with_its_file_and_not_when_its_round_is_saved():
    words = r"long\.toml, line 1: its texts and rows take 20,001 characters .* may take 20,000"
    with pytest.raises(RulesError, match=words):
        read_side_bet(bet_of_length(MOST_WRITTEN + 1), name="long", where="long.toml")


@pytest.mark.parametrize("length", [MOST_WRITTEN + 1, 100_000, 30_000_000])
def test_a_token_is_unpacked_no_further_than_a_bet_can_be_long(length):
    data = {"name": "long", "title": "", "source": "us", "cards": ["player1"]}
    data["win"] = [{"name": "seven", "ranks": ["7"], "pays": "11"}]
    data["title"] = "t" * (length - len(json.dumps(data)))
    packed = zlib.compress(json.dumps(data).encode(), 9)
    token = "+bet:" + base64.urlsafe_b64encode(packed).decode().rstrip("=")
    tracemalloc.start()
    with pytest.raises(RulesError, match="mistyped or not whole"):
        load_side_bet(token)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000, "bytes, however much was packed"


def test_other_pays_of_a_family_are_read():
    bet = load_side_bet("PP(20/10/5)")
    assert [row.pays for row in bet.rows] == [20, 10, 5]
    assert str(load_side_bet(str(bet))) == str(bet)


@pytest.mark.parametrize("bet", shipped_side_bets(), ids=lambda bet: bet.name)
def test_figures_that_were_published_are_of_no_bet_that_pays_differently(bet):
    pays = [row.pays + 997 for row in bet.rows if row.pays]
    written = f"{bet.code}({'/'.join(map(format_chips, pays))})"
    layouts = {
        tuple((row.name, row.cards, row.words) for row in one.rows)
        for one in shipped_side_bets()
        if one.code == bet.code and sum(bool(row.pays) for row in one.rows) == len(pays)
    }
    if len(layouts) > 1:
        with pytest.raises(RulesError, match="paid in several ways"):
            load_side_bet(written)
        return
    other = load_side_bet(written)
    assert [row.pays for row in other.rows if row.pays] == pays
    assert other.published == ()
    assert other.title.endswith(f", {written[len(bet.code) + 1 : -1]}")
    assert other.source == bet.source


@pytest.mark.parametrize(
    ("bets", "words"),
    [
        (("PP(25/12/6)", "PP(20/10/5)"), "two side bets are called pp"),
        (("PP(25/12/6)", "21+3(9)", "perfect-pairs-a"), "two side bets are called pp"),
        (("insurance",), "offered only after A"),
    ],
)
def test_bets_of_a_house_have_names_of_their_own_and_are_placed_before_the_deal(bets, words):
    with pytest.raises(RulesError, match=words):
        Rules(side_bets=bets)


@pytest.mark.parametrize("wanted", ["nix", "21+3", "21+3(1/2)", "pp(0/0/0/0)", "pp(x)", "+", "", 3])
def test_an_unknown_bet_is_refused(wanted):
    with pytest.raises(RulesError, match="side bet"):
        load_side_bet(wanted)


def test_rules_describe_their_side_bets():
    words = dict(describe_rules(Rules.parse("6D +21+3(9) +BUST(2/2/4/12/50/250)")))["Side bets"]
    assert "21+3, one pay: straight flush 9:1;" in words
    assert "settled on your first card, your second card and the upcard." in words
    assert "the dealer always plays out" in words
    assert "Side bets" not in dict(describe_rules(Rules()))

"""A round as a short text for other people to replay: rules, cards, bets and actions.

There are two kinds: with the key of its shoe, which gives the cards after the round too, so that it
can be played differently; or, while its shoe is in play, with the dealt cards only. The format is
described in docs/saved-games.md.
"""

import hashlib
import re
import zlib
from dataclasses import replace
from typing import Final

from upcard.core.cards import FACES, SUITS, Card
from upcard.core.errors import BlackjackError, NotationError
from upcard.core.numbers import read_letters, write_letters
from upcard.fair.fair_shoe import KeyedCards, Place
from upcard.fair.seeds import KEY_BYTES
from upcard.rules.house import house_names, load_house
from upcard.rules.side_bet_files import MOST_SIDE_BETS
from upcard.rules.side_bets import MOST_LETTERS, WRITTEN
from upcard.store.records import read_actions, read_bets, write_actions, write_bets
from upcard.store.sessions import read_rules, write_rules
from upcard.table.rounds import CardList, CardSource, RoundRecord

# The first byte makes "0" the first letter, which no option has.
_KEYED: Final = b"\xd0"
_LISTED: Final = b"\xd1"
_CHECK_BYTES: Final = 3
_WHOLE_BETS: Final = MOST_SIDE_BETS * MOST_LETTERS
"""Most characters of whole side bets in the rules; what follows is without them."""
_LONGEST: Final = 2000
_LONGEST_TEXT: Final = 4000
_WHOLE_BET: Final = re.compile(rf"{re.escape(WRITTEN)}[\w-]+")
_END_OF_CARDS: Final = b"\xff"
_CARDS: Final = tuple(Card(face + suit) for suit in (*SUITS, "") for face in FACES)
"""Cards by their numbers in codes."""
# Common parts of rounds, for the compression. Part of the format: it never changes.
_COMMON: Final = (
    b"ace_rule=one-softened dealer_rule=until-ahead player_21=asked player_21=wins "
    b"player_21=stands deal_order=hands-up-hole deal_order=hands-hole-up turn_order=round-robin "
    b"turn_order=splits-first split_by=rank double_split_aces=true split_naturals=on-tens "
    b"split_naturals=always natural_ties_21=true even_money=first even_money=never "
    b"even_money=instead shows_upcard=false betting=false max_total_hands=7 max_spots=1 charlie=5 "
    b"1D 2D 4D 8D INF H17 ENHC OBO hole_card=no-peek D9 D10 DANY ND NDAS SP1 SP2 SP3 SP7 SPINF RSA "
    b"HSA ES 6:5 1:1 2:1 NOINS CSM PEN50 PEN60 PEN80 penetration=|1|2|5|20|25|50|100 100|10 10|"
    b"no even money, even money, no surrender, surrender, no split, no insurance, insurance, "
    b"split, double, hit, hit, stand, stand|0 0|0 1"
    b"6D S17 PEEK DOA DAS SP4 NRSA LS 3:2|10|stand|0 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2|10|hit, "
)


def encode_round(record: RoundRecord) -> str:
    """Write a round as a code: about 40 characters for a hand of a common game."""
    match record.source:
        case KeyedCards(key, place):
            head, last = _KEYED + key, [f"{place.shuffle} {place.dealt}"]
        case CardList(cards):
            head, last = _LISTED + bytes(map(_CARDS.index, cards)) + _END_OF_CARDS, []
        case _:
            raise NotationError("a hand left unfinished has no code: finish it first")
    rules, bets = write_rules(record.rules), write_bets(record.bets)
    text = "|".join([rules, bets, write_actions(record.actions), *last])
    data = head + _compress(text.encode("ascii"))
    return write_letters(data + _check(data))


def decode_round(code: str) -> RoundRecord:
    """Read a code, without playing it."""
    letters = "".join(code.split())
    if not letters:
        raise NotationError("an empty code: copy all of it")
    shown = letters if len(letters) <= 60 else f"{letters[:57]}..."
    if len(letters) > (most := _LONGEST + _WHOLE_BETS):
        msg = f"a code of {len(letters)} characters: no code has more than {most}"
        raise NotationError(msg)
    data = read_letters(letters) or b""
    data, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if not data or check != _check(data) or data[:1] not in (_KEYED, _LISTED):
        msg = f"code {shown!r} is mistyped or not whole: its check letters do not fit"
        raise NotationError(msg)
    try:
        record = _unpack(data)
    except (BlackjackError, ValueError, IndexError, zlib.error) as error:
        msg = f"code {shown!r} is not a round that this upcard knows: {error}"
        raise NotationError(msg) from None
    record.make_shoe()  # refuses a place where no round starts
    for name in house_names():
        if load_house(name).rules == record.rules:
            return replace(record, rules=record.rules.replace(name=name))
    return record


def _unpack(data: bytes) -> RoundRecord:
    source: CardSource
    if data[:1] == _KEYED:
        text = _expand(data[1 + KEY_BYTES :])
        rules, bets, actions, place = text.split("|")
        shuffle, dealt = map(int, place.split(" "))
        source = KeyedCards(data[1 : 1 + KEY_BYTES], Place(shuffle, dealt))
    else:
        cards, _, rest = data[1:].partition(_END_OF_CARDS)
        if len(cards) > _LONGEST:
            raise ValueError(f"no round has {len(cards)} cards")
        rules, bets, actions = _expand(rest).split("|")
        source = CardList(tuple(_CARDS[number] for number in cards))
    played, answers = read_rules(rules, ""), read_actions(actions)
    return RoundRecord(rules=played, bets=read_bets(bets), source=source, actions=answers)


def _compress(text: bytes) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_COMMON)
    return deflate.compress(text) + deflate.flush()


def _expand(data: bytes) -> str:
    inflate = zlib.decompressobj(-15, zdict=_COMMON)
    text = inflate.decompress(data, _LONGEST_TEXT + _WHOLE_BETS)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("its text does not end where it should")
    written = text.decode("ascii")
    if len(_WHOLE_BET.sub("", written)) > _LONGEST_TEXT:
        raise ValueError("its text is longer than that of any round")
    return written


def _check(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECK_BYTES]

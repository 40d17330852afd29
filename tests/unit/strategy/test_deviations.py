"""Deviations: what a count changes in a chart, against the same said in plain words."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import Action, IllegalActionError, NotationError, RulesError
from upcard.strategy.chart import (
    CELLS,
    DOUBLED_LABELS,
    HAND_LABELS,
    PAIR_LABELS,
    UPCARD_LABELS,
    Strategy,
)
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import (
    ACTION_LETTERS,
    Deviation,
    Deviations,
    deviation_names,
    load_deviations,
)

HI_LO = load_system("hi-lo")
HIT, STAND, DOUBLE, SPLIT, SURRENDER = ACTION_LETTERS.values()
PLAY = (HIT, STAND)
INSURANCE = (Action.INSURANCE, Action.NO_INSURANCE)
EVEN_MONEY = (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)
ORDER = {
    "H": [HIT, STAND],
    "S": [STAND],
    "Dh": [DOUBLE, HIT, STAND],
    "Ds": [DOUBLE, STAND],
    "Rh": [SURRENDER, HIT, STAND],
    "Rs": [SURRENDER, STAND],
}


def chart(*, insurance=False, **rows):
    """Return a chart in which every hand stands but those in `rows` (written `h16="Rh"`)."""
    rows = {label.removeprefix("h"): cell for label, cell in rows.items()}
    cells = tuple((rows.get(label, "S"),) * 10 for label in HAND_LABELS)
    return Strategy(cells=cells, takes_insurance=insurance)


def decide(plays, strategy, count, legal, *, total=16, is_soft=False, pair_rank=0, upcard=10):
    return Deviations.parse(plays).decide(
        strategy,
        total=total,
        is_soft=is_soft,
        pair_rank=pair_rank,
        upcard=upcard,
        count=count,
        legal=legal,
    )


def naive_answer(cell, as_total, play, count, legal):
    """Say in plain words what one play makes of a cell; a pair that is asked may be split."""
    order = ORDER.get(cell) or [*([SURRENDER] if cell == "Rp" else []), SPLIT, *ORDER[as_total]]
    can_give_up = order[0] is SURRENDER and SURRENDER in legal
    holds = count >= play.index if play.at_or_above else count < play.index
    wanted = play.action if holds else play.otherwise
    if not holds and play.action not in PLAY:
        if play.action is SPLIT and cell == "P":
            can_give_up = ORDER[as_total][0] is SURRENDER and SURRENDER in legal
        can_give_up = can_give_up and play.action is not SURRENDER
        order = [action for action in order if action is not play.action]
    if wanted is SURRENDER and SURRENDER in legal:
        return SURRENDER
    if wanted is not None and wanted is not SURRENDER and wanted in legal:
        return SURRENDER if can_give_up else wanted
    return next(action for action in order if action in legal)


@st.composite
def single_plays(draw, hand):
    letters = "HSDRP" if hand in PAIR_LABELS else "HSDR"
    action = ACTION_LETTERS[draw(st.sampled_from(letters))]
    otherwise = draw(st.sampled_from([None, *(other for other in PLAY if other is not action)]))
    return Deviation(
        hand=hand,
        upcard=draw(st.integers(1, 10)),
        action=action,
        index=draw(st.integers(-3, 3)),
        at_or_above=draw(st.booleans()),
        otherwise=otherwise,
    )


@st.composite
def questions(draw):
    hand = draw(st.sampled_from(["16", "5", "A7", "88", "AA", "1010"]))
    cells = CELLS if hand in PAIR_LABELS else tuple(ORDER)
    legal = {DOUBLE, SURRENDER} & draw(st.sets(st.sampled_from([DOUBLE, SURRENDER])))
    if hand in PAIR_LABELS:
        legal.add(SPLIT)
    return hand, draw(st.sampled_from(cells)), draw(single_plays(hand)), {*PLAY, *legal}


HANDS = {
    "16": (16, False, 0, "16"),
    "5": (4, False, 0, "5"),
    "A7": (18, True, 0, "A7"),
    "88": (16, False, 8, "16"),
    "AA": (12, True, 1, None),
    "1010": (20, False, 10, None),
}


@given(questions(), st.sampled_from(list(ORDER)), st.integers(-5, 5))
def test_a_play_does_to_a_cell_what_the_same_does_in_plain_words(question, total_cell, count):
    hand, cell, play, legal = question
    total, is_soft, pair_rank, row = HANDS[hand]
    rows = {f"h{hand}": cell}
    if pair_rank and row:
        rows[f"h{row}"] = total_cell
    as_total = {"AA": "H", "1010": "S"}.get(hand, total_cell)
    deviations = Deviations(plays=(play,))
    strategy = chart(**rows)
    asked = {
        "total": total,
        "is_soft": is_soft,
        "pair_rank": pair_rank,
        "upcard": play.upcard,
        "legal": legal,
    }
    answer = deviations.decide(strategy, count=count, **asked)
    assert answer is naive_answer(cell, as_total, play, count, legal)
    used = deviations.find_used(strategy, count=count, **asked)
    assert used is (None if answer is strategy.decide(**asked) else play)


@given(questions(), st.integers(-5, 5))
def test_a_play_touches_no_other_hand_and_no_other_upcard(question, count):
    play = question[2]
    deviations = Deviations(plays=(play,))
    strategy = chart(h16="Rh", h88="P", h12="H", A7="Ds", h5="Dh")
    for hand, (total, is_soft, pair_rank, _) in HANDS.items():
        for upcard in range(1, 11):
            if (hand, upcard) != (play.hand, play.upcard):
                asked = {
                    "total": total,
                    "is_soft": is_soft,
                    "pair_rank": pair_rank,
                    "upcard": upcard,
                }
                options = deviations.options(strategy, count=count, **asked)
                assert options == strategy.options(**asked)


@pytest.mark.parametrize(
    ("count", "legal", "expected"),
    [
        (-1, (*PLAY, SURRENDER), HIT),
        (0, (*PLAY, SURRENDER), SURRENDER),
        (0, PLAY, HIT),
        (3, PLAY, HIT),
        (4, PLAY, STAND),
        (4, (*PLAY, SURRENDER), SURRENDER),
    ],
)
@pytest.mark.parametrize("cell", ["H", "S", "Rh"])
@pytest.mark.parametrize("turned", [1, -1])
def test_plays_of_several_kinds_stand_in_one_cell_in_any_order(
    count, legal, expected, cell, turned
):
    plays = "\n".join(["16 v T S >= 4 else H", "16 v T R >= 0"][::turned])
    assert decide(plays, chart(h16=cell), count, legal) is expected


def test_surrender_comes_before_split_and_split_before_double():
    plays = "88 v T D >= 0\n88 v T P >= 1\n88 v T R >= 2\n88 v T S >= -1"
    legal = (*PLAY, DOUBLE, SPLIT, SURRENDER)
    answers = [decide(plays, chart(h88="H"), count, legal, pair_rank=8) for count in range(-2, 3)]
    assert answers == [HIT, STAND, DOUBLE, SPLIT, SURRENDER]


@pytest.mark.parametrize("cell", ["H", "P", "Rh"])
def test_offers_of_their_own_are_answered_by_the_plays(cell):
    plays = "88 v T P >= 2 else H"
    own = {
        "split": (SPLIT, Action.NO_SPLIT),
        "surrender": (SURRENDER, Action.NO_SURRENDER),
    }

    def ask(offer, count):
        return decide(plays, chart(h88=cell, h16="H"), count, own[offer], pair_rank=8)

    assert (ask("split", 1), ask("split", 2)) == (Action.NO_SPLIT, SPLIT)
    given_up = SURRENDER if cell == "Rh" else Action.NO_SURRENDER
    assert ask("surrender", 1) is ask("surrender", 2) is given_up


def test_a_pair_that_shall_not_be_split_is_offered_surrender_as_its_total():
    offer = (SURRENDER, Action.NO_SURRENDER)
    strategy = chart(h88="P", h16="Rh")
    answers = [decide("88 v T P >= 2", strategy, count, offer, pair_rank=8) for count in (1, 2)]
    assert answers == [SURRENDER, Action.NO_SURRENDER]


@pytest.mark.parametrize(("legal", "takes"), [(INSURANCE, False), (EVEN_MONEY, True)])
def test_insurance_and_even_money_go_by_the_index_or_by_the_chart(legal, takes):
    strategy = chart(insurance=takes)
    plays = "insurance >= 3"
    assert [decide(plays, strategy, count, legal) for count in (2, 3)] == [legal[1], legal[0]]
    without = Deviations.parse("16 v T S >= 0")
    assert decide(str(without), strategy, 9, legal) is legal[not takes]
    assert without.takes_insurance(strategy, 9) is takes
    with_index = Deviations.parse(plays)
    assert [with_index.takes_insurance(strategy, count) for count in (2, 3)] == [False, True]


def test_a_question_that_nothing_answers_is_refused_as_the_chart_does():
    with pytest.raises(
        IllegalActionError, match=r"no answer for 16 v 10 at count 3.*Legal: nothing"
    ):
        decide("16 v T S >= 0", chart(), 3, ())


# --- sets ---


PUBLISHED_I18 = {
    "16vT": 0,
    "15vT": 4,
    "TTv5": 5,
    "TTv6": 4,
    "10vT": 4,
    "12v3": 2,
    "12v2": 3,
    "11vA": 1,
    "9v2": 1,
    "10vA": 4,
    "9v7": 3,
    "16v9": 5,
    "13v2": -1,
    "12v4": 0,
    "12v5": -2,
    "12v6": -1,
    "13v3": -2,
}


def indices(deviations):
    return {play.cell.replace(" ", ""): play.index for play in deviations.plays}


def test_the_illustrious_18_are_as_published():
    """Schlesinger, Blackjack Attack; the fives are his 10 v T and 10 v A as rows of a chart."""
    i18 = load_deviations("i18", HI_LO)
    assert indices(i18) == {**PUBLISHED_I18, "55vT": 4, "55vA": 4}
    assert i18.insurance == 3
    assert (i18.system, i18.title.splitlines()[0]) == ("hi-lo", "Illustrious 18")
    assert "Schlesinger" in i18.source


def test_the_fab_4_are_as_published():
    """Schlesinger, Blackjack Attack."""
    fab4 = load_deviations("Fab4", HI_LO)
    assert indices(fab4) == {"14vT": 3, "15vT": 0, "15v9": 2, "15vA": 1}
    assert {play.action for play in fab4.plays} == {SURRENDER}
    assert fab4.insurance is None


def test_sets_are_put_together_by_a_plus():
    both = load_deviations("i18+fab4", HI_LO)
    parts = [load_deviations(name, HI_LO) for name in ("i18", "fab4")]
    assert both.plays == parts[0].plays + parts[1].plays
    assert (both.name, both.title, both.insurance) == ("i18+fab4", "Illustrious 18 + Fab 4", 3)
    assert both == load_deviations("I18 + FAB4".replace(" ", ""), HI_LO)
    with pytest.raises(RulesError, match="a set is named twice"):
        load_deviations("i18+i18", HI_LO)


def test_each_play_of_the_18_begins_at_its_index():
    """One count below an index hits, at the index the play is made."""
    i18 = load_deviations("i18", HI_LO)
    strategy = chart(h16="H", h12="S", h13="S", h11="Dh", h9="Dh", h10="Dh", h15="H")
    for (label, index), offset in itertools.product(PUBLISHED_I18.items(), (-1, 0)):
        hand, _, up = label.partition("v")
        if hand == "TT":
            continue
        answer = i18.decide(
            strategy,
            total=int(hand),
            is_soft=False,
            pair_rank=0,
            upcard={"T": 10, "A": 1}.get(up) or int(up),
            count=index + offset,
            legal=(*PLAY, DOUBLE),
        )
        above = {"9": DOUBLE, "10": DOUBLE, "11": DOUBLE}.get(hand, STAND)
        assert answer is (above if offset == 0 else HIT)


@pytest.mark.parametrize("rounding", ["floor", "truncate", "round"])
def test_indices_of_hi_lo_are_for_hi_lo_by_any_name_and_rounding(rounding):
    load_deviations("i18", HI_LO.replace(name="mine", rounding=rounding))


@pytest.mark.parametrize("name", ["zen", "ko", "ace-five"])
def test_indices_of_another_count_are_refused(name):
    with pytest.raises(RulesError, match=f"'i18' are for the count hi-lo, not for {name}"):
        load_deviations("i18", load_system(name))


def test_a_file_of_ones_own_works_wherever_a_name_does(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("# Mine\n16 v 10  s>=1 ELSE h # why\nt,t v 6 P >= +4\n", encoding="utf-8")
    mine = load_deviations(str(file), load_system("zen"))
    assert [str(play) for play in mine.plays] == ["16 v T  S >= 1 else H", "TT v 6  P >= 4"]
    assert (mine.name, mine.title, mine.system) == ("mine", "Mine", "")
    both = load_deviations(f"fab4+{file}", HI_LO)
    assert [len(both.plays), both.name, both.system] == [6, f"fab4+{file}".lower(), "hi-lo"]
    file.write_text("16 v T S > 1\n", encoding="utf-8")
    with pytest.raises(
        NotationError, match=r"mine.txt: line 1: '16 v T S > 1': write a play as in"
    ):
        load_deviations(str(file))


def test_unknown_sets_are_refused_with_those_that_exist():
    assert deviation_names() == ("fab4", "i18")
    with pytest.raises(
        RulesError, match=r"no deviations are called 'i19': one of fab4, i18, several"
    ):
        load_deviations("i19")
    with pytest.raises(RulesError, match=r"cannot read the deviations 'no.txt': No such file"):
        load_deviations("no.txt")


TEXTS = st.text(st.characters(categories=["L", "N"]), max_size=8)


@st.composite
def deviation_sets(draw):
    cells = draw(st.lists(st.sampled_from(HAND_LABELS), unique=True, max_size=6))
    return Deviations(
        name=draw(TEXTS),
        title=draw(TEXTS),
        source=draw(TEXTS),
        system=draw(st.sampled_from(["", "hi-lo", "My-Count"])),
        plays=tuple(draw(single_plays(hand)) for hand in cells),
        insurance=draw(st.integers(-5, 5) if not cells else st.none() | st.integers(-5, 5)),
    )


@pytest.mark.slow
@given(deviation_sets())
def test_a_set_is_read_back_as_it_is_written(deviations):
    again = Deviations.parse(str(deviations))
    assert again == deviations
    texts = ("name", "title", "source")
    assert [getattr(again, key) for key in texts] == [getattr(deviations, key) for key in texts]


def test_every_fault_of_a_set_is_listed_with_its_line():
    text = (
        "# system: hi-lo\n# system: zen\n20 v T  S >= 3\n16 v X  S >= 3\n16 v T  X >= 1 else D\n"
        "16 v T  P >= 1\n16 v T  S >= 1 else H\n16 v T  H < 0\n16 v T  S >= 3 else S\n"
        "insurance >= 3\ninsurance >= 4\n12 v 3\n16 v 9 R >= 2000\n"
    )
    with pytest.raises(NotationError) as caught:
        Deviations.parse(text)
    assert [fault.split(": ")[0] for fault in caught.value.faults] == [
        *(f"line {number}" for number in (2, 3, 4, 5, 6, 9, 11, 12, 13)),
        "line 8",
    ]
    assert any("one of H, S, D, P, R" in fault for fault in caught.value.faults)
    with pytest.raises(NotationError, match="no play and no insurance"):
        Deviations.parse("# nothing\n")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"hand": "20"}, "no row is called '20'"),
        ({"upcard": 11}, "no upcard has the rank 11"),
        ({"action": Action.INSURANCE}, "no play is to"),
        ({"action": SPLIT}, "16 cannot be split: it is not a pair"),
        ({"index": 1.5}, "an index is a whole count"),
        ({"otherwise": DOUBLE}, "hit or stand, not double"),
        ({"otherwise": STAND}, "on both sides"),
    ],
)
def test_faulty_plays_are_refused(changes, fault):
    settings = {"hand": "16", "upcard": 10, "action": STAND, "index": 0, **changes}
    with pytest.raises(RulesError, match=fault):
        Deviation(**settings)


def test_a_play_prints_every_row_and_upcard_as_it_is_read():
    for hand, up in itertools.product(HAND_LABELS, UPCARD_LABELS):
        name = {"1010": "TT"}.get(hand, hand)
        text = f"{name} v {'T' if up == '10' else up}  H < 0"
        assert str(Deviations.parse(text).plays[0]) == text


def test_repeated_sets_are_refused_before_any_is_read(monkeypatch) -> None:
    """A thousand of them took ten seconds to read."""
    monkeypatch.setattr("upcard.strategy.count_system.read_data_file", None)
    with pytest.raises(RulesError, match="a set is named twice"):
        load_deviations("+".join(["i18"] * 1000))


@pytest.mark.parametrize("name", ["hi-lo", "ko", "red-7"])
def test_indices_are_for_a_count_that_counts_the_same_whatever_its_name_and_rounding(name):
    known = load_system(name)
    tags = (*known.tags[:2], known.tags[2] + 1, *known.tags[3:])
    others = [
        known.replace(name="mine", tags=tags),
        known.replace(name="mine", start_per_deck=known.start_per_deck + 1),
        known.replace(name="mine", start_constant=known.start_constant - 2),
    ]
    plays = Deviations(system=name, insurance=3)
    plays.require_system(known.replace(name="mine"))
    if name == "hi-lo":
        plays.require_system(known.replace(name="mine", rounding="round", decks_left="half"))
    for other in others:
        with pytest.raises(RulesError, match=f"for the count {name}, not for mine"):
            plays.require_system(other)


@pytest.mark.parametrize("action", ["S", "D", "R", "H"])
def test_no_play_acts_on_a_hand_that_was_doubled(action):
    """Its answers are those of the rows for doubled hands, at every count."""
    chart = Strategy(
        cells=tuple(("H",) * 10 for _ in HAND_LABELS),
        doubled=tuple(("Rs",) * 10 for _ in DOUBLED_LABELS),
    )
    other = "S" if action == "H" else "H"
    ends = f" else {other}" if action in "SH" else ""
    plays = Deviations.parse(f"16 v T  {action} >= 0{ends}\n12 v 6  {action} < 3{ends}")
    for total, upcard, legal in ((16, 10, (STAND, SURRENDER)), (12, 6, (STAND, DOUBLE))):
        hand = {"total": total, "is_soft": False, "pair_rank": 0, "upcard": upcard}
        assert plays.in_cell(**hand) != ()
        assert plays.in_cell(**hand, doubles=1) == ()
        for count in (-5, 0, 3, 8):
            decided = plays.decide(chart, count=count, legal=legal, **hand, doubles=1)
            assert decided is chart.decide(legal=legal, **hand, doubles=1)
            assert plays.find_used(chart, count=count, legal=legal, **hand, doubles=1) is None

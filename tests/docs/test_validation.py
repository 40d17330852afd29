"""docs/validation.md has a row for every value that others have, and no value in it is off."""

import dataclasses
import json

import pytest
from claims import GOLDEN, list_claims
from validation import PAGE, find_faults, key_of, make_page, make_row, read_rows

TEXT = PAGE.read_text(encoding="utf-8")
CLAIMS = list_claims()


def numbers_in(value):
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list):
        return sum(map(numbers_in, value))
    return int(isinstance(value, float))


def test_every_value_brought_in_is_claimed():
    golden = numbers_in(json.loads(GOLDEN.read_text(encoding="utf-8")))
    claimed = sum(len(claim.references) for claim in CLAIMS)
    others = sum(
        len(claim.references) for claim in CLAIMS if claim.section in ("BlackJack(p)", "Counts")
    )
    assert claimed - others == golden
    assert sum(len(claim.references) for claim in CLAIMS if claim.what == "cells") == 4 * 330


def test_the_page_has_every_claim_and_its_own_numbers_are_near_enough():
    assert list(find_faults(TEXT, computes=False)) == []
    assert f"{sum(len(claim.references) for claim in CLAIMS):,} values" in TEXT


@pytest.mark.parametrize("section", dict.fromkeys(claim.section for claim in CLAIMS))
def test_the_first_row_of_each_section_can_be_computed_anew(section):
    claim = next(claim for claim in CLAIMS if claim.section == section)
    assert not claim.is_slow
    ours = make_row(claim, claim.compute())
    [written] = [row for row in read_rows(TEXT) if key_of(row) == key_of(claim)]
    assert written[:4] == ours[:4]


@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if claim.section == "Counts"],
    ids=lambda claim: f"{claim.quantity} {claim.rules}",
)
def test_every_count_can_be_computed_anew(claim):
    """`make docs` ended with a traceback: the function that it calls had got an argument."""
    assert claim.compute() == claim.references


@pytest.mark.parametrize("place", [0, 40, 200])
def test_a_missing_row_is_found(place):
    rows = [str(row) for row in read_rows(TEXT)]
    text = TEXT.replace(rows[min(place, len(rows) - 1)] + "\n", "")
    assert list(find_faults(text, computes=False)) == [
        "the rows of docs/validation.md are not those of tools/claims.py"
    ]


def test_a_value_that_is_off_is_found():
    row = read_rows(TEXT)[0]
    text = TEXT.replace(str(row), str(row._replace(ours="+0.001819343164")))
    [fault] = find_faults(text, computes=False)
    assert fault.startswith(
        "EV of a round, CDZ-, 1D S17 PEEK DOA DAS SP4 NRSA NS 3:2: off by 1.03e-10"
    )


def test_a_source_that_says_something_else_is_found():
    row = read_rows(TEXT)[0]
    text = TEXT.replace(str(row), str(row._replace(theirs="+0.001819343000")))
    [fault] = find_faults(text, computes=False)
    assert "should be" in fault


def test_a_wrong_value_of_ours_stops_the_page():
    claim = CLAIMS[0]
    with pytest.raises(ValueError, match="off by"):
        make_row(claim, (claim.references[0] + 2e-10,))


def test_slow_rows_are_kept_from_the_old_page(monkeypatch):
    slow = next(claim for claim in CLAIMS if claim.is_slow)

    def fail():
        raise AssertionError

    monkeypatch.setattr(
        "validation.list_claims", lambda: (dataclasses.replace(slow, compute=fail),)
    )
    [row] = [row for row in read_rows(TEXT) if key_of(row) == key_of(slow)]
    assert read_rows(make_page(with_slow=False, old=TEXT)) == [row]
    with pytest.raises(AssertionError):
        make_page(with_slow=True, old=TEXT)

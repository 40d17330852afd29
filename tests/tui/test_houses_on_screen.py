"""Every house on the full screen, played by whatever keys are legal."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import cycle

import pytest
from screen_driver import LARGE, SMALL, drive, plan_for, press, text_of

from campaign.books import check_books, replay_stored
from upcard.rules.house import house_names
from upcard.session.table_view import KEYS
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.tui.app import ScreenOptions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("house", "size"), [*zip(house_names(), cycle([SMALL, LARGE]), strict=False)]
)
def test_a_house_is_played_and_kept(house, size, tmp_path):
    rng = random.Random(f"{house} {size}")
    path = tmp_path / "upcard.db"
    rounds = 5

    async def script(pilot, app):
        for _ in range(rounds):
            await press(pilot, "enter")
            while app.seat.session.options:
                text = text_of(app)
                for action in app.seat.session.options:
                    assert str(action) in text.splitlines()[-1]
                await press(pilot, KEYS[rng.choice(app.seat.session.options)])
            lines = text_of(app).splitlines()
            assert len(lines) == size[1]
            assert "Dealer" in text_of(app)
        assert app.seat.session.bank.rounds == rounds

    plan = plan_for(house)
    drive(
        script,
        ScreenOptions(plan=plan, chips=Fraction(1000), coach="before"),
        size=size,
        path=path,
    )
    with open_store(path) as store:
        check_books(store)
        kept = list(read_rounds(store))
        assert len(kept) == rounds
        for stored in kept:
            replay_stored(stored)

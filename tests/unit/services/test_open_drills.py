"""Open drills without a browser: prepared in threads, each change by its version."""

import asyncio

from upcard.drills.drill_run import DrillTerms
from upcard.drills.trainer import DrillStep
from upcard.rules.model import Rules
from upcard.services import open_drills
from upcard.services.open_drills import OpenDrills


def with_drills(play):
    async def run():
        drills = OpenDrills(None)
        try:
            return await play(drills)
        finally:
            drills.close()

    return asyncio.run(run())


def test_an_answer_counts_once_however_often_it_is_sent():
    async def play(drills):
        drill = drills.open("running count", DrillTerms(rules=Rules.parse("6D"), questions=1))
        assert drills.find(drill.id) is drill
        trainer = await drill.trainer(None)
        while trainer.step is DrillStep.SHOWING:
            assert await drill.change(str(drill.version), lambda trainer: trainer.turn())
        version = str(drill.version)
        assert await drill.change(version, lambda trainer: trainer.answer("0"))
        assert not await drill.change(version, lambda trainer: trainer.answer("0"))
        return len(trainer.answered), drill.fault

    assert with_drills(play) == (1, "")


def test_the_drill_that_was_used_longest_ago_is_given_up(monkeypatch):
    monkeypatch.setattr(open_drills, "_MOST_OPEN", 2)

    async def play(drills):
        terms = DrillTerms(rules=Rules.parse("6D"))
        first, second = (drills.open("running count", terms) for _ in range(2))
        drills.find(first.id)
        third = drills.open("running count", terms)
        for drill in (first, second, third):
            await drill.trainer(None)
        return [drills.find(one.id) is one for one in (first, second, third)]

    assert with_drills(play) == [True, False, True]

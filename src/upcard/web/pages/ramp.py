"""The ramp explorer: what bets by count win and risk, from one run, while the sliders move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from upcard.rules.describe import name_game
from upcard.web.reading import read_query
from upcard.web.showing import address, patience_of, show, topic_of, wants
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from upcard.web.bank_view import PathsView
    from upcard.web.ramp_view import RampFaults, RampForm, RampResult
    from upcard.web.runs import RunLook


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderView:
    """A field of the form with a slider through some values."""

    field: str
    """Name of the field."""
    name: str
    """The field in words."""
    hint: str
    """Meaning or unit of the field."""
    values: tuple[str, ...]
    """The values of the slider in order; empty for a field that is not used."""

    def place(self, text: str) -> int:
        """Return the place of a text among the values; the first if it is not among them."""
        return self.values.index(text) if text in self.values else 0


SLIDERS: Final = (
    SliderView(
        field="spread",
        name="Spread",
        hint="the best ramp from 1 to N units",
        values=tuple(f"1-{most}" for most in (*range(1, 17), 20, 24, 32)),
    ),
    SliderView(
        field="bankroll",
        name="Bankroll",
        hint="in money",
        values=tuple(
            str(digit * 10**power) for power in (3, 4, 5) for digit in (1, 2, 3, 4, 5, 6, 8)
        ),
    ),
    SliderView(
        field="risk",
        name="Risk of ruin",
        hint="decides the unit; full Kelly is 13.5%",
        values=("", *(f"{share}%" for share in ("0.1", "0.5", *range(1, 11), 13.5, 20))),
    ),
    SliderView(
        field="wong",
        name="Play at count",
        hint="sit out lower ones; or best",
        values=("", *(str(count) for count in range(-4, 5)), "best"),
    ),
    SliderView(
        field="hours",
        name="Hours",
        hint="of a trip",
        values=("", "4", "8", "20", "40", "100", "200", "500", "1000"),
    ),
)
OTHERS: Final = (
    ("unit", "Unit", "of the smallest bet, in money"),
    ("kelly", "Kelly fraction", "1/2, instead of a risk"),
    ("chip", "Chip", "bets in whole chips too"),
    ("goal", "Goal", "stop after winning this"),
    ("pace", "Rounds an hour", "100 if empty"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampView:
    """A run, a question about bets on it, and the answer."""

    name: str
    """Name of the run, as its address has it."""
    title: str
    """The count and the game."""
    rules: str
    rounds: int
    """Number of rounds of the run."""
    form: RampForm
    """The question."""
    sliders: tuple[SliderView, ...]
    """The fields with a slider."""
    others: tuple[tuple[str, str, str], ...]
    """The other fields: name, words and hint."""
    faults: dict[str, str]
    problem: str
    result: RampResult | None
    """The answer; None for a faulty question."""
    pinned: str
    """The second question; empty without one."""
    paths: PathsView | None
    """Paths of the bank; None while they are played, or without a result."""
    pin: str
    """Address with the present question pinned."""
    unpin: str
    """Address without the second question."""


async def show_ramp(request: Request) -> Response:
    """Show the ramps of the address."""
    from upcard.web.ramp_view import RampFaults, answer_ramps, read_other_form, read_ramp_form

    site, name = site_of(request), request.path_params["name"]
    fields = read_query(request)
    form, pinned = read_ramp_form(fields), fields.text("with")
    other = read_other_form(pinned, form)
    look = await run_in_threadpool(site.runs.look, name)
    found: RampResult | RampFaults | None = await site.ramps.ask(
        ("ramp", name, look.document["checksum"], form, other),
        lambda: answer_ramps(look.file.counted, form, other),
        topic=topic_of(request, "ramp"),
    )
    faults = found if isinstance(found, RampFaults) else None
    paths = None
    if faults is None and wants(request, "paths"):
        paths = await _find_paths(request, look, form, other)
    view = _look_at(look, form, pinned, found, paths)
    return show(
        request,
        "ramp",
        view,
        title=f"Bet ramps: {view.title}",
        say=view.problem or (_say(view.result) if view.result else ""),
        rules=view.rules,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK,
    )


async def _find_paths(
    request: Request, look: RunLook, form: RampForm, other: RampForm | None
) -> PathsView | None:
    """Return the paths of the bank; None if they take too long for a page."""
    from upcard.web.bank_view import play_banks

    return await site_of(request).replays.ask(
        ("paths", look.name, look.document["checksum"], form, other),
        lambda: play_banks(look.file.counted, form, other),
        topic=topic_of(request, "paths"),
        patience=patience_of(request),
    )


def _look_at(
    look: RunLook,
    form: RampForm,
    pinned: str,
    found: RampResult | RampFaults | None,
    paths: PathsView | None,
) -> RampView:
    from upcard.web.ramp_view import RampFaults, RampResult

    job = look.file.counted.job
    path = f"/runs/{look.name}/ramp"
    faults = found if isinstance(found, RampFaults) else None
    return RampView(
        name=look.name,
        title=f"{look.file.counted.system.title}: {name_game(job.rules)}",
        rules=str(job.rules),
        rounds=look.document["rounds"],
        form=form,
        sliders=SLIDERS,
        others=OTHERS,
        faults={} if faults is None else faults.fields,
        problem="" if faults is None else faults.words,
        result=found if isinstance(found, RampResult) else None,
        paths=paths,
        pinned=pinned,
        pin=address(path, **asdict(form), **{"with": form.query}),
        unpin=address(path, **asdict(form)),
    )


def _say(result: RampResult) -> str:
    return ". ".join(f"{one.title} {one.figure}" for one in result.plans[-1].main[:2]) + "."


ROUTES: Final = (Route("/runs/{name}/ramp", show_ramp, methods=["GET"]),)

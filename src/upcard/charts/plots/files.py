"""Pictures of simulations: EV by count, convergence, the chips of sessions; as files or as text.

SVG and PNG need the extra `plots`; text needs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from upcard.charts.plots.data import BankrollPlot, ConvergencePlot, CountPlot
from upcard.charts.plots.text import draw_text
from upcard.core.errors import BlackjackError, RulesError

Plot: TypeAlias = CountPlot | ConvergencePlot | BankrollPlot

SUFFIXES: Final = (".svg", ".png", ".txt")
_PNG_SCALE: Final = 2.0
_NUMBERED: Final = re.compile(r'(?<=["#])(clip|gradient)_?(\d+)(?=[")])')


class MissingExtraError(BlackjackError):
    """A function needs packages that are not installed; the message says how to install them."""


def check_plot_file(path: str) -> None:
    """Refuse a `path` that could not be drawn to, before long work is done for it.

    Raises: RulesError for an unknown suffix or a missing folder; MissingExtraError.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise RulesError(f"cannot draw {path!r}: its name must end in .svg, .png or .txt")
    if not Path(path).parent.is_dir():
        raise RulesError(f"cannot draw {path!r}: there is no folder {str(Path(path).parent)!r}")
    if suffix == ".txt":
        return
    try:
        import altair as alt  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            f"pictures need {error.name}: pip install 'upcard[plots]'"
            " (a file whose name ends in .txt needs nothing)"
        ) from None


def write_plot(plot: Plot, path: str) -> None:
    """Draw a plot to a file, in the format of its suffix; the same plot gives the same file.

    Raises: as `check_plot_file`; RulesError if the file cannot be written.
    """
    write_picture(path, specify=lambda: _specify(plot), write=lambda: draw_text(plot))


def write_picture(
    path: str, *, specify: Callable[[], dict[str, Any]], write: Callable[[], str]
) -> None:
    """Draw a file by its suffix: `specify` gives the picture for Vega-Lite, `write` the text.

    Raises: as `check_plot_file`; RulesError if the file cannot be written.
    """
    check_plot_file(path)
    match Path(path).suffix.lower():
        case ".svg":
            content = _render_svg(specify()).encode()
        case ".png":
            content = _render_png(specify())
        case _:
            content = write().encode()
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise RulesError(f"cannot write {path!r}: {error.strerror}") from None


def _specify(plot: Plot) -> dict[str, Any]:
    from upcard.charts.plots.altair import draw

    return draw(plot)


# No address is allowed: all the data are in the specification, and nothing is fetched.


def _render_svg(specification: dict[str, Any]) -> str:
    import vl_convert

    return number_anew(vl_convert.vegalite_to_svg(specification, allowed_base_urls=[]))


def _render_png(specification: dict[str, Any]) -> bytes:
    import vl_convert

    png: bytes = vl_convert.vegalite_to_png(specification, scale=_PNG_SCALE, allowed_base_urls=[])
    return png


def number_anew(svg: str) -> str:
    """Rename clips by their order: the renderer numbers them on from picture to picture."""
    numbers: dict[str, int] = {}

    def rename(match: re.Match[str]) -> str:
        return f"{match[1]}{numbers.setdefault(match[0], len(numbers))}"

    return _NUMBERED.sub(rename, svg)

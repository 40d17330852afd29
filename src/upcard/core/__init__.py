"""Cards, ranks, hands and actions; the standard library only."""

from collections.abc import Callable
from typing import Any, Final

_providers: Final[list[Callable[[str], Callable[..., Any]]]] = []


def provide(find: Callable[[str], Callable[..., Any]]) -> None:
    """Set how functions of packages above are found by name, such as `tabulate`."""
    _providers[:] = [find]


def ask_above(name: str, *values: object, **options: object) -> Any:  # noqa: ANN401
    """Call a function that a package above this one provides."""
    return _providers[0](name)(*values, **options)

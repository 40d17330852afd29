"""Refuse rules that an engine cannot honour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.errors import UnsupportedRuleError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_supported(engine: str, refusals: Iterable[tuple[str, str]]) -> None:
    """Refuse the settings that an engine's `find_unsupported` yields.

    Raises: UnsupportedRuleError naming the first setting and the reason.
    """
    for rule, reason in refusals:
        raise UnsupportedRuleError(engine, rule, reason)

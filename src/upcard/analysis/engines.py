"""Engines and the rules that they support, in one table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from upcard.core.cards import RANKS
from upcard.exact.supported_rules import FINITE, INFINITE, NONSTANDARD, find_without_memory
from upcard.rules.model import Rules
from upcard.rules.predicates import most_hands_of
from upcard.simulation import job as simulator_rules

TABLE: Final = "table"
FULL_MEMORY: Final = "full memory"
_MOST_HANDS: Final = {TABLE: 64, simulator_rules.ENGINE: 16}
"""Hands into which one hand may be split in a run, if the house has no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineAnswer:
    """Whether an engine supports given rules, and the settings that it refuses."""

    engine: str
    """Name, as in its refusals."""
    about: str
    refusals: tuple[tuple[str, str], ...] = ()
    """All settings that it cannot honour, with the reasons."""
    limit: str = ""
    """Refusal that depends on the cards, if any."""

    @property
    def is_honoured(self) -> bool:
        """Whether the engine supports the rules."""
        return not self.refusals


def find_engines(rules: Rules) -> tuple[EngineAnswer, ...]:
    """Return the answer of each engine to these rules."""
    return tuple(
        EngineAnswer(
            engine=engine,
            about=about,
            refusals=tuple(find_unsupported(rules)),
            limit=_find_limit(rules, engine),
        )
        for engine, (about, find_unsupported) in _ENGINES.items()
    )


def _find_limit(rules: Rules, engine: str) -> str:
    if rules.max_hands is not None or engine not in _MOST_HANDS:
        return ""
    return f"a run ends if one hand is split into more than {_MOST_HANDS[engine]}"


def _find_without_memory(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return what keeps full memory from some pair, besides its solver's refusals."""
    refusals = list(FINITE.find_unsupported(rules))
    if rules.is_infinite:
        return tuple(refusals)
    for rank in RANKS:
        hands = most_hands_of(rules, rank)
        if hands == 1:
            continue
        refusal = find_without_memory(rules, rank, hands=hands)
        if refusal is not None and refusal not in refusals:
            refusals.append(refusal)
    return tuple(refusals)


_ENGINES: Final[dict[str, tuple[str, Callable[[Rules], Iterable[tuple[str, str]]]]]] = {
    TABLE: ("plays rounds: the game, and any player's simulation", lambda _: ()),
    simulator_rules.ENGINE: (
        "compiled, plays millions of rounds a second by a chart",
        simulator_rules.find_unsupported,
    ),
    INFINITE.name: ("exact values where cards never run out", INFINITE.find_unsupported),
    FINITE.name: ("exact values of decks, for each class of split play", FINITE.find_unsupported),
    FULL_MEMORY: ("exact values with every card seen, up to an hour of work", _find_without_memory),
    NONSTANDARD.name: (
        "exact values with a non-standard ace or dealer rule",
        NONSTANDARD.find_unsupported,
    ),
}
"""Description of each engine, and the function that finds the settings that it refuses."""

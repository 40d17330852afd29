"""Houses side by side: the rules in which they differ, and what that is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.rules.describe import describe_rules
from upcard.web.edge_view import EdgeChange, EdgeView, compare_edges

if TYPE_CHECKING:
    from upcard.rules.house import House


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """A setting in notation."""

    text: str
    """The setting: `H17`."""
    differs: bool
    """Whether a compared house does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedHouse:
    """One of the houses that are compared."""

    name: str
    """Name of the house, as fields take it."""
    title: str
    """Name of the house for people."""
    notation: tuple[TokenView, ...]
    edge: EdgeView | None
    """None until it is computed."""
    change: EdgeChange | None
    """Worth of this house against the first one; None for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """A topic of the rules, with the sentence of each house."""

    topic: str
    """The topic: `Dealer`, `Doubling` and so on."""
    sentences: tuple[str, ...]
    """A sentence for each house, in the order of `houses`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """Houses side by side: the topics in which they differ, and those that are the same."""

    houses: tuple[ComparedHouse, ...]
    """The compared houses, the first as the measure."""
    differing: tuple[TopicView, ...]
    """The topics in which they differ."""
    same: tuple[tuple[str, str], ...]
    """The other topics, each with the sentence that all share."""


def compare_houses(houses: list[House], edges: list[EdgeView | None]) -> ComparisonView:
    """Compare two houses or more, given the edges that are known by now."""
    described = [describe_rules(house.rules) for house in houses]
    differing, same = [], []
    for rows in zip(*described, strict=True):
        topic, sentence = rows[0]
        if len(set(rows)) > 1:
            sentences = tuple(sentence for _, sentence in rows)
            differing.append(TopicView(topic=topic, sentences=sentences))
        else:
            same.append((topic, sentence))
    notations = [str(house.rules.replace(name="")).split() for house in houses]
    shared = Counter(token for notation in notations for token in set(notation))
    return ComparisonView(
        houses=tuple(
            ComparedHouse(
                name=house.name,
                title=house.title,
                notation=tuple(
                    TokenView(text=token, differs=shared[token] < len(houses)) for token in notation
                ),
                edge=edge,
                change=compare_edges(edges[0], edge) if house is not houses[0] else None,
            )
            for house, edge, notation in zip(houses, edges, notations, strict=True)
        ),
        differing=tuple(differing),
        same=tuple(same),
    )

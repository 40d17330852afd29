"""The public state of an environment as text."""

from __future__ import annotations

from upcard.documents.lott import DealerHand
from upcard.env.questions import EnvQuestion, Stage
from upcard.rules.model import Rules


def write_table(rules: Rules, question: EnvQuestion) -> str:
    """Write the dealer, the hands of each spot and what is asked; a `>` marks the active hand."""
    name, view = rules.name or str(rules), question.view
    if view is None:
        return f"{name}: {question.stage.name.lower()}"
    spots: list[list[str]] = [[] for _ in view.insurance]
    for index, hand in enumerate(view.hands):
        spots[hand.spot].append(f"> {hand}" if index == view.active else str(hand))
    asked = "over" if question.stage is Stage.SETTLED else ", ".join(question.legal)
    return "\n".join(
        (
            f"{name}: {asked}",
            f"dealer: {DealerHand(view.dealer, view.dealer_total, view.hidden)}",
            *(
                f"{'player' if len(spots) == 1 else f'spot {number}'}: {' | '.join(hands)}"
                for number, hands in enumerate(spots, 1)
            ),
        )
    )

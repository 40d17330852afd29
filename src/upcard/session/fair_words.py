"""The fair shuffle in words: the commitment, your seed, and what is revealed after a shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from upcard.fair.seeds import Reveal
    from upcard.session.game_session import GameSession
    from upcard.store.kept_table import KeptTable

ABOUT_COMMITMENT: Final = (
    "One SHA-256, fixed before your first card, commits to the rules and to the secret seeds of"
    " all shoes of the session; you may add a seed of your own. After a shoe its secret is shown,"
    " and upcard verify, or any program of yours, deals the same cards again"
)


def tell_commitment(session: GameSession) -> str:
    """Say that the shoe is committed to, before its first card."""
    if session.kept is None:
        return "Practice: nothing is saved, and there is no commitment to the cards."
    return "The shuffle is committed to: F shows it."


def tell_reveal(session: GameSession, reveal: Reveal | None) -> str:
    """Say that the shoe is over and where its seed is; empty without a `reveal`."""
    if reveal is None or session.kept is None:
        return ""
    if session.kept.fair_shoe.commitment == reveal.commitment:
        return "The shoe is over: F shows its seed."
    return "The shoe is over: F shows its seed and the commitment of the next ones."


def tell_seed(session: GameSession, text: str) -> str:
    """Say into which shuffle a seed of yours is mixed."""
    if session.kept is None:
        return ""
    when = "this shoe" if session.kept.fair_shoe.player_seed == text.strip() else "the next shoe"
    mixed = "Your seed is mixed" if text.strip() else "No seed of yours is mixed"
    return f"{mixed} into {when}."


def describe_shoe(kept: KeptTable, *, reveals: int) -> list[str]:
    """Return the commitment, your seeds, and the last `reveals` shoes that were revealed."""
    shoe = kept.fair_shoe
    coming = shoe.next_player_seed or "none"
    if shoe.next_commitment is None:
        coming = "none yet; it gets a new commitment first"
    lines = [
        f"{ABOUT_COMMITMENT} (docs/fair-shuffle.md).",
        "",
        "Commitment",
        f"  {shoe.commitment}",
        f"Shoe {shoe.number:<10}your seed: {shoe.player_seed or 'none'}",
        f"The next one   your seed: {coming}",
        "",
    ]
    for reveal in shoe.reveals[-reveals:][::-1]:
        lines += [
            f"Shoe {reveal.number:<10}your seed: {reveal.player_seed or 'none'}, server seed:",
            f"  {reveal.server_seed.hex()}",
        ]
    return lines

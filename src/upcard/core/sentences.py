"""Sentences: reasons of errors, written for a person."""

from __future__ import annotations


def as_sentence(text: str) -> str:
    """Write a reason as a sentence: a capital letter, and a full stop where it has no end."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")

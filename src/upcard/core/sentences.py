"""Reasons of errors as sentences."""

from __future__ import annotations


def as_sentence(text: str) -> str:
    """Write a reason as a sentence: a capital letter, and a full stop unless it ends with one."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")

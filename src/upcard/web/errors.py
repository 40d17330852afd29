"""Refusals of a page: a status, a word for programs, a sentence for people."""

from __future__ import annotations

from http import HTTPStatus


class RefusedError(Exception):
    """A request that a page cannot answer; `words` is the sentence that is shown."""

    def __init__(
        self,
        status: HTTPStatus,
        error: str,
        words: str,
        fields: dict[str, str] | None = None,
        *,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Name the `error` for programs; `fields` has the sentence of each faulty field."""
        super().__init__(words)
        self.status = status
        self.error = error
        self.words = words
        self.fields = fields or {}
        self.headers = headers or {}
        self.rules = ""
        """Rules of a practice table that is gone; empty if they are not known."""


def not_found(words: str) -> RefusedError:
    """Return the refusal of an address without a page."""
    return RefusedError(HTTPStatus.NOT_FOUND, "not-found", words)


def busy(words: str) -> RefusedError:
    """Return the refusal of a request that changed nothing and can be sent again."""
    headers = {"Retry-After": "1", "Connection": "close"}
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words, headers=headers)

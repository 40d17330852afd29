"""Work beside what a front-end paints: runs, open tables and drills, answers that take long.

Nothing here knows how it is shown or asked for: neither HTTP nor a toolkit has a name here.
"""


class UnavailableError(Exception):
    """Something that cannot be had now, though nothing is wrong with how it was asked for."""

    def __init__(self, error: str, words: str) -> None:
        """Name the `error` for programs; `words` is the sentence for people."""
        super().__init__(words)
        self.error = error
        self.words = words


def not_found(words: str) -> UnavailableError:
    """Return the error of something that there is not."""
    return UnavailableError("not-found", words)

"""Fields of a query or a form: a few short texts, with limits."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from upcard.web.errors import RefusedError

if TYPE_CHECKING:
    from starlette.requests import Request

MOST_FIELDS: Final = 64
MOST_CHARS: Final = 2000
"""Characters of one text; the longest rules in notation have some 400."""
_FORM: Final = "application/x-www-form-urlencoded"


class Fields:
    """The texts of a request by name; of a repeated name the last counts, as for hidden fields."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        if len(pairs) > MOST_FIELDS:
            words = f"A form has at most {MOST_FIELDS} fields."
            raise RefusedError(HTTPStatus.BAD_REQUEST, "too-many-fields", words)
        for name, text in pairs:
            if len(text) > MOST_CHARS:
                words = f"This text has more than {MOST_CHARS} characters."
                raise RefusedError(
                    HTTPStatus.UNPROCESSABLE_ENTITY, "too-long", words, {name[:64]: words}
                )
        self._pairs = pairs
        self._texts = dict(pairs)

    def text(self, name: str, default: str = "") -> str:
        """Return a text without blanks around it."""
        return self._texts.get(name, default).strip()

    def texts(self, name: str) -> tuple[str, ...]:
        """Return all texts of a name, as those of ticked boxes, each once."""
        found = (text.strip() for known, text in self._pairs if known == name)
        return tuple(dict.fromkeys(filter(None, found)))

    def __contains__(self, name: str) -> bool:
        """Whether a field of this name came with the request."""
        return name in self._texts


def read_query(request: Request) -> Fields:
    """Return the fields of the address."""
    return Fields(request.query_params.multi_items())


async def read_form(request: Request) -> Fields:
    """Return the fields of a posted form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        words = f"A form is sent as {_FORM}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-a-form", words)
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
        )
    except ValueError:
        words = f"This is no form of at most {MOST_FIELDS} fields in UTF-8."
        raise RefusedError(HTTPStatus.BAD_REQUEST, "not-a-form", words) from None
    return Fields(pairs)

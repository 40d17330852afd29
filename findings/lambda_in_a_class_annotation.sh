#!/usr/bin/env bash
# States: typing.get_type_hints evaluates the text of a class's annotation with the names of the class
#   as globals and those of its module as locals. A function named there works when it is called;
#   a lambda written there does not find the names of its own module. Below a function it does.
# Seen with: CPython 3.11.7, 3.12.1 and 3.13.0 on 2026-11-28.
# Matters: a dataclass whose Annotated metadata holds a lambda, under `from __future__ import
#   annotations`, is read without a fault and fails when the lambda is called. Name a function,
#   use functools.partial, or pass globals() to get_type_hints.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

need_python PYTHON 3.11
cat >"$work/fields.py" <<'END'
from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, get_type_hints


def read(text, unit):
    return f"{text} {unit}"


@dataclass
class Form:
    by_lambda: Annotated[str, lambda text: read(text, "chips")]
    by_partial: Annotated[str, partial(read, unit="chips")]


def function(by_lambda: Annotated[str, lambda text: read(text, "chips")]): ...


def tell(owner, name, **names):
    reader = get_type_hints(owner, include_extras=True, **names)[name].__metadata__[0]
    try:
        return reader("5")
    except NameError as error:
        return error


print("class, lambda:", tell(Form, "by_lambda"))
print("class, partial:", tell(Form, "by_partial"))
print("class, lambda, with globals():", tell(Form, "by_lambda", globalns=globals()))
print("function, lambda:", tell(function, "by_lambda"))
END
expect run fields.py <<'END'
class, lambda: name 'read' is not defined
class, partial: 5 chips
class, lambda, with globals(): 5 chips
function, lambda: 5 chips
END

"""Shapes of the view models: the JSON that `upcard.web.showing` makes of a type, as a schema.

Annotations are read with the names that their module imports for the type checker only.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal

from upcard.answers.questions import Sheet
from upcard.core.cards import Card
from upcard.core.numbers import list_json

if typing.TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.answers.questions import NamedQuestion

NUMBER: Final = {"anyOf": [{"type": "number"}, {"enum": ["infinite", "-infinite"]}]}
"""An EV can be infinite, which JSON has no number for."""
_PLAIN: Final[dict[object, dict[str, Any]]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: NUMBER,
    Fraction: {"type": "string"},
    Card: {"type": "string"},
    type(None): {"type": "null"},
    Any: {},
    object: {},
}
_WORDS: Final[dict[object, str]] = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    float: "number",
    Fraction: "exact number as text",
    Card: "card as text",
    type(None): "null",
    Any: "any",
    object: "any",
}


@cache
def read_module(name: str) -> tuple[ast.Module, dict[str, Any]]:
    """Return the syntax of a module, and its names with those that only the type checker has."""
    module = sys.modules[name]
    tree = ast.parse(inspect.getsource(module))
    names = dict(vars(module))
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            exec(compile(ast.Module(node.body, []), name, "exec"), names)  # noqa: S102 (our own)
    return tree, names


def _list_hints(view: type) -> dict[str, Any]:
    """Return the types of attributes by name; a base sees the names of its own module."""
    own = [one for one in reversed(view.__mro__[:-1]) if inspect.get_annotations(one)]
    names: dict[str, Any] = {}
    for cls in own:
        names |= read_module(cls.__module__)[1]
    return typing.get_type_hints(view, names) if own else {}


@cache
def list_fields(view: type) -> dict[str, Any]:
    """Return the types of the parts of a view model or a result by their keys."""
    hints = _list_hints(view)
    return {key: _follow(view, path, hints) for key, path, _ in list_json(view)}


def _follow(view: type, path: str, hints: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the type of a part of a part, as `core.numbers` finds its value."""
    name, _, rest = path.partition(".")
    hint = _HOW_WRITTEN.get(name) or hints.get(name) or _type_of_property(view, name)
    if not rest:
        return hint
    if typing.get_origin(hint) in (dict, Mapping):
        return typing.get_args(hint)[1]
    inner, *others = (one for one in (typing.get_args(hint) or [hint]) if one is not type(None))
    if others:
        raise TypeError(f"{view.__name__}.{path}: the parts of {hint} have several types")
    found = _follow(inner, rest, _list_hints(inner))
    return found | None if type(None) in typing.get_args(hint) else found


def _type_of_property(view: type, name: str) -> Any:  # noqa: ANN401
    """Return the type that a property or a method returns."""
    found = inspect.getattr_static(view, name)
    function = getattr(found, "fget", None) or getattr(found, "func", found)
    return typing.get_type_hints(function, read_module(function.__module__)[1])["return"]


_HOW_WRITTEN: Final = {"__float__": float, "__str__": str}
"""Types of the methods in paths that say how a value is written."""


@cache
def describe_fields(view: type) -> dict[str, str]:
    """Return the words about the parts of a view model, a result or a form; others are left out."""
    if not hasattr(view, "json_keys"):
        return _describe_attributes(view)
    found = {key: _find_words(view, path) for key, path, _ in list_json(view)}
    return {key: words for key, words in found.items() if words}


def _find_words(view: type, path: str) -> str:
    """Return the words about a part of a part, where it is declared; empty without any."""
    name, _, rest = path.partition(".")
    if rest:
        hint = _list_hints(view).get(name) or _type_of_property(view, name)
        inner = next(one for one in (*typing.get_args(hint), hint) if one is not type(None))
        return _find_words(inner, rest) if _is_object(inner) else ""
    words = _describe_attributes(view).get(name)
    if words or name in getattr(view, "_fields", ()):
        return words or ""
    about = (inspect.getdoc(getattr(view, name, None)) or "").partition("\n\n")[0]
    return about.replace("\n", " ").removeprefix("Return ").removeprefix("Write ")


def _describe_attributes(view: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in view.__mro__[1:-1]:
        found |= _describe_attributes(base) if dataclasses.is_dataclass(base) else {}
    tree, _ = read_module(view.__module__)
    body = next(
        node.body
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name == view.__name__
    )
    for before, node in pairwise([*body, None]):
        match before, node:
            case (
                ast.AnnAssign(ast.Name(name)),
                ast.Expr(ast.Constant(str(words))),
            ) | (
                ast.AnnAssign(
                    ast.Name(name),
                    ast.Subscript(ast.Name("Annotated"), ast.Tuple([_, ast.Constant(str(words))])),
                ),
                _,
            ):
                found[name] = " ".join(inspect.cleandoc(words).split())
            case ast.AnnAssign(ast.Name(name), ast.Subscript(ast.Name("Annotated"))), _:
                hint = typing.get_type_hints(view, include_extras=True)[name]
                if isinstance(words := hint.__metadata__[0], str):
                    found[name] = words
    return found


def make_schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401 (any annotation)
    """Return the JSON schema of a type. Raises: TypeError for one that no view model has."""
    hint = _simplify(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [make_schema(one) for one in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple and arguments[-1] is not Ellipsis:
        count = len(arguments)
        items = [make_schema(one) for one in arguments]
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": make_schema(arguments[0])}
    if origin in (dict, Mapping):
        names = arguments[0]
        schema = {"type": "object", "additionalProperties": make_schema(arguments[1])}
        if isinstance(names, type) and issubclass(names, Enum):
            schema["propertyNames"] = make_schema(names)
        return schema
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [one.value for one in hint]}
    if isinstance(hint, type) and _is_list(hint):
        names = typing.get_type_hints(hint, read_module(hint.__module__)[1])
        return make_schema(tuple[tuple(names[name] for name in hint._fields)])
    if _is_object(hint):
        return {"$ref": f"#/$defs/{name_of(hint)}"}
    msg = f"a view model has no {hint}"
    raise TypeError(msg)


def _is_list(kind: type) -> bool:
    """Whether a type is a named tuple, which is a list but where it names its keys."""
    return hasattr(kind, "_fields") and not hasattr(kind, "json_keys")


def _is_object(kind: Any) -> bool:  # noqa: ANN401
    """Whether JSON has objects of a type with keys of their own."""
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "json_keys"))


def _simplify(hint: Any) -> Any:  # noqa: ANN401
    """Return a type by what JSON has of it: one that is written as text, of any type, generic."""
    if typing.get_origin(hint) is typing.ClassVar:
        hint = typing.get_args(hint)[0]
    if getattr(hint, "json_keys", None) is str:
        return str
    if isinstance(hint, typing.TypeVar):  # of a part that is of another type in each question
        return Any
    origin = typing.get_origin(hint)
    return origin if dataclasses.is_dataclass(origin) else hint


def make_whole(hint: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the schema of a type with all that it needs, such as of the result of a question."""
    inside = dict.fromkeys(one for view in list_inside(hint) for one in list_views(view))
    parts = {name_of(one): _make_object(one) for one in inside}
    if sheet := parts.get(name_of(Sheet)):  # it is the result, and has none beside it
        sheet["properties"]["result"] = {"type": "null"}
    return make_schema(hint) | {"$defs": parts}


def find_result(question: NamedQuestion) -> Any:  # noqa: ANN401
    """Return the type of the result of a question; its sheet where that has none beside it."""
    names = read_module(question.answer.__module__)[1]
    sheet = typing.get_type_hints(question.answer, names)["return"]
    result = (*typing.get_args(sheet), type(None))[0]
    is_one_of = typing.get_origin(result) in (typing.Union, types.UnionType)
    kinds = typing.get_args(result) if is_one_of else (result,)
    return typing.Union[tuple(Sheet if one is type(None) else one for one in kinds)]  # noqa: UP007


def make_document(view: type) -> dict[str, Any]:
    """Return the schema of a page: its view model, the version and the name of the page."""
    own = _make_object(view)
    own["properties"] |= {"api": {"const": _version()}, "page": {"type": "string"}}
    own["required"] += ["api", "page"]
    definitions = {name_of(one): _make_object(one) for one in list_views(view) if one is not view}
    return own | {"$defs": definitions}


def _make_object(view: type) -> dict[str, Any]:
    fields = {name: make_schema(hint) for name, hint in list_fields(view).items()}
    return {
        "type": "object",
        "properties": fields,
        "required": [key for key, _, condition in list_json(view) if not condition],
        "additionalProperties": False,
    }


def _version() -> int:
    from upcard.web.showing import API_VERSION

    return API_VERSION


def name_of(view: type) -> str:
    """Return the name of a view model; of two with one name, the module tells which."""
    return f"{view.__module__.rpartition('.')[2]}.{view.__name__}"


def list_views(view: type) -> list[type]:
    """Return a view model and all that its JSON contains, each once."""
    found: list[type] = []

    def add(one: type) -> None:
        if one not in found:
            found.append(one)
            for hint in list_fields(one).values():
                for inner in list_inside(hint):
                    add(inner)

    add(view)
    return found


def list_inside(hint: Any) -> Iterator[type]:  # noqa: ANN401 (any annotation)
    """Yield the view models that a type names."""
    hint = _simplify(hint)
    if _is_object(hint) and hint not in _PLAIN:
        yield hint
    for one in typing.get_args(hint):
        yield from list_inside(one)


def write_type(hint: Any, link: typing.Callable[[type], str]) -> str:  # noqa: ANN401
    """Write a type in words; `link` writes the name of a view model."""
    hint = _simplify(hint)
    if hint in _WORDS:
        return _WORDS[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in arguments)
    words = [write_type(one, link) for one in arguments if one is not Ellipsis]
    if origin in (typing.Union, types.UnionType):
        return " or ".join(words)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"list of {len(words)}: {', '.join(words)}"
    if origin in (tuple, list, Sequence):
        return f"list of {words[0]}"
    if origin in (dict, Mapping):
        return f"object of {words[1]} by {words[0]}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return " or ".join(f"`{one.value}`" for one in hint)
    if isinstance(hint, type) and _is_list(hint):
        names = typing.get_type_hints(hint, read_module(hint.__module__)[1])
        fields = [f"{name} ({write_type(names[name], link)})" for name in hint._fields]
        return f"list of {len(fields)}: {', '.join(fields)}"
    return link(hint)

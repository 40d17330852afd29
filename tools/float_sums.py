"""A plugin of mypy: refuse `sum()` of floats, whose last bits depend on the Python.

From Python 3.12 on, `sum()` compensates for rounding, so that one program has two results.
`math.fsum` rounds once, everywhere. Only the types tell floats from integers and fractions, for
which `sum()` is right.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.errorcodes import OPERATOR
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import GeneratorExpr, ListComprehension
from mypy.plugin import FunctionContext, Plugin
from mypy.typeops import tuple_fallback
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

SAID = "sum() of floats has other last bits from Python 3.12 on; use math.fsum()"


def adds_floats(context: FunctionContext) -> bool:
    """Tell whether one of the items that a call adds, or its start, can be a float."""
    (given,), (items,) = context.args[0], context.arg_types[0]
    found = [kind for kinds in context.arg_types[1:] for kind in kinds]
    if isinstance(given, ListComprehension):
        given = given.generator
    if isinstance(given, GeneratorExpr):  # its own type is what the call's surroundings expect
        return any(map(is_float, [context.api.lookup_type(given.left_expr), *found]))
    items = get_proper_type(items)
    if isinstance(items, TupleType):
        items = tuple_fallback(items)
    if isinstance(items, Instance):
        iterable = context.api.named_generic_type("typing.Iterable", []).type
        if items.type.has_base(iterable.fullname):
            found += map_instance_to_supertype(items, iterable).args
    return any(map(is_float, found))


def is_float(kind: Type) -> bool:
    kind = get_proper_type(kind)
    if isinstance(kind, UnionType):
        return any(is_float(one) for one in kind.items)
    return isinstance(kind, Instance) and kind.type.fullname == "builtins.float"


def refuse(context: FunctionContext) -> Type:
    """Report a call that adds floats."""
    if adds_floats(context):
        # What is said while mypy tries the overloads of sum() is thrown away: say it past that.
        errors = context.api.errors
        trials, errors._watchers = errors._watchers, []  # noqa: SLF001
        context.api.fail(SAID, context.context, code=OPERATOR)
        errors._watchers = trials  # noqa: SLF001
    return context.default_return_type


class FloatSums(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return refuse if fullname == "builtins.sum" else None


def plugin(_version: str) -> type[Plugin]:
    return FloatSums

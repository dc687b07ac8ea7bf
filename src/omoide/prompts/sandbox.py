"""Rendering templates that nobody here wrote: no way out, and limits on steps, size and time (ruling 27)."""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from jinja2 import (
    Environment,
    StrictUndefined,
    TemplateAssertionError,
    TemplateError,
    TemplateSyntaxError,
    nodes,
)
from jinja2.exceptions import SecurityError
from jinja2.filters import do_round
from jinja2.meta import find_undeclared_variables
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from omoide.domain.particles import particle
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from jinja2 import Template

_P = ParamSpec("_P")
_T = TypeVar("_T")

SOURCE = 40_000
"""Characters of a template at most."""

OUTPUT = 100_000
"""Characters of what it renders to at most."""

STEPS = 20_000
"""Turns of loops, and calls, in one rendering at most."""

SECONDS = 1.0
"""Time of one rendering at most."""

# What can neither multiply its input nor reach out.
_FILTERS = frozenset(
    {
        *("abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "int"),
        *("items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr"),
        *("reverse", "round", "select", "selectattr", "sort", "string", "striptags", "sum", "title", "trim"),
        *("truncate", "unique", "upper"),
    }
)
_METHODS = frozenset(
    {
        *("upper", "lower", "strip", "startswith", "endswith", "split", "title", "capitalize"),
        *("items", "keys", "values", "get"),
    }
)
_DEPTH = 5
_LARGEST = 2**63
"""Whole numbers stay below this: what is squared again and again takes longer than any clock is looked at."""

_PLACES = 15
"""Places to which a number can be rounded: ten to the power of more is such a number by itself."""

_BUILT_IN = (str, bytes, int, float, list, tuple, dict)


_FAILURES = (
    TemplateError,
    ArithmeticError,
    AssertionError,  # of filters, for arguments that they do not expect
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What rendering a template that nobody here wrote may raise."""


@dataclass(slots=True)
class _Spent:
    steps: int
    until: float

    def step(self) -> None:
        self.steps += 1
        if self.steps > STEPS or time.monotonic() > self.until:
            msg = f"it takes more than {STEPS} steps or {SECONDS:g} s"
            raise SecurityError(msg)


_spent: ContextVar[_Spent] = ContextVar("_spent")


def render(source: str, values: Mapping[str, object], *, name: str) -> str:
    """Render a template in the sandbox.

    Args:
        source: the template.
        values: what it may show; plain values only.
        name: what to call it where it fails.

    Raises:
        InvalidInput: it is no template, shows something that is not given, or goes past a limit.
    """
    try:
        with _limited():
            return _joined(_compiled(source).generate(**values))
    except _FAILURES as error:
        msg = f"the template {name!r} cannot be rendered: {type(error).__name__}; correct it"
        raise InvalidInput(msg) from error


def check(source: str, samples: Sequence[Mapping[str, object]], *, name: str) -> None:
    """See that a text is a template, shows only what it is given, and can be rendered.

    Args:
        source: the template.
        samples: values of the right shape, all with the same names; it is rendered with each.
        name: what to call it where it fails.

    Raises:
        InvalidInput: it cannot be used; the message says in which line, and what may be shown.
    """
    given = sorted({value for sample in samples for value in sample})
    try:
        _compiled(source)
        wrong = _unknown(source, given)
        for sample in () if wrong else samples:
            with _limited():
                _joined(_compiled(source).generate(**sample))
    except _FAILURES as error:
        wrong = f"{_line(error)}{type(error).__name__}: {error}"
        cause: Exception | None = error
    else:
        cause = None
    if wrong:
        may = f"it may show {', '.join(given)}" if given else "there are no values that it may show"
        filters = ", ".join(sorted(_ENVIRONMENT.filters.keys() - {"counted"}))
        by = f", with the filters {filters}" if isinstance(cause, TemplateAssertionError) else ""
        msg = f"the text for {name!r} cannot be used: {wrong}; {may}{by}"
        raise InvalidInput(msg) from cause


def _unknown(source: str, given: Collection[str]) -> str:
    """The first variable that is not given, also in a branch that is not taken; empty if there is none."""
    tree = _ENVIRONMENT.parse(source)
    unknown = find_undeclared_variables(tree) - {*given, *_ENVIRONMENT.globals}
    found = [node for node in tree.find_all(nodes.Name) if node.name in unknown]
    first = min(found, key=lambda node: node.lineno, default=None)
    return "" if first is None else f"in line {first.lineno} nothing is called {first.name!r}"


def _line(error: BaseException) -> str:
    """Where in the template it went wrong, as far as that can be told."""
    if isinstance(error, TemplateSyntaxError):
        return f"in line {error.lineno} "
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return f"in line {lines[-1]} " if lines else ""


@contextmanager
def _limited() -> Iterator[None]:
    token = _spent.set(_Spent(steps=0, until=time.monotonic() + SECONDS))
    try:
        yield
    finally:
        _spent.reset(token)


def _joined(pieces: Iterable[str]) -> str:
    kept: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > OUTPUT:
            msg = f"it renders to more than {OUTPUT} characters"
            raise SecurityError(msg)
        kept.append(piece)
    return "".join(kept)


@lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    if len(source) > SOURCE:
        msg = f"it is longer than {SOURCE} characters"
        raise SecurityError(msg)
    return _ENVIRONMENT.from_string(source)


class _Counted(NodeTransformer):
    """Lets loops be counted, and joins be measured."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        joined = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(joined, "join", [], [], None, None, lineno=node.lineno)


class _Environment(ImmutableSandboxedEnvironment):
    """No attribute, call or operator that could reach out or swell."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = cast("nodes.Template", _Counted().visit(super()._parse(source, name, filename)))
        tree.set_environment(self)
        return tree

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        if callable(value) and isinstance(obj, _BUILT_IN) and attr not in _METHODS:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "**" or (operator in "*%" and not numbers):
            msg = f"the operator {operator} is not allowed here"
            raise SecurityError(msg)
        return _measured(super().call_binop(context, operator, left, right))

    def call(self, context: Context, called: object, /, *args: Any, **kwargs: Any) -> object:
        _spent.get().step()
        return _measured(super().call(context, called, *args, **kwargs))


def _measured(value: _T, depth: int = 0) -> _T:
    """The value, if it is small, also when it is written out: a list of lists of lists may not be."""
    if isinstance(value, int) and abs(value) >= _LARGEST:
        msg = "a number grows past 64 bits"
        raise SecurityError(msg)
    if depth > _DEPTH or (isinstance(value, str | list | tuple | dict) and len(value) > OUTPUT):
        msg = f"a value grows past {OUTPUT} characters or items, or {_DEPTH} levels"
        raise SecurityError(msg)
    if isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            _spent.get().step()
            _measured(item, depth + 1)
    return value


def _measuring(function: Callable[_P, _T]) -> Callable[_P, _T]:
    @wraps(function)
    def measured(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        _spent.get().step()
        for given in args[1:] if args and isinstance(args[0], Context | Environment | EvalContext) else args:
            _measured(given)
        return _measured(function(*args, **kwargs))

    return measured


def _rounded(
    value: float, precision: int = 0, method: Literal["common", "ceil", "floor"] = "common"
) -> float:
    if abs(precision) > _PLACES:
        msg = f"a number is rounded to {_PLACES} places at most"
        raise SecurityError(msg)
    return do_round(value, precision, method)


def _counted(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _spent.get().step()
        yield item


def _made() -> _Environment:
    made = _Environment(undefined=StrictUndefined, finalize=_measured, trim_blocks=True, lstrip_blocks=True)
    made.filters = {name: _measuring(function) for name, function in made.filters.items() if name in _FILTERS}
    made.filters["counted"] = _counted
    made.filters["round"] = _measuring(_rounded)
    made.filters["particle"] = _measuring(particle)
    made.globals = {"range": made.globals["range"]}
    return made


_ENVIRONMENT = _made()

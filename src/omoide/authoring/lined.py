"""YAML and Markdown with front matter, read as plain values with the line of each (K12)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import yaml

from omoide.authoring.problem import Path, Problem, Spot
from omoide.characters.plain_yaml import PlainLoader
from omoide.domain.text import clean, is_blank, unstorable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.nodes import MappingNode, Node

LONGEST: Final = 8 * 1024 * 1024
"""Bytes of one file at most."""

_NUMBERS: Final = frozenset({"confidence", "importance", "age", "absolute_day", "weight", "scores"})
"""Fields that hold numbers; anything else is text, also where YAML would see a date, a yes or a number."""

_NULL: Final = "tag:yaml.org,2002:null"
_TEXT: Final = "tag:yaml.org,2002:str"
_NUMBER: Final = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_FEW: Final = 20
"""Lines of control characters in one file that are told of: more are no text."""

_EMPTY: Final = "nothing stands in this file; write something into it, or take the file away"
_LINE_END: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_FENCE: Final = re.compile(r"---[ \t]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry of a file: its fields, and where they stand."""

    values: dict[str, object]
    spot: Spot


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """What a file holds, and what is wrong with the rest of it."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_list(data: bytes, *, file: str) -> Read:
    """The entries of a YAML file that holds a list."""
    text = _decoded(data, file)
    if not isinstance(text, str):
        return Read(problems=text)
    try:
        return _list(text, file)
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a number of very many digits
        return Read(problems=(_unreadable(error, file, text),))


def read_markdown(data: bytes, *, file: str) -> Read:
    """The entry of a Markdown file: fields as front matter between two lines of ``---``, and the text."""
    text = _decoded(data, file)
    if not isinstance(text, str):
        return Read(problems=text)
    if is_blank(text):
        return Read(problems=(Problem(file=file, line=1, text=_EMPTY),))
    lines = text.split("\n")
    ends = (number for number, line in enumerate(lines) if number and _FENCE.fullmatch(line))
    end = next(ends, None) if _FENCE.fullmatch(lines[0]) else None
    if end is None:
        wrong = "a memory begins with its fields between two lines of ---"
        return Read(problems=(Problem(file=file, line=1, text=wrong),))
    front = "\n".join(["", *lines[1:end]])
    try:
        return _markdown(front, lines, end, file)
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a number of very many digits
        return Read(problems=(_unreadable(error, file, front),))


def _list(text: str, file: str) -> Read:
    loader = PlainLoader(text)
    node = loader.get_single_node()
    if node is None or node.tag == _NULL:
        return Read(problems=(Problem(file=file, line=1, text=_EMPTY),))
    if not isinstance(node, yaml.SequenceNode):
        wrong = "the file holds a list; begin each entry with `- `"
        return Read(problems=(Problem(file=file, line=_line(node), text=wrong),))
    entries, problems = [], []
    for item in node.value:
        if isinstance(item, yaml.MappingNode):
            entry, doubled = _entry(loader, item, file)
            entries.append(entry)
            problems += doubled
        else:
            wrong = "an entry holds fields, such as `id: first-snow`"
            problems.append(Problem(file=file, line=_line(item), text=wrong))
    return Read(entries=tuple(entries), problems=tuple(problems))


def _markdown(front: str, lines: list[str], end: int, file: str) -> Read:
    loader = PlainLoader(front)
    node = loader.get_single_node()
    if node is None or node.tag == _NULL:
        node = yaml.MappingNode("tag:yaml.org,2002:map", [], loader.get_mark(), loader.get_mark())
    if not isinstance(node, yaml.MappingNode):
        wrong = "the front matter holds fields, such as `day: 2011-05-03`"
        return Read(problems=(Problem(file=file, line=_line(node), text=wrong),))
    entry, problems = _entry(loader, node, file)
    if "text" in entry.values:
        problems.append(entry.spot.problem("the text of a Markdown file stands below its fields", "text"))
    body = lines[end + 1 :]
    first = next((number for number, line in enumerate(body) if line.strip()), 0)
    found = Spot(file=file, line=1, lines={**entry.spot.lines, ("text",): end + 2 + first})
    values = {**entry.values, "text": "\n".join(body).strip("\n")}
    return Read(entries=(Entry(values=values, spot=found),), problems=tuple(problems))


def _entry(loader: PlainLoader, node: MappingNode, file: str) -> tuple[Entry, list[Problem]]:
    """An entry, and the fields that stand in it twice."""
    lines: dict[Path, int] = {}
    problems = []
    for path, found in _walk(node, ()):
        if path in lines:
            wrong = f"{path[-1]!r} stands there twice, first in line {lines[path]}"
            problems.append(Problem(file=file, line=_line(found), text=wrong))
        lines.setdefault(path, _line(found))
    for scalar in _scalars(node):
        if (sign := unstorable(scalar.value)) is not None:
            problems.append(_controlled(sign, file, _line(scalar)))
        scalar.value = clean(scalar.value)  # an escape may have brought forth other line ends
    values = loader.construct_document(node)
    return Entry(values=values, spot=Spot(file=file, line=_line(node), lines=lines)), problems


def _walk(node: Node, path: Path, *, numbers: bool = False) -> Iterator[tuple[Path, Node]]:
    """Every value with the way to it; what is text by its field is marked as such on the way."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            key.tag = _TEXT if isinstance(key, yaml.ScalarNode) else key.tag
            name = str(key.value)
            yield (*path, name), key
            yield from _walk(value, (*path, name), numbers=numbers or name in _NUMBERS)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield (*path, place), value
            yield from _walk(value, (*path, place), numbers=numbers)
    elif node.tag != _NULL and not (numbers and node.tag in _NUMBER):
        node.tag = _TEXT


def _scalars(node: Node) -> Iterator[yaml.ScalarNode]:
    """Every single value, and every name of a field."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for one in pair:
                yield from _scalars(one)
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _scalars(one)


def _decoded(data: bytes, file: str) -> str | tuple[Problem, ...]:
    if len(data) > LONGEST:
        return (
            Problem(file=file, line=1, text=f"the file is larger than {LONGEST} bytes; make several of it"),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return (Problem(file=file, line=line, text="the file is not in UTF-8; save it as such"),)
    found = ((number, unstorable(line)) for number, line in enumerate(_LINE_END.split(text), 1))
    wrong = tuple(_controlled(sign, file, line) for line, sign in found if sign is not None)
    return wrong[:_FEW] or clean(text)


def _controlled(sign: str, file: str, line: int) -> Problem:
    text = f"the control character U+{ord(sign):04X} stands here, which nobody sees; take it out"
    return Problem(file=file, line=line, text=text)


def _unreadable(error: yaml.YAMLError | ValueError, file: str, text: str) -> Problem:
    reason, line = None, 1
    if isinstance(error, yaml.MarkedYAMLError):
        mark, reason = error.problem_mark or error.context_mark, error.problem
        line = 1 if mark is None else int(mark.line) + 1
    elif isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        sign = f"U+{ord(text[error.position]):04X}"
        reason = f"{sign} stands here as it is; write it in quotes as an escape, or take it out"
    return Problem(file=file, line=line, text=f"this is no YAML that can be read: {reason or error}")


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1

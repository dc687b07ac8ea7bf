"""YAML as people write it by hand: plain values, a few levels, nothing that unfolds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import yaml

if TYPE_CHECKING:
    from yaml.nodes import Node

_DEEPEST: Final = 16
"""How deep lists and mappings may lie in each other."""


class PlainLoader(yaml.SafeLoader):
    """Plain values only: no aliases, which can make little into very much, and nothing very deep."""

    _depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        """A node of the document.

        Raises:
            yaml.MarkedYAMLError: it refers to another, or lies too deep.
        """
        referring = self.check_event(yaml.AliasEvent)
        mark = self.current_event.start_mark
        if referring:
            raise yaml.MarkedYAMLError(problem="references (*name) are not read", problem_mark=mark)
        if self._depth >= _DEEPEST:
            raise yaml.MarkedYAMLError(problem=f"more than {_DEEPEST} levels", problem_mark=mark)
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_object(self, node: Node, deep: bool = False) -> object:
        """The value of a node.

        A day that never was, or a number of thousands of digits, stays the text that it is written as:
        whoever needs a day or a number there says so, and all else in the file is read.
        """
        try:
            return super().construct_object(node, deep=deep)
        except ValueError:
            return node.value

"""A value of a wrong type is told of where it comes in, with the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from opening import opened

from omoide import Message, Role
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from omoide.scope import Scope

CALLS: dict[str, Callable[[Scope, Any], Coroutine[Any, Any, object]]] = {
    "observe user": lambda scope, wrong: scope.observe(user=wrong),
    "observe session": lambda scope, wrong: scope.observe(user="I swim", session=wrong),
    "observe time": lambda scope, wrong: scope.observe(user="I swim", at=wrong),
    "observe feeling": lambda scope, wrong: scope.observe(user="I swim", feeling=wrong),
    "observe messages": lambda scope, wrong: scope.observe(messages=[wrong]),
    "sync session": lambda scope, wrong: scope.sync([Message(role=Role.USER, text="x")], session=wrong),
    "sync messages": lambda scope, wrong: scope.sync([wrong]),
    "recall": lambda scope, wrong: scope.recall(wrong),
    "recall session": lambda scope, wrong: scope.recall("x", session=wrong),
    "recall as of": lambda scope, wrong: scope.recall("x", as_of=wrong),
    "rewind": lambda scope, wrong: scope.rewind(wrong),
    "delete": lambda scope, wrong: scope.delete(wrong),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_wrong_type_is_told_of_with_the_value(tmp_path: Path, name: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe(user="I swim")
        with pytest.raises(InvalidInput, match="2026"):
            await CALLS[name](scope, 2026)


async def test_nothing_to_recall_for_is_told_of(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        nothing: Any = None
        with pytest.raises(InvalidInput, match="None"):
            await omoide.scope(user="u", character="c").recall(nothing)


async def test_a_name_of_a_wrong_type_is_told_of(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        wrong: Any = 5
        with pytest.raises(InvalidInput, match="5"):
            omoide.scope(user=wrong, character="c")
        with pytest.raises(InvalidInput, match="5"):
            omoide.scope(user="u", character=wrong)


@pytest.mark.parametrize("details", [{"role": "user"}, {"text": 5}, {"at": "2026"}, {"external_id": 5}])
def test_a_message_holds_what_it_says(details: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="got"):
        Message(**{"role": Role.USER, "text": "x", **details})

"""The same path against real llama.cpp, with a model that is too small to be clever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel, Field

from omoide.domain.chat import Turn
from omoide.models.chat import ServedModel
from omoide.models.endpoint import Endpoint

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [
    pytest.mark.live,
    pytest.mark.xdist_group("llama"),
    pytest.mark.proves("H25"),
    pytest.mark.asyncio(loop_scope="module"),
]

TURNS = [
    Turn("system", "You are a friend. You answer in one short sentence."),
    Turn("user", "Hello! I adopted a cat today."),
    Turn("assistant", "How lovely!"),
    Turn("user", "Her name is Nabi. Do you like cats?"),
]


class Liking(BaseModel):
    """What a model of any size can answer, if the server holds it to the schema."""

    likes: bool
    strength: int = Field(ge=1, le=10)


@pytest.fixture
async def served(llama: str, request: pytest.FixtureRequest) -> AsyncIterator[ServedModel]:
    endpoint = Endpoint(
        model="any", url=f"{llama}/v1", output=request.param, max_tokens=96, temperature=0.0, seconds=120
    )
    model = ServedModel(endpoint)
    yield model
    await model.aclose()


@pytest.mark.parametrize("served", ["native"], indirect=True)
async def test_a_reply_comes_in_pieces(served: ServedModel) -> None:
    spent = []
    pieces = [piece async for piece in served.stream(TURNS, count=spent.append)]

    assert len(pieces) > 1
    assert "".join(pieces).strip()
    assert spent[0].prompt > 20
    assert spent[0].answer >= len(pieces) / 2


@pytest.mark.parametrize("served", ["native"], indirect=True)
async def test_a_typed_answer_is_held_to_its_schema(served: ServedModel) -> None:
    answer = await served.answer(TURNS, Liking)

    assert 1 <= answer.value.strength <= 10
    assert answer.usage.calls == 1
    assert answer.usage.prompt > 20

"""Which model does which task, and texts in place of built-in prompts; both hold from the next call on."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from omoide.domain.text import Language
from omoide.engine import Engine
from omoide.errors import NotFound
from omoide.models.choices import ModelChoices, PromptChoices
from omoide.models.endpoint import RowSettings
from omoide.server.doors import AnyEngine, admin_of
from omoide.server.routes.bodies import Body, Name, Words
from omoide.views import ModelChoiceView, PromptChoiceView

router = APIRouter(prefix="/api", tags=["models"], dependencies=[Depends(admin_of)])


class ModelBody(RowSettings):
    """A model, and how it is asked; what is left out comes from the settings. Keys are never stored."""

    model: Name


class PromptBody(Body):
    """A Jinja2 template."""

    body: Words


@router.get("/models")
async def models(engine: AnyEngine) -> list[ModelChoiceView]:
    """Every task, its model, and where that is set."""
    return [ModelChoiceView.of(choice) for choice in await engine.read(_models(engine).all)]


@router.put("/models/{task}")
async def set_model(engine: AnyEngine, task: str, body: ModelBody) -> ModelChoiceView:
    """Set the model of a task, or of ``default`` for all tasks that have none of their own."""
    row = RowSettings(**body.model_dump(exclude={"model"}))
    return ModelChoiceView.of(await engine.run(lambda: _models(engine).put(task, body.model, row)))


@router.delete("/models/{task}", status_code=204)
async def unset_model(engine: AnyEngine, task: str) -> None:
    """Take away what was set for a task; the default or the settings hold again."""
    if not await engine.run(lambda: _models(engine).remove(task)):
        msg = f"no model was set for {task!r}"
        raise NotFound(msg)


@router.get("/prompts")
async def prompts(engine: AnyEngine) -> list[PromptChoiceView]:
    """Every prompt as it holds now."""
    return [PromptChoiceView.of(choice) for choice in await engine.read(PromptChoices(engine.store).all)]


@router.put("/prompts/{name}/{language}")
async def set_prompt(engine: AnyEngine, name: str, language: Language, body: PromptBody) -> PromptChoiceView:
    """Put a text in place of a built-in prompt."""
    choices = PromptChoices(engine.store)
    return PromptChoiceView.of(await engine.run(lambda: choices.put(name, language, body.body)))


@router.delete("/prompts/{name}/{language}", status_code=204)
async def unset_prompt(engine: AnyEngine, name: str, language: Language) -> None:
    """Let the built-in prompt hold again."""
    if not await engine.run(lambda: PromptChoices(engine.store).remove(name, language)):
        msg = f"the built-in prompt {name!r} ({language}) holds already"
        raise NotFound(msg)


def _models(engine: Engine) -> ModelChoices:
    return ModelChoices(engine.store, engine.settings)

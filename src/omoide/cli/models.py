"""Commands on which model does which task, and on the wording of prompts; both hold at once, everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import with_store, words_of
from omoide.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.bootstrap import Omoide
    from omoide.models.choices import ModelChoice, PromptChoice

T = TypeVar("T")
models = typer.Typer(help="Which model does which task.")
prompts = typer.Typer(help="The wording of prompts.")

_Task = Annotated[str, typer.Argument(metavar="TASK", help="A task, or default for all that have none.")]
_Prompt = Annotated[str, typer.Argument(metavar="PROMPT", help="A name that `omoide prompts list` shows.")]
_Language = Annotated[Literal["ko", "ja", "zh", "en"], typer.Argument(help="The language.")]
_Template = Annotated[Path, typer.Argument(metavar="FILE", help="A Jinja2 template; - is standard input.")]


@models.command("list")
def models_list(*, store: Store = None, json: Json = False) -> None:
    """List every task, its model, and where that is set."""
    from omoide.models.choices import ModelChoices

    found = _in_store(store, lambda omoide: ModelChoices(omoide.store, omoide.settings).all())
    if json:
        show.as_json([_model_fields(choice) for choice in found])
        return
    columns = ("task", "model", "server", "output", "set by")
    show.table(columns, [_model_cells(choice) for choice in found], wide="server")


@models.command("set")
def models_set(
    task: _Task,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The model's name on its server.")],
    *,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="Its server, if not that of the settings.")
    ] = None,
    provider: Annotated[
        Literal["openai", "anthropic"] | None, typer.Option("--provider", help="What the server speaks.")
    ] = None,
    output: Annotated[
        Literal["native", "tool", "prompted"] | None,
        typer.Option("--output", help="How typed answers are asked for."),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option("--key-env", metavar="NAME", help="The environment variable that holds its API key."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="N", help="Time limit of one call.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", metavar="0-2", help="Sent to the server only if set.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", metavar="N", help="Sent to the server only if set.")
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Set the model of a task; running programs use it from their next call on. Keys are never stored."""
    from omoide.models.choices import ModelChoices
    from omoide.models.endpoint import RowSettings

    row = RowSettings(
        provider=provider,
        url=url,
        output=output,
        key_env=key_env,
        seconds=seconds,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    choice = _in_store(
        store, lambda omoide: ModelChoices(omoide.store, omoide.settings).put(task, model, row), make=True
    )
    show.answer(_model_fields(choice), f"{task} is done by {choice.endpoint} from now on", json=json)


@models.command("unset")
def models_unset(task: _Task, *, store: Store = None, json: Json = False) -> None:
    """Take away what was set for a task; the default or the settings hold again."""
    from omoide.models.choices import ModelChoices

    if not _in_store(store, lambda omoide: ModelChoices(omoide.store, omoide.settings).remove(task)):
        msg = f"no model was set for {task!r}; `omoide models list` shows what is"
        raise NotFound(msg)
    show.answer({"task": task}, f"{task} has no model of its own any more", json=json)


@prompts.command("list")
def prompts_list(*, store: Store = None, json: Json = False) -> None:
    """List the prompts; the JSON has their whole text."""
    from omoide.models.choices import PromptChoices

    found = _in_store(store, lambda omoide: PromptChoices(omoide.store).all())
    if json:
        show.as_json([_prompt_fields(choice) for choice in found])
        return
    cells = [
        [choice.name, choice.language, f"version {choice.version}" if choice.version else "built in"]
        for choice in found
    ]
    show.table(("prompt", "language", "holds"), cells)


@prompts.command("set")
def prompts_set(
    prompt: _Prompt,
    language: _Language,
    file: _Template,
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """Put a text in place of a built-in prompt; running programs use it from their next call on."""
    from omoide.models.choices import PromptChoices

    body = words_of(file)
    choice = _in_store(
        store, lambda omoide: PromptChoices(omoide.store).put(prompt, language, body), make=True
    )
    line = f"version {choice.version} of {prompt} ({language}) holds from now on"
    show.answer(_prompt_fields(choice), line, json=json)


@prompts.command("unset")
def prompts_unset(prompt: _Prompt, language: _Language, *, store: Store = None, json: Json = False) -> None:
    """Let the built-in prompt hold again."""
    from omoide.models.choices import PromptChoices

    if not _in_store(store, lambda omoide: PromptChoices(omoide.store).remove(prompt, language)):
        msg = f"the built-in prompt {prompt!r} ({language}) holds already"
        raise NotFound(msg)
    fields = {"prompt": prompt, "language": language}
    show.answer(fields, f"the built-in prompt {prompt} ({language}) holds again", json=json)


def _in_store(store: str | None, look: Callable[[Omoide], T], *, make: bool = False) -> T:
    async def work(omoide: Omoide) -> T:
        return await omoide.run(lambda: look(omoide))

    return with_store(Where(store=store), work, vectors=False, make=make)


def _model_fields(choice: ModelChoice) -> dict[str, object]:
    from omoide.views import ModelChoiceView

    return ModelChoiceView.of(choice).fields()


def _model_cells(choice: ModelChoice) -> list[str]:
    found = choice.endpoint
    if found is None:
        return [choice.task, choice.trouble or "none", "", "", choice.source]
    return [choice.task, found.model, found.address, found.output, choice.source]


def _prompt_fields(choice: PromptChoice) -> dict[str, object]:
    from omoide.views import PromptChoiceView

    return PromptChoiceView.of(choice).fields()

"""What is set while running: the model of each task, and texts in place of built-in prompts (P4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from omoide.domain.chat import Task
from omoide.domain.text import clean, is_blank, unstorable
from omoide.errors import InvalidInput
from omoide.models.endpoint import RowSettings, from_row, from_settings
from omoide.prompts.sandbox import check
from omoide.prompts.templates import built_in, built_in_names
from omoide.prompts.values import SAMPLES
from omoide.stores.tasks import DEFAULT, PromptRow, PromptRows, TaskRow, TaskRows

if TYPE_CHECKING:
    from omoide.config import Settings
    from omoide.domain.text import Language
    from omoide.models.endpoint import Endpoint
    from omoide.stores.store import Store

_LOST: Final = "\ufffd"
"""What stands in place of bytes that are no UTF-8."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelChoice:
    """The model of a task as it is set now.

    Attributes:
        task: a task, or ``default``.
        endpoint: the model; None where none is set, or where what is set is wrong.
        source: what says so: a row of the task's own, the row ``default``, or the settings.
        trouble: what is wrong with it; empty if nothing is.
    """

    task: str
    endpoint: Endpoint | None
    source: Literal["row", "default", "settings", "none"]
    trouble: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptChoice:
    """A prompt as it holds now.

    Attributes:
        name, language: which one.
        version: of the replacement; 0 where the built-in one holds.
        body: its text.
    """

    name: str
    language: str
    version: int
    body: str


class ModelChoices:
    """Sees and sets which model does which task. It blocks: call it in a thread."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def all(self) -> list[ModelChoice]:
        """Every task, and what tasks without a row of their own get, which comes first."""
        with self._store.database.read() as connection:
            rows = TaskRows(connection, tenant=self._store.tenant).all()
        return [self._choice(task, rows) for task in (DEFAULT, *Task)]

    def put(self, task: str, model: str, settings: RowSettings) -> ModelChoice:
        """Set the model of a task, or of ``default``; it holds from the next call on, in every process.

        Raises:
            InvalidInput: no task has that name, or a value cannot be used; nothing was changed.
        """
        _check_task(task)
        from_row(model, settings, self._settings)
        row = TaskRow(task=task, model=model, settings=settings.written())
        with self._store.database.write() as connection:
            TaskRows(connection, tenant=self._store.tenant).put(row)
        return self._choice(task, {task: row})

    def remove(self, task: str) -> bool:
        """Take away a row, so that ``default`` or the settings hold; whether there was one.

        Raises:
            InvalidInput: no task has that name.
        """
        _check_task(task)
        with self._store.database.write() as connection:
            return TaskRows(connection, tenant=self._store.tenant).remove(task)

    def _choice(self, task: str, rows: dict[str, TaskRow]) -> ModelChoice:
        row = rows.get(task) or rows.get(DEFAULT)
        source: Literal["row", "default", "settings", "none"] = "settings"
        if row is not None:
            source = "row" if row.task == task else "default"
        try:
            if row is None:
                endpoint = from_settings(self._settings)
            else:
                endpoint = from_row(row.model, RowSettings.read(row.settings, task=row.task), self._settings)
        except InvalidInput as error:
            return ModelChoice(task=task, endpoint=None, source=source, trouble=str(error))
        return ModelChoice(task=task, endpoint=endpoint, source="none" if endpoint is None else source)


class PromptChoices:
    """Sees and sets texts in place of built-in prompts. It blocks: call it in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def replaced(self, name: str, language: str) -> str | None:
        """The text in place of a built-in prompt at this moment; None where that one holds."""
        with self._store.database.read() as connection:
            return PromptRows(connection, tenant=self._store.tenant).body(name, language)

    def all(self) -> list[PromptChoice]:
        """Every prompt by name and language."""
        with self._store.database.read() as connection:
            rows = {
                (row.name, row.language): row
                for row in PromptRows(connection, tenant=self._store.tenant).all()
            }
        return [_prompt(name, language, rows.get((name, language))) for name, language in built_in_names()]

    def put(self, name: str, language: Language, body: str) -> PromptChoice:
        """Set a text in place of a built-in prompt; it holds from the next call on, in every process.

        Raises:
            InvalidInput: no prompt has that name, or the text is no template that can be rendered with what
                the prompt may show; nothing was changed.
        """
        built_in(name, language)
        sign = unstorable(body)
        if sign is not None or _LOST in body:
            msg = f"the text for {name!r} is no text, it holds {sign or _LOST!r}; give a file in UTF-8"
            raise InvalidInput(msg)
        body = clean(body)
        if is_blank(body):
            msg = f"the text for {name!r} is blank; `omoide prompts unset` brings the built-in one back"
            raise InvalidInput(msg)
        check(body, SAMPLES[name], name=name)
        with self._store.database.write() as connection:
            version = PromptRows(connection, tenant=self._store.tenant).put(name, language, body)
        return PromptChoice(name=name, language=language, version=version, body=body)

    def remove(self, name: str, language: Language) -> bool:
        """Let the built-in prompt hold again; whether there was another in its place.

        Raises:
            InvalidInput: no prompt has that name.
        """
        built_in(name, language)
        with self._store.database.write() as connection:
            return PromptRows(connection, tenant=self._store.tenant).remove(name, language)


def _prompt(name: str, language: Language, row: PromptRow | None) -> PromptChoice:
    if row is None:
        return PromptChoice(name=name, language=language, version=0, body=built_in(name, language))
    return PromptChoice(name=name, language=language, version=row.version, body=row.body)


def _check_task(task: str) -> None:
    names = (DEFAULT, *(one.value for one in Task))
    if task not in names:
        msg = f"no task is called {task!r}; choose from {', '.join(names)}"
        raise InvalidInput(msg)

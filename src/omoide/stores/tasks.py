"""Rows that change while running: which model does which task, replaced prompts, and what was spent (P4).

Nothing here is sealed: these are words of whoever runs the program, and never keys or words of users.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, insert, select, update

from omoide.stores.tables import meta, prompts, task_models

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

DEFAULT: Final = "default"
"""The name of the row for tasks that have none of their own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskRow:
    """The model of a task.

    Attributes:
        task: a task's name, or `DEFAULT`.
        model: the model's name.
        settings: what else is set, as JSON; None for nothing.
    """

    task: str
    model: str
    settings: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptRow:
    """A text in place of a built-in prompt.

    Attributes:
        name: the name of the built-in one.
        language: whose language it is in.
        version: counts from 1; the highest holds.
        body: the text.
    """

    name: str
    language: str
    version: int
    body: str


class TaskRows:
    """Reads and writes which model does which task of a tenant, within one transaction."""

    def __init__(self, connection: Connection, *, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._own = task_models.c.tenant == tenant

    def all(self) -> dict[str, TaskRow]:
        """Every row by its task."""
        query = select(task_models.c.task, task_models.c.model, task_models.c.settings).where(self._own)
        return {
            task: TaskRow(task=task, model=model, settings=settings)
            for task, model, settings in self._connection.execute(query.order_by(task_models.c.task))
        }

    def put(self, row: TaskRow) -> None:
        """Set the model of a task."""
        self.remove(row.task)
        values = {"task": row.task, "model": row.model, "settings": row.settings}
        self._connection.execute(insert(task_models).values(tenant=self._tenant, **values))

    def remove(self, task: str) -> bool:
        """Take away a task's row; whether there was one."""
        gone = delete(task_models).where(self._own, task_models.c.task == task)
        return self._connection.execute(gone).rowcount > 0


class PromptRows:
    """Reads and writes a tenant's replaced prompts in one transaction; older versions stay until all go."""

    def __init__(self, connection: Connection, *, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._own = prompts.c.tenant == tenant

    def all(self) -> list[PromptRow]:
        """The versions that hold, by name and language."""
        newest = (
            select(prompts.c.name, prompts.c.language, func.max(prompts.c.version))
            .where(self._own)
            .group_by(prompts.c.name, prompts.c.language)
        )
        return [
            PromptRow(name=name, language=language, version=version, body=self.body(name, language) or "")
            for name, language, version in self._connection.execute(newest).all()
        ]

    def body(self, name: str, language: str) -> str | None:
        """The text in place of a built-in prompt; None where that one holds."""
        query = select(prompts.c.body).where(self._of(name, language))
        found = self._connection.execute(query.order_by(prompts.c.version.desc()).limit(1)).scalar()
        return None if found is None else str(found)

    def put(self, name: str, language: str, body: str) -> int:
        """Set a text in place of a built-in prompt; returns its version."""
        query = select(func.max(prompts.c.version)).where(self._of(name, language))
        version = int(self._connection.execute(query).scalar() or 0) + 1
        values = {"name": name, "language": language, "version": version, "body": body}
        self._connection.execute(insert(prompts).values(tenant=self._tenant, **values))
        return version

    def remove(self, name: str, language: str) -> bool:
        """Take away all versions, so that the built-in prompt holds again; whether there were any."""
        return self._connection.execute(delete(prompts).where(self._of(name, language))).rowcount > 0

    def _of(self, name: str, language: str) -> ColumnElement[bool]:
        return self._own & (prompts.c.name == name) & (prompts.c.language == language)


class SpentRows:
    """Reads and writes how many tokens a task of a tenant has cost on a day, within one transaction."""

    def __init__(self, connection: Connection, *, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._own = meta.c.tenant == tenant

    def of(self, day: str, *tasks: str) -> int:
        """Tokens that tasks have cost together on a day, such as ``2026-03-01``."""
        keys = [self._key(day, task) for task in tasks]
        query = select(meta.c.value).where(self._own, meta.c.key.in_(keys))
        return sum(int(value) for value in self._connection.execute(query).scalars())

    def add(self, day: str, task: str, tokens: int) -> None:
        """Count tokens on top of those of a day."""
        key, value = self._key(day, task), str(self.of(day, task) + tokens)
        known = update(meta).where(self._own, meta.c.key == key).values(value=value)
        if not self._connection.execute(known).rowcount:
            self._connection.execute(insert(meta).values(tenant=self._tenant, key=key, value=value))

    def forget(self, before: str) -> None:
        """Take away the counts of earlier days."""
        old = meta.c.key.like("usage:%") & (meta.c.key < f"usage:{before}")
        self._connection.execute(delete(meta).where(self._own, old))

    def _key(self, day: str, task: str) -> str:
        """Keys are of the whole store, so they name the tenant too."""
        return f"usage:{day}:{task}" + (f":{self._tenant}" if self._tenant else "")

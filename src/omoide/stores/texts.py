"""The words of one scope's messages, opened."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import bindparam, select

from omoide.domain.model import Kind, Role
from omoide.errors import Tampered
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.tables import evidence, memories, memory_people, messages, session_messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_TEXTS = Fixed(
    select(messages.c.id, messages.c.uid, messages.c.text_sealed).where(messages.c.id.in_(_NUMBERS))
)

_QUOTES = Fixed(
    select(evidence.c.memory_id, evidence.c.start, evidence.c.end)
    .add_columns(messages.c.speaker_id, messages.c.uid, messages.c.text_sealed)
    .join(messages, messages.c.id == evidence.c.message_id)
    .where(evidence.c.memory_id.in_(_NUMBERS))
    .order_by(evidence.c.memory_id, evidence.c.place)
)
_BODIES = Fixed(
    select(memories.c.id, memories.c.uid, memories.c.kind, memories.c.body_sealed).where(
        memories.c.id.in_(_NUMBERS)
    )
)
_PEOPLE = Fixed(
    select(memory_people.c.memory_id, memory_people.c.person_id)
    .join(memories, memories.c.id == memory_people.c.memory_id)
    .where(memory_people.c.memory_id.in_(_NUMBERS), memories.c.kind == Kind.DIARY.value)
    .order_by(memory_people.c.memory_id, memory_people.c.person_id)
)


class Texts:
    """Opens the words of one scope's messages, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope
        # What this transaction wrote, so that it need not be read again.
        self._written: dict[int, str] = {}

    def note(self, written: Mapping[int, str]) -> None:
        """Keep at hand what this transaction writes, by message."""
        self._written.update(written)

    def open(self, numbers: Iterable[int]) -> dict[int, str]:
        """The words of messages; those whose words were forgotten for good are left out."""
        opened = self._scope.sealer.open_text
        wanted = list(numbers)
        found = {number: self._written[number] for number in wanted if number in self._written}
        for chunk in chunks([number for number in wanted if number not in found]):
            for number, uid, sealed in _TEXTS.run(self._connection, {"numbers": list(chunk)}):
                if sealed is not None:
                    found[number] = opened(sealed, row=uid)
        return found

    def indexed(self, numbers: Sequence[int], *, names: Mapping[int, str]) -> dict[int, str]:
        """What is embedded and analysed of memories, in their order (ruling 16).

        A dialogue has each message behind its speaker's name. A message that stands alone has its words only:
        that measures the same or better, and a new name changes nothing. Memories that are gone, and those
        whose words cannot be opened (P17), are left out.
        """
        found: dict[int, str] = {}
        for chunk in chunks(numbers):
            said, shut = self._said(chunk)
            for number, uid, kind, sealed in _BODIES.run(self._connection, {"numbers": list(chunk)}):
                quotes = said.get(number, ())
                try:
                    body = None if sealed is None else self._scope.sealer.open(sealed, row=uid)
                except Tampered:
                    shut.add(number)
                    continue
                if kind == Kind.EPISODE and len(quotes) == 1:
                    found[number] = quotes[0][1]
                elif body is not None:
                    found[number] = json.loads(body)["text"]
                else:
                    found[number] = "\n".join(
                        f"{names.get(speaker, '')}: {words}" for speaker, words in quotes
                    )
            for number in shut:
                found.pop(number, None)
        return {number: found[number] for number in numbers if number in found}

    def drawn(self, numbers: Sequence[int]) -> dict[int, list[str]]:
        """The search terms that were drawn of memories on purpose (P7); none of those that have none."""
        found: dict[int, list[str]] = {}
        for chunk in chunks(numbers):
            for number, uid, _, sealed in _BODIES.run(self._connection, {"numbers": list(chunk)}):
                try:
                    body = {} if sealed is None else json.loads(self._scope.sealer.open(sealed, row=uid))
                except Tampered:
                    continue
                if body.get("terms"):
                    found[number] = body["terms"]
        return found

    def circumstances(self, numbers: Sequence[int], *, names: Mapping[int, str]) -> dict[int, list[str]]:
        """What diary memories are found by besides their words (K8): event, place, and who was involved."""
        found: dict[int, list[str]] = {}
        for chunk in chunks(numbers):
            for number, uid, kind, sealed in _BODIES.run(self._connection, {"numbers": list(chunk)}):
                if kind != Kind.DIARY or sealed is None:
                    continue
                try:
                    body = json.loads(self._scope.sealer.open(sealed, row=uid))
                except Tampered:
                    continue
                found[number] = [body[key] for key in ("event", "place") if body.get(key)]
            for number, person in _PEOPLE.run(self._connection, {"numbers": list(chunk)}) if found else ():
                if number in found and person in names:
                    found[number].append(names[person])
        return found

    def _said(self, numbers: Sequence[int]) -> tuple[dict[int, list[tuple[int, str]]], set[int]]:
        """Who said what each memory rests on; and the memories of which something cannot be opened."""
        opened = self._scope.sealer.open_text
        said: dict[int, list[tuple[int, str]]] = {}
        shut: set[int] = set()
        for memory, start, end, speaker, uid, sealed in _QUOTES.run(
            self._connection, {"numbers": list(numbers)}
        ):
            if sealed is None or end == start:
                continue
            try:
                said.setdefault(memory, []).append((speaker, opened(sealed, row=uid)[start:end]))
            except Tampered:
                shut.add(memory)
        return said, shut

    def last_said(self, session: int, *, limit: int) -> list[str]:
        """The last messages of people in a session, oldest first."""
        query = (
            select(messages.c.id)
            .join(session_messages, session_messages.c.message_id == messages.c.id)
            .where(session_messages.c.session_id == session, messages.c.role == Role.USER)
            .order_by(session_messages.c.position.desc(), messages.c.id.desc())
            .limit(limit)
        )
        numbers = [int(number) for number in self._connection.execute(query).scalars()]
        said = self.open(numbers)
        return [said[number] for number in reversed(numbers) if number in said]

    def details(self, numbers: Iterable[int]) -> dict[int, tuple[str, str | None, str | None]]:
        """The id of each message, its source's own id, and its date as the source wrote it."""
        opened = self._scope.sealer.open_text
        columns = (messages.c.external_sealed, messages.c.raw_date_sealed)
        found: dict[int, tuple[str, str | None, str | None]] = {}
        for chunk in chunks(list(numbers)):
            query = select(messages.c.id, messages.c.uid, *columns).where(messages.c.id.in_(chunk))
            for number, uid, external, raw_date in self._connection.execute(query):
                found[number] = (
                    str(UUID(bytes=uid)),
                    None if external is None else opened(external, row=uid + b"external"),
                    None if raw_date is None else opened(raw_date, row=uid + b"date"),
                )
        return found

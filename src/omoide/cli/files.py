"""Commands on files: import what other programs kept, and export everything."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Character, Files, Json, New, OneFile, Store, User, Where, Zone
from omoide.cli.running import WRONG, settings_of, tell, with_store, write_private
from omoide.cli.whose import known_scopes, refuse_slips
from omoide.errors import EmbedderError, ImportFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.bootstrap import Omoide
    from omoide.importers import Parsed
    from omoide.importing import Plan, Summary, Whose
    from omoide.retain.transfer import Export
    from omoide.scope import Scope

_FILES = "Files"
_AT_ONCE = 64
"""Memories that get their vectors in one step of the bar."""

app = typer.Typer()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """Files as values, and how many could not be read."""

    files: list[tuple[Path, Parsed]]
    exports: list[Export]
    failed: int


@app.command("import", rich_help_panel=_FILES)
def import_files(
    files: Files,
    *,
    timezone: Zone = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would come in, and write nothing.")
    ] = False,
    format_: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="The format; found by the content without it."),
    ] = None,
    no_hidden: Annotated[
        bool, typer.Option("--no-hidden", help="Leave out messages that the program hid from its model.")
    ] = False,
    extract: Annotated[
        bool | None,
        typer.Option(
            "--extract/--no-extract", help="Whether a chat model may read it all; asked where it is much."
        ),
    ] = None,
    user: User = None,
    character: Character = None,
    new: New = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Import chats, character cards and lorebooks; a second time changes nothing."""
    from omoide.characters import Characters
    from omoide.importing import Summary, Whose, carry_out, plan

    async def work(omoide: Omoide) -> None:
        if not new:
            meant = [omoide.scope(user=one, character=other) for one, other in planned.scopes]
            await refuse_slips(omoide, meant)
        began = omoide.store.now()
        with show.progress("importing", planned.messages) as step:
            await carry_out(omoide, planned, summary, step=step)
        await _settle_reading(omoide, planned, since=began, extract=extract)

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where, vectors=False)
    called = Characters.of(settings).called
    whose = Whose(user=user, character=None if character is None else called(character))
    read = _read(files, whose, zone=timezone or settings.zone, hidden=not no_hidden, format_=format_)
    planned = plan(read.files, whose, exports=read.exports, called=called)
    summary = Summary()
    vectors = 0
    if not dry_run and planned.scopes:
        # First the words, which count; the vectors follow, and can be made at any later time.
        with_store(where, work, make=True, settings=settings)
        vectors = with_store(where, lambda omoide: _vectors_of(omoide, planned))
    _report(read, planned, summary, vectors, dry_run=dry_run, json=json)
    if read.failed:
        raise typer.Exit(WRONG)


@app.command(rich_help_panel=_FILES)
def export(
    file: OneFile = None,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Write everything as JSON lines, of every scope or of those that are named; `import` reads it again.

    The lines are readable by anyone: the words in them are not sealed.
    """

    async def work(omoide: Omoide) -> list[list[str]]:
        return [await scope.export() for scope in await known_scopes(omoide, where)]

    where = Where(store=store, user=user, character=character)
    sections = with_store(where, work, vectors=False)
    text = "".join(f"{line}\n" for section in sections for line in section)
    if file is None:
        show.raw(text)
        return
    write_private(file, text)
    lines = sum(map(len, sections))
    fields = {"file": str(file), "scopes": len(sections), "lines": lines}
    show.answer(
        fields,
        f"wrote {show.counted(len(sections), 'scope')}, {show.counted(lines, 'line')}, to {file}",
        json=json,
    )


async def _settle_reading(omoide: Omoide, planned: Plan, *, since: int, extract: bool | None) -> None:
    """See that a model reads much only where somebody wants it (ruling 5)."""
    from omoide.importing.unread import MANY, leave, take_up, unread

    if extract:
        await take_up(omoide, planned.scopes)
        return
    found = await unread(omoide, planned.scopes, since=since)
    if found is None or (extract is None and found.windows < MANY):
        return
    cost = f"{found.windows} calls to {found.model!r}, about {found.tokens:,} tokens"
    if extract is None and sys.stdin.isatty():
        extract = typer.confirm(f"Let a model draw memories from it ({cost})?", err=True)
    if not extract:
        await leave(omoide, planned.scopes, since=since)
        tell(f"no model reads it ({cost}); import it again with --extract for that")


async def make_vectors(omoide: Omoide, scopes: Sequence[Scope]) -> int:
    """Make the vectors that are missing in these scopes, with a bar; returns how many were made.

    Raises:
        EmbedderError: they cannot be made now.
    """
    if omoide.embedder is None:
        return 0
    missing = {scope: await omoide.run(partial(_missing, omoide, scope)) for scope in scopes}
    made = 0
    with show.progress("making vectors", sum(missing.values())) as step:
        for scope in scopes:
            while count := await scope.vectorise(limit=_AT_ONCE):
                made += count
                step(count)
    return made


def _missing(omoide: Omoide, scope: Scope) -> int:
    row = omoide.store.scope(scope.user, scope.character)
    if row is None:
        return 0
    with omoide.store.read(row) as unit:
        return unit.pending.count(embedding=omoide.store.embedding, analyser=omoide.store.analyser)[0]


async def _vectors_of(omoide: Omoide, planned: Plan) -> int:
    scopes = [omoide.scope(user=user, character=character) for user, character in planned.scopes]
    try:
        return await make_vectors(omoide, scopes)
    except EmbedderError as error:
        tell(f"vectors wait: {error}; `omoide reindex` makes them later")
        return 0


def _read(files: Sequence[Path], whose: Whose, *, zone: str, hidden: bool, format_: str | None) -> _Read:
    """Read all files; of several, those that cannot be read are told of and left out."""
    from omoide.domain.instants import zone_of
    from omoide.importers import parse
    from omoide.importing import is_export, read_exports

    found: list[tuple[Path, Parsed]] = []
    exports: list[Export] = []
    failed = 0
    for path in files:
        try:
            if format_ is None and is_export(path):
                exports += read_exports(path, whose)
            else:
                found.append((path, parse(path, zone=zone_of(zone), hidden=hidden, format=format_)))
        except ImportFailed as error:
            if len(files) == 1:
                raise
            failed += 1
            tell(str(error))
    return _Read(files=found, exports=exports, failed=failed)


def _report(read: _Read, planned: Plan, summary: Summary, vectors: int, *, dry_run: bool, json: bool) -> None:
    from omoide.importing import ImportView

    view = ImportView.of(read.files, planned, summary, vectors=vectors, failed=read.failed, dry_run=dry_run)
    if json:
        show.as_json(view.fields())
        return
    for path, parsed in read.files:
        show.say(f"{path.name} ({parsed.format})")
        for note in parsed.notes:
            show.say(f"  {note}", style="dim")
    for name, count in view.conversations.items():
        show.say(f"{name}: {show.counted(count, 'message')}")
    for character in view.characters:
        show.say(f"character: {character}")
    if dry_run:
        world = show.counted(view.world_read, "world entry")
        show.say(f"nothing was written: {show.counted(view.read, 'message')}, {world}")
        return
    parts = [
        f"{show.counted(summary.messages, 'new message')} of {view.read}",
        show.counted(view.exchanges, "exchange"),
        show.counted(summary.memories, "new memory"),
        show.counted(vectors, "vector"),
    ]
    if summary.blank:
        parts.append(f"{show.counted(summary.blank, 'message')} without words skipped")
    show.say(", ".join(parts))

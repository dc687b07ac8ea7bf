"""What an import found and did, as JSON for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.views import View

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.importers import Parsed
    from omoide.importing.plan import Plan, Summary, Talk


class FileView(View):
    """A file, the format that it is in, and what was left out of it."""

    file: str
    format: str
    notes: list[str]


class ScopeView(View):
    """A user and a character; no user for a character alone."""

    user: str | None
    character: str


class ImportView(View):
    """What an import found in files, and what it did.

    Attributes:
        dry_run: whether nothing was to be written.
        files: those that could be read; `failed` counts the others.
        scopes: whose memory it goes into.
        characters: whom cards describe.
        conversations: messages of each.
        read, world_read: messages and entries of lorebooks in the files.
        messages, withdrawn: messages that came into the log, and that went out of it.
        exchanges: in the conversations.
        memories, world: what came, and what of it is from lorebooks.
        blank: messages without words, which are not kept.
        vectors: that were made; the others follow.
    """

    dry_run: bool
    files: list[FileView]
    failed: int
    scopes: list[ScopeView]
    characters: list[str]
    conversations: dict[str, int]
    read: int
    world_read: int
    messages: int
    withdrawn: int
    exchanges: int
    memories: int
    world: int
    blank: int
    vectors: int

    @classmethod
    def of(
        cls,
        files: Sequence[tuple[Path, Parsed]],
        planned: Plan,
        summary: Summary,
        *,
        vectors: int = 0,
        failed: int = 0,
        dry_run: bool = False,
    ) -> ImportView:
        """The view of an import."""
        return cls(
            dry_run=dry_run,
            files=[
                FileView(file=str(path), format=parsed.format, notes=list(parsed.notes))
                for path, parsed in files
            ],
            failed=failed,
            scopes=[ScopeView(user=user, character=character) for user, character in planned.scopes],
            characters=[character.name for _, parsed in files for character in parsed.characters],
            conversations={_named(talk): len(talk.messages) for talk in planned.talks},
            read=planned.messages,
            world_read=sum(len(lore.entries) for lore in planned.lore),
            messages=summary.messages,
            withdrawn=summary.withdrawn,
            exchanges=sum(talk.exchanges for talk in planned.talks),
            memories=summary.memories,
            world=summary.world,
            blank=summary.blank,
            vectors=vectors,
        )


def _named(talk: Talk) -> str:
    whose = f"{talk.user} × {talk.character}" if talk.user else f"{talk.character} alone"
    return f"{whose}, {talk.session}"

"""What commands share on their command line: the options, and the values that they become."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from omoide.errors import InvalidInput

_WHOSE = "Whose memory"
_OUTPUT = "Output"


def _known_as(name: str | None) -> str | None:
    from omoide.domain.text import composed

    return None if name is None else composed(name)


Store = Annotated[
    str | None,
    typer.Option("--store", metavar="PATH", help="The database; also OMOIDE_STORE.", rich_help_panel=_WHOSE),
]
Tenant = Annotated[
    str | None,
    typer.Option(
        "--tenant",
        metavar="NAME",
        help="The customer, where several share a store; also OMOIDE_TENANT.",
        rich_help_panel=_WHOSE,
    ),
]
User = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        envvar="OMOIDE_USER",
        help="The user; '' for a character's own memory.",
        callback=_known_as,
        rich_help_panel=_WHOSE,
    ),
]
Character = Annotated[
    str | None,
    typer.Option(
        "--character",
        metavar="NAME",
        envvar="OMOIDE_CHARACTER",
        help="The character.",
        callback=_known_as,
        rich_help_panel=_WHOSE,
    ),
]
New = Annotated[
    bool,
    typer.Option("--new", help="This is somebody new, however like a known name.", rich_help_panel=_WHOSE),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.", rich_help_panel=_OUTPUT)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Session = Annotated[str | None, typer.Option("--session", metavar="NAME", help="The session.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="At most so many memories.")]
Importance = Annotated[
    float | None, typer.Option("--importance", metavar="1-10", help="How important; at least, in a search.")
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help="When, such as 2026-03-01 or 2026-03-01T21:00+09:00."),
]
MemoryId = Annotated[
    str, typer.Argument(metavar="MEMORY", help="A memory's id, as `omoide memories` shows it.")
]
MemoryIds = Annotated[
    list[str], typer.Argument(metavar="MEMORY…", help="Ids of memories, as `omoide memories` shows them.")
]
MaybePerson = Annotated[
    str | None, typer.Argument(metavar="[USER]", help="The user.", show_default=False, callback=_known_as)
]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="The words; - reads them from standard input.")]
Kinds = Annotated[
    list[str] | None, typer.Option("--kind", metavar="KIND", help="Only this kind; may be repeated.")
]
Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Chats, cards or lorebooks.")]
OneFile = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="The file; standard output without one.")
]
Zone = Annotated[
    str | None,
    typer.Option(
        "--timezone", metavar="ZONE", help="What dates without a zone are local to, such as Asia/Seoul."
    ),
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """The store and the scope that a command line names.

    Attributes:
        store: the database; None leaves it to the settings.
        user: the user; empty for a character alone, None where nobody was named.
        character: the character; None where none was named.
    """

    store: str | None = None
    user: str | None = None
    character: str | None = None


def moment(text: str | None, *, zone: str) -> datetime | None:
    """The aware time that a text in ISO 8601 stands for; without a zone of its own, in the given one.

    Raises:
        InvalidInput: it is no time.
    """
    from omoide.domain.instants import zone_of

    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        msg = f"{text!r} is no time; write it as 2026-03-01 or 2026-03-01T21:00:00+09:00"
        raise InvalidInput(msg) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=zone_of(zone))


def words(text: str) -> str:
    """The words of an argument, or those on standard input for ``-``."""
    return standard_input().rstrip("\n") if text == "-" else text


def standard_input() -> str:
    """The text on standard input.

    Raises:
        InvalidInput: it is no text.
    """
    stream = typer.get_text_stream("stdin", errors="strict")
    try:
        return stream.read()
    except UnicodeDecodeError as error:
        msg = f"standard input is no text in {error.encoding} (byte {error.start}); convert it to UTF-8"
        raise InvalidInput(msg) from None

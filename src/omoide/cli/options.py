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
_VALUES = "Values: 5..7, 5.., ..7, >7, >=7, <3, <=3, =5 or 5"
_NAMES = "Names"
_NARROW = "Narrow it"
_PAST = "For kind diary: how the character knows it"


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

# What a search asks for
AboutText = Annotated[
    str | None,
    typer.Argument(metavar="[TEXT]", help="What it has to do with; - reads it from standard input."),
]
Ages = Annotated[
    str | None,
    typer.Option("--age", metavar="5..7", help="The character's age then.", rich_help_panel=_VALUES),
]
AbsoluteDays = Annotated[
    str | None,
    typer.Option("--absolute-day", metavar="0..365", help="Days since birth.", rich_help_panel=_VALUES),
]
Emotions = Annotated[
    list[str] | None,
    typer.Option("--emotion", metavar="'NAME>7'", help="A score; may be repeated.", rich_help_panel=_VALUES),
]
Importances = Annotated[
    str | None, typer.Option("--importance", metavar="8..", help="1 to 10.", rich_help_panel=_VALUES)
]
Confidences = Annotated[
    str | None, typer.Option("--confidence", metavar="8..", help="1 to 10.", rich_help_panel=_VALUES)
]
Days = Annotated[
    str | None,
    typer.Option(
        "--day",
        metavar="DAYS",
        help="Such as 2011, 2011-summer..2012 or '<2011-05-03'.",
        rich_help_panel=_VALUES,
    ),
]
SinceDay = Annotated[
    str | None, typer.Option("--since", metavar="DAY", help="From then on.", rich_help_panel=_VALUES)
]
UntilDay = Annotated[
    str | None, typer.Option("--until", metavar="DAY", help="Before then.", rich_help_panel=_VALUES)
]
PlaceOf = Annotated[
    str | None, typer.Option("--place", metavar="NAME", help="Where it was.", rich_help_panel=_NAMES)
]
EventOf = Annotated[
    str | None,
    typer.Option("--event", metavar="NAME", help="The event it tells of.", rich_help_panel=_NAMES),
]
Category = Annotated[
    str | None,
    typer.Option("--category", metavar="NAME", help="The kind of that event.", rich_help_panel=_NAMES),
]
People = Annotated[
    list[str] | None,
    typer.Option("--person", metavar="NAME", help="Who takes part; may be repeated.", rich_help_panel=_NAMES),
]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--layer", metavar="LAYER", help="direct, heard or inferred; may be repeated.", rich_help_panel=_NAMES
    ),
]
Order = Annotated[
    list[str] | None,
    typer.Option("--order", metavar="KEYS", help="Such as -frustration,age; a minus goes down."),
]
SearchLimit = Annotated[
    int | None,
    typer.Option("--limit", metavar="1-1000", help="At most so many memories; 10 where it is left out."),
]

# How a recall is asked
Why = Annotated[bool, typer.Option("--why", help="Show the reason for each memory.")]
RecallLimit = Annotated[int | None, typer.Option("--limit", metavar="1-50", help="At most so many memories.")]
Budget = Annotated[
    int | None, typer.Option("--budget", metavar="N", help="Tokens of the block at most, 50 or more.")
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="TIME", help="What was known at this past moment.")
]
Fusion = Annotated[str | None, typer.Option("--fusion", metavar="NAME", help="standard or published.")]
Brief = Annotated[bool | None, typer.Option("--brief/--full", help="The short form of the block.")]
SinceTime = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="From then on.", rich_help_panel=_NARROW)
]
UntilTime = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="Before then.", rich_help_panel=_NARROW)
]
PeopleById = Annotated[
    list[str] | None,
    typer.Option(
        "--person",
        metavar="NAME",
        help="They take part, or it is said by or about them; id or name; may be repeated.",
        rich_help_panel=_NARROW,
    ),
]
PlaceThere = Annotated[
    str | None, typer.Option("--place", metavar="NAME", help="What happened there.", rich_help_panel=_NARROW)
]

# What is known of a memory that is written by hand
KindOf = Annotated[str, typer.Option("--kind", metavar="KIND", help="fact, plan, guidance, diary, world …")]
Confidence = Annotated[float | None, typer.Option("--confidence", metavar="1-10", help="How sure it is.")]
Pinned = Annotated[bool, typer.Option("--pin", help="Let it never fade.")]
Place = Annotated[str | None, typer.Option("--place", metavar="NAME", help="Where it happened.")]
Keys = Annotated[
    list[str] | None, typer.Option("--key", metavar="WORD", help="Calls it to mind; may be repeated.")
]
AboutPerson = Annotated[
    str | None, typer.Option("--about", metavar="ID", help="The person that it is about.")
]
OneLayer = Annotated[
    str | None,
    typer.Option("--layer", metavar="LAYER", help="direct, heard or inferred.", rich_help_panel=_PAST),
]
Source = Annotated[
    str | None, typer.Option("--source", metavar="NAME", help="Who told it.", rich_help_panel=_PAST)
]
HeardWhen = Annotated[
    str | None, typer.Option("--heard-when", metavar="TEXT", help="When it was told.", rich_help_panel=_PAST)
]
Basis = Annotated[
    str | None, typer.Option("--basis", metavar="TEXT", help="What a guess rests on.", rich_help_panel=_PAST)
]
Age = Annotated[
    float | None,
    typer.Option("--age", metavar="YEARS", help="The character's age then.", rich_help_panel=_PAST),
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

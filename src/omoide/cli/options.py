"""What commands share on their command line: the options, and the values that they become."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

_WHOSE = "Whose memory"
_OUTPUT = "Output"
_VALUES = "Values: 5..7, 5.., ..7, >7, >=7, <3, <=3, =5 or 5"
_NAMES = "Names"
_NARROW = "Narrow it"
_PAST = "For kind diary: how the character knows it"


def _known_as(name: str | None) -> str | None:
    from omoide.domain.text import composed

    return None if name is None else composed(name)


def _option(
    flag: str,
    metavar: str,
    tells: str,
    panel: str | None = None,
    *,
    envvar: str | None = None,
    callback: Callable[[str | None], str | None] | None = None,
) -> object:
    """An option with a value: how it is written, what the help tells of it, and under which heading."""
    return typer.Option(
        flag, metavar=metavar, help=tells, rich_help_panel=panel, envvar=envvar, callback=callback
    )


Store = Annotated[str | None, _option("--store", "PATH", "The database; also OMOIDE_STORE.", _WHOSE)]
Tenant = Annotated[
    str | None,
    _option("--tenant", "NAME", "The customer, where several share a store; also OMOIDE_TENANT.", _WHOSE),
]
User = Annotated[
    str | None,
    _option(
        "--user",
        "NAME",
        "The user; '' for a character's own memory.",
        _WHOSE,
        envvar="OMOIDE_USER",
        callback=_known_as,
    ),
]
Character = Annotated[
    str | None,
    _option("--character", "NAME", "The character.", _WHOSE, envvar="OMOIDE_CHARACTER", callback=_known_as),
]
New = Annotated[
    bool,
    typer.Option("--new", help="This is somebody new, however like a known name.", rich_help_panel=_WHOSE),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.", rich_help_panel=_OUTPUT)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Session = Annotated[str | None, _option("--session", "NAME", "The session.")]
Limit = Annotated[int | None, _option("--limit", "N", "At most so many memories.")]
Importance = Annotated[float | None, _option("--importance", "1-10", "How important; at least, in a search.")]
At = Annotated[str | None, _option("--at", "TIME", "When, such as 2026-03-01 or 2026-03-01T21:00+09:00.")]
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
Kinds = Annotated[list[str] | None, _option("--kind", "KIND", "Only this kind; may be repeated.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Chats, cards or lorebooks.")]
OneFile = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="The file; standard output without one.")
]
Zone = Annotated[
    str | None, _option("--timezone", "ZONE", "What dates without a zone are local to, such as Asia/Seoul.")
]

# What a search asks for
AboutText = Annotated[
    str | None,
    typer.Argument(metavar="[TEXT]", help="What it has to do with; - reads it from standard input."),
]
Ages = Annotated[str | None, _option("--age", "5..7", "The character's age then.", _VALUES)]
AbsoluteDays = Annotated[str | None, _option("--absolute-day", "0..365", "Days since birth.", _VALUES)]
Emotions = Annotated[list[str] | None, _option("--emotion", "'NAME>7'", "A score; may be repeated.", _VALUES)]
Importances = Annotated[str | None, _option("--importance", "8..", "1 to 10.", _VALUES)]
Confidences = Annotated[str | None, _option("--confidence", "8..", "1 to 10.", _VALUES)]
Days = Annotated[
    str | None, _option("--day", "DAYS", "Such as 2011, 2011-summer..2012 or '<2011-05-03'.", _VALUES)
]
SinceDay = Annotated[str | None, _option("--since", "DAY", "From then on.", _VALUES)]
UntilDay = Annotated[str | None, _option("--until", "DAY", "Before then.", _VALUES)]
PlaceOf = Annotated[str | None, _option("--place", "NAME", "Where it was.", _NAMES)]
EventOf = Annotated[str | None, _option("--event", "NAME", "The event it tells of.", _NAMES)]
Category = Annotated[str | None, _option("--category", "NAME", "The kind of that event.", _NAMES)]
People = Annotated[list[str] | None, _option("--person", "NAME", "Who takes part; may be repeated.", _NAMES)]
Layers = Annotated[
    list[str] | None, _option("--layer", "LAYER", "direct, heard or inferred; may be repeated.", _NAMES)
]
Order = Annotated[
    list[str] | None, _option("--order", "KEYS", "Such as -frustration,age; a minus goes down.")
]
SearchLimit = Annotated[
    int | None, _option("--limit", "1-1000", "At most so many memories; 10 where it is left out.")
]

# How a recall is asked
Why = Annotated[bool, typer.Option("--why", help="Show the reason for each memory.")]
RecallLimit = Annotated[int | None, _option("--limit", "1-50", "At most so many memories.")]
Budget = Annotated[int | None, _option("--budget", "N", "Tokens of the block at most, 50 or more.")]
AsOf = Annotated[str | None, _option("--as-of", "TIME", "What was known at this past moment.")]
Fusion = Annotated[str | None, _option("--fusion", "NAME", "standard or published.")]
Brief = Annotated[bool | None, typer.Option("--brief/--full", help="The short form of the block.")]
SinceTime = Annotated[str | None, _option("--since", "TIME", "From then on.", _NARROW)]
UntilTime = Annotated[str | None, _option("--until", "TIME", "Before then.", _NARROW)]
PeopleById = Annotated[
    list[str] | None,
    _option(
        "--person",
        "NAME",
        "They take part, or it is said by or about them; id or name; may be repeated.",
        _NARROW,
    ),
]
PlaceThere = Annotated[str | None, _option("--place", "NAME", "What happened there.", _NARROW)]

# What is known of a memory that is written by hand
KindOf = Annotated[str, _option("--kind", "KIND", "fact, plan, guidance, diary, world …")]
Confidence = Annotated[float | None, _option("--confidence", "1-10", "How sure it is.")]
Pinned = Annotated[bool, typer.Option("--pin", help="Let it never fade.")]
Place = Annotated[str | None, _option("--place", "NAME", "Where it happened.")]
Keys = Annotated[list[str] | None, _option("--key", "WORD", "Calls it to mind; may be repeated.")]
AboutPerson = Annotated[str | None, _option("--about", "ID", "The person that it is about.")]
OneLayer = Annotated[str | None, _option("--layer", "LAYER", "direct, heard or inferred.", _PAST)]
Source = Annotated[str | None, _option("--source", "NAME", "Who told it.", _PAST)]
HeardWhen = Annotated[str | None, _option("--heard-when", "TEXT", "When it was told.", _PAST)]
Basis = Annotated[str | None, _option("--basis", "TEXT", "What a guess rests on.", _PAST)]
Age = Annotated[float | None, _option("--age", "YEARS", "The character's age then.", _PAST)]


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

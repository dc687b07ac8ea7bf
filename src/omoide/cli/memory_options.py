"""The options by which commands search memories, narrow a recall, and write a memory by hand."""

from __future__ import annotations

from typing import Annotated

import typer

_VALUES = "Values: 5..7, 5.., ..7, >7, >=7, <3, <=3, =5 or 5"
_NAMES = "Names"
_NARROW = "Narrow it"
_PAST = "For kind diary: how the character knows it"

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
        "--person", metavar="ID", help="Said by or about them; may be repeated.", rich_help_panel=_NARROW
    ),
]
PlaceThere = Annotated[
    str | None, typer.Option("--place", metavar="NAME", help="What happened there.", rich_help_panel=_NARROW)
]

# What is known of a memory that is written by hand
KindOf = Annotated[
    str, typer.Option("--kind", metavar="KIND", help="fact, plan, guidance, diary, world …")
]
Confidence = Annotated[
    float | None, typer.Option("--confidence", metavar="1-10", help="How sure it is.")
]
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

"""Lorebooks: SillyTavern's world files, the books inside character cards, and standalone V3 books.

A world file keeps its entries in an object and switches them with `disable`; a card's book keeps them in an
array and switches them with `enabled`. ``{{char}}`` and ``{{user}}`` stay in the text: who they are is known
only where the entry is used.
"""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING

from omoide.domain.imported import WorldEntry
from omoide.domain.text import is_blank
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, fields, items, label, text_of, yes

if TYPE_CHECKING:
    from omoide.importers.reading import Reading, Tally

_COMMENT = re.compile(
    r"\{\{\s*(?://|comment\s*:|hidden_key\s*:)(?:[^{}]++|\{\{[^{}]*+\}\})*+\}\}", re.IGNORECASE
)


def recognises(value: object) -> bool:
    """Whether a JSON value is a lorebook in either form."""
    book = fields(value)
    return book.get("spec") == "lorebook_v3" or _has_entries(book)


def read(value: object, reading: Reading) -> Found:
    """Read the entries that are switched on."""
    book = fields(value)
    if book.get("spec") == "lorebook_v3":
        book = fields(book.get("data"))
    return Found(world=entries_of(book, reading.tally))


def entries_of(book: object, tally: Tally) -> tuple[WorldEntry, ...]:
    """Return a book's entries that are switched on and hold text."""
    entries = fields(book).get("entries")
    found: list[WorldEntry] = []
    numbered = entries.items() if isinstance(entries, dict) else enumerate(items(entries))
    for position, entry in numbered:
        if not isinstance(entry, dict):
            tally.unreadable("lorebook entries")
        elif yes(entry.get("disable")) or entry.get("enabled") is False:
            tally.add("lorebook entries that are switched off, skipped")
        elif is_blank(text := plain_text(_without_decorators(text_of(entry.get("content"))))):
            tally.add("lorebook entries without text, skipped")
        else:
            found.append(_entry(entry, text, position))
    return tuple(found)


def plain_text(text: str) -> str:
    """Drop an author's comments for other people: ``{{// …}}``, ``{{comment: …}}``, ``{{hidden_key: …}}``."""
    return _COMMENT.sub("", text).strip() if "{{" in text else text.strip()


def _without_decorators(content: str) -> str:
    """Drop the lines at the beginning that tell a program where and when to insert the entry (V3)."""
    lines = dropwhile(lambda line: line.lstrip().startswith("@@") or not line.strip(), content.split("\n"))
    return "\n".join(lines)


def _has_entries(book: Fields) -> bool:
    entries = book.get("entries")
    values = list(entries.values()) if isinstance(entries, dict) else items(entries)
    return any("content" in fields(entry) for entry in values)


def _entry(entry: Fields, text: str, position: object) -> WorldEntry:
    return WorldEntry(
        text=text,
        keys=_keys(entry.get("keys") or entry.get("key")),
        name=label(entry.get("comment")) or label(entry.get("name")),
        constant=yes(entry.get("constant")),
        external_id=label(entry.get("uid")) or label(entry.get("id")) or label(position),
    )


def _keys(value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else items(value)
    return tuple(dict.fromkeys(key for part in parts if (key := label(part))))

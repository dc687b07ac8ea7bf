"""Which character a name means: memories go by it, so that no two characters have one (K1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.text import composed, fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from omoide.characters.sheet import Sheet


def exactly(sheets: Iterable[Sheet], name: str) -> Sheet | None:
    """The character that has a name letter by letter, however it is composed."""
    return next((sheet for sheet in sheets if sheet.name == composed(name)), None)


def meant(sheets: Collection[Sheet], name: str, *, nicknames: bool) -> Sheet | None:
    """Whom a name means: the one with exactly that name, that id, that name in any case, that nickname."""
    if (found := exactly(sheets, name)) is not None:
        return found
    wanted = fold(name)
    for names in (_ids, _names, _nicknames) if nicknames else (_ids, _names):
        for sheet in sheets:
            if fold(names(sheet)) == wanted:
                return sheet
    return None


def owner(sheets: Iterable[Sheet], names: Iterable[str]) -> Sheet | None:
    """A character whose name, nickname or id is one of these, whatever the case, width or composition."""
    wanted = set(map(fold, names))
    return next(
        (one for one in sheets if not wanted.isdisjoint(map(fold, (one.name, one.called, one.id)))), None
    )


def namesakes(sheets: Sequence[Sheet]) -> list[tuple[Sheet, Sheet]]:
    """Each character whose name another one has already, and that other; samples have theirs first."""
    first: dict[str, Sheet] = {}
    found = []
    for sheet in sorted(sheets, key=lambda one: not one.sample):
        other = first.setdefault(fold(sheet.name), sheet)
        if other is not sheet:
            found.append((sheet, other))
    return found


def _ids(sheet: Sheet) -> str:
    return sheet.id


def _names(sheet: Sheet) -> str:
    return sheet.name


def _nicknames(sheet: Sheet) -> str:
    return sheet.called

"""Omoide's own exports as files: one scope after another, each with a header line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from omoide.errors import ImportFailed, InvalidInput
from omoide.retain.transfer import FORMAT, load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide.importing.plan import Whose
    from omoide.retain.transfer import Export

_HEAD = 4096
"""Bytes in which a header shows."""


def is_export(path: Path) -> bool:
    """Whether `omoide export` wrote a file; one that cannot be read is none."""
    try:
        with path.open("rb") as file:
            return _is_header(file.readline(_HEAD).decode("utf-8", "replace"))
    except OSError:
        return False


def read_exports(path: Path, whose: Whose) -> list[Export]:
    """Every scope of an export.

    Raises:
        ImportFailed: a line is broken.
        InvalidInput: another scope was named than the file holds; an export goes back where it came from.
    """
    found = [load(lines) for lines in _sections(path)]
    for export in found:
        for name, held in ((whose.user, export.user or ""), (whose.character, export.character)):
            if name is not None and name != held:
                msg = f"{path.name!r} is an export of {held!r}, got {name!r}; name neither user nor character"
                raise InvalidInput(msg)
    return found


def _sections(path: Path) -> Iterator[list[str]]:
    section: list[str] = []
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if section and _is_header(line):
                    yield section
                    section = []
                section.append(line)
    except (OSError, UnicodeDecodeError) as error:
        msg = f"the export {path.name!r} cannot be read: {type(error).__name__}"
        raise ImportFailed(msg) from error
    yield section


def _is_header(line: str) -> bool:
    if '"format"' not in line[:_HEAD]:
        return False
    try:
        row = json.loads(line)
    except ValueError:
        return False
    return isinstance(row, dict) and row.get("format") == FORMAT

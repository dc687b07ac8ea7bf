"""A small folder of lives to begin from: two sisters in English, one event."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from omoide import Omoide
from omoide.authoring import Problem, lint, read_folder
from omoide.testing import FixedClock
from postgres import place

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)


def opened(folder: Path) -> AbstractAsyncContextManager[Omoide]:
    """The store of a folder, without an embedder."""
    return Omoide.open(
        place(folder, "lives.db"), embedder="none", master_key_file=folder / "key", clock=FixedClock(NOW)
    )


TODAY = date(2026, 6, 10)

EVENTS = """\
- name: the fair
  day: 2012-08-04
  place: Saltby
  participants: [Ada, Bea]
"""
ADA = """\
- id: the-wheel
  day: 2012-08-04
  confidence: 9
  place: Saltby
  event: the fair
  scores: {frustration: 8, spite: 2}
  text: |
    I counted the cabins of the wheel twice.
"""
BEA = """\
- id: the-prize
  day: 2012-08-04
  confidence: 9
  event: the fair
  text: |
    I won a fish, and I let it go.
"""


def profile(name: str, birthday: str, *more: str) -> str:
    return "\n".join([f"name: {name}", "language: en", f"birthday: {birthday}", *more, ""])


class Folder:
    """A folder of lives without a fault; tests change one thing in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("events.yaml", EVENTS)
        self.write("ada/profile.yaml", profile("Ada", "2004-02-01", "scores: [spite]"))
        self.write("ada/diary.yaml", ADA)
        self.write("bea/profile.yaml", profile("Bea", "2006-05-20", "nickname: Bumble"))
        self.write("bea/diary.yaml", BEA)

    def write(self, name: str, text: str | bytes) -> None:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def problems(self) -> list[Problem]:
        return lint(read_folder(self.path), today=TODAY)

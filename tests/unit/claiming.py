"""What a window shows of a talk between Sam and Wren, and what becomes of claims about it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from omoide.domain.model import Kind, Role
from omoide.domain.redaction import Redaction
from omoide.domain.text import language
from omoide.retain.extraction.ground import ground
from omoide.retain.extraction.schema import Reading
from omoide.retain.extraction.view import Known, Line, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.retain.extraction.grounded import Grounded

AT = datetime(2026, 3, 3, 13, tzinfo=UTC)

FACT = Known(
    key="f1", number=9, kind=Kind.FACT, text="", subject=1, name="Sam", rests=frozenset({99}), position=0
)
"""A fact that is known of the user."""


def line(m: int, text: str, **more: Any) -> Line:
    """A message of the user's."""
    given = {"number": m, "role": Role.USER, "speaker": 1, "name": "Sam", "at": AT, "position": m, **more}
    return Line(m=m, text=text, **given)


def view(*lines: Line, user: str = "Sam", **more: Any) -> View:
    """A window of these messages."""
    words = " ".join(one.text for one in lines if one.role is Role.USER)
    given = {"context": (), "language": language(words), "nicknames": {}, "relationship": None, **more}
    return View(lines=lines, now=AT, user=1, character=2, names={1: user, 2: "Wren"}, **given)


def heard(said: Sequence[str], *, user: str = "Sam", known: Sequence[Known] = ()) -> View:
    """What is said by turns, the user first."""
    speakers = [{"name": user}, {"role": Role.CHARACTER, "speaker": 2, "name": "Wren"}]
    lines = [line(m, text, **speakers[(m - 1) % 2]) for m, text in enumerate(said, 1)]
    return view(*lines, user=user, known=tuple(known))


def claim(text: str, *cites: tuple[int, str], about: str = "Sam", **more: Any) -> dict[str, Any]:
    """An item of an answer that rests on words of messages."""
    evidence = [{"m": m, "words": words} for m, words in cites]
    return {"text": text, "about": about, "mode": "asserted", "evidence": evidence, **more}


def grounded(view: View, **given: Any) -> Grounded:
    """What stands of an answer."""
    return ground(Reading.model_validate({"summary": "", **given}), view, redact=Redaction())


def whose(*said: str, text: str) -> str | None:
    """Whom a claim about the user is about that cites their last message; None where it is dropped."""
    turns = [turn for words in said for turn in (words, "…")]
    found = grounded(heard(turns), facts=[claim(text, (len(turns) - 1, said[-1]))]).items
    return None if not found or found[0].about is None else found[0].about.name

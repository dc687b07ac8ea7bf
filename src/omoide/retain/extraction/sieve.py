"""What all parts of grounding share: what is looked at, what is dropped, and text made fit to keep."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from omoide.domain.absolute import absolute
from omoide.domain.grounding.by_name import by_name
from omoide.domain.grounding.relatives import relative
from omoide.domain.text import letters
from omoide.retain.extraction.checks import foreign, invented, redacted, unfit
from omoide.retain.extraction.grounded import Dropped, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from omoide.domain.redaction import Redaction
    from omoide.retain.extraction.view import Line, View

G = TypeVar("G")
T = TypeVar("T")


class Sieve:
    """Keeps what passes, and counts what does not.

    Args:
        view: what was said, and who is known.
        redact: takes out what is never kept.
    """

    def __init__(self, view: View, redact: Redaction) -> None:
        self.view = view
        self.redact = redact
        self.dropped: Counter[str] = Counter()

    def each(self, given: Iterable[G], keep: Callable[[G], T]) -> list[T]:
        """Those that pass."""
        kept = []
        for one in given:
            try:
                kept.append(keep(one))
            except Dropped as error:
                self.dropped[error.reason] += 1
        return kept

    def text(self, text: str) -> str:
        """A text that tells of the whole window, made fit to keep; empty for an empty one."""
        text = self.clean(text)
        if not text:
            return ""
        lines = self.view.lines
        reason = unfit(text)
        if reason is None and foreign(text, [line.text for line in lines], self.view):
            reason = Reason.LANGUAGE
        if reason is not None:
            raise Dropped(reason)
        return self.lasting(text, lines[-1])

    def aside(self, text: str, line: Line | None) -> str:
        """Words that go with a message, as what brought it about; empty where they hold what nobody said."""
        text = self.clean(text)
        made_up = unfit(text) or invented(text, self.view.lines, self.view, beside=True)
        return "" if made_up else self.lasting(text, line)

    def lasting(self, text: str, line: Line | None, *, day: date | None = None) -> str:
        """A text with the days in figures that are seen from when a message was said."""
        said = None if line is None else line.at
        return absolute(text, said=said, names=[*self.view.names.values(), *self.view.nicknames], day=day)

    def clean(self, text: str) -> str:
        """A text on one line, without what is never kept, in which both are called by their names."""
        view = self.view
        said = [line.text for line in (*view.context, *view.lines)]
        names = {"user": view.name(view.user, ""), "character": view.name(view.character, "")}
        return by_name(redacted(text, self.redact), **names, said=said)

    def said(self, name: str) -> bool:
        """Whether a name was said in the window, or stands in what is known and shown.

        Of "Wren's mother" it is enough that Wren speaks of a mother.
        """
        called = letters(name)
        texts = [line.text for line in self.view.lines] + [known.text for known in self.view.known]
        if called and any(called in letters(text) for text in texts):
            return True
        kin = relative(name)
        whose = None if kin is None or kin.whose is None else self.view.who(kin.whose)
        if kin is None or whose is None or whose.number is None:
            return False
        own = [line.text for line in self.view.lines if line.speaker == whose.number]
        return any(letters(kin.word) in letters(text) for text in own)

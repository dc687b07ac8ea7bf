"""What a character saw of another, which may tell of a feeling, and never more than that (K5)."""

from __future__ import annotations

from dataclasses import dataclass

from omoide.domain.layer import CONFIDENCE, Layer
from omoide.domain.text import clean, composed, is_blank
from omoide.errors import InvalidInput


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """What a character saw of another, and what it takes the other to have felt (K5).

    Attributes:
        person: who was observed.
        behaviour: what was to be seen.
        feeling: what they seemed to feel: a guess, and never more.
        basis: what the guess rests on; needed with a feeling.
        confidence: of the guess, 3 to 6.

    Raises:
        InvalidInput: a part is missing, or the confidence is not that of a guess.
    """

    person: str
    behaviour: str
    feeling: str | None = None
    basis: str | None = None
    confidence: float = 4.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "person", composed(clean(self.person)).strip())
        for name in ("person", "behaviour"):
            if is_blank(getattr(self, name)):
                msg = f"an observation names the {name}, got {getattr(self, name)!r}"
                raise InvalidInput(msg)
        if (self.feeling is None) is not (self.basis is None) or nothing_in(self.feeling, self.basis):
            given = " and ".join(
                f"{name}={value!r}"
                for name, value in (("feeling", self.feeling), ("basis", self.basis))
                if value is not None
            )
            msg = (
                "a feeling of another is a guess and names what it rests on, got only "
                f"{given}; give both feeling and basis, or neither"
            )
            raise InvalidInput(msg)
        low, high = CONFIDENCE[Layer.INFERRED]
        if not low <= self.confidence <= high:
            msg = f"the confidence of a guess lies between {low:g} and {high:g}, got {self.confidence!r}"
            raise InvalidInput(msg)


def nothing_in(*texts: str | None) -> bool:
    """Whether one of these texts is given, and says nothing."""
    return any(text is not None and is_blank(clean(text)) for text in texts)

"""Looking into JSON of unknown shape: a value of the wrong type reads as an absent one."""

from __future__ import annotations

from omoide.domain.text import clean, is_blank

Fields = dict[str, object]


def fields(value: object) -> Fields:
    """Return a JSON object's fields; of anything else, none."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """Return a JSON array's items; of anything else, none."""
    return value if isinstance(value, list) else []


def text_of(value: object) -> str:
    """Return a string as it is; of anything else, the empty string."""
    return value if isinstance(value, str) else ""


def yes(value: object) -> bool:
    """Whether a switch is on; some programs write 1 for true."""
    return isinstance(value, int) and value == 1


def label(value: object) -> str | None:
    """Return a name or an id without what cannot be stored or seen; None if nothing is left.

    Whole numbers count as ids.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    cleaned = " ".join(clean(text_of(value)).split())
    return None if is_blank(cleaned) else cleaned

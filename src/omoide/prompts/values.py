"""What each prompt may show, with values of the right shape, so that a wording can be tried first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_TALK: Final = {"character": "달비", "others": "하루, Wren", "topic": "はじめて見た海"}

SAMPLES: Final[Mapping[str, tuple[Mapping[str, object], ...]]] = {
    "extraction": ({"user": "하늘", "character": "달비", "emotions": "joy, sadness, anger"},),
    "scoring": ({},),
    "discussion": tuple(
        {**_TALK, "movement": movement} for movement in ("introduction", "development", "turn", "conclusion")
    ),
    "diary": tuple({**_TALK, "scores": "joy, sadness", "revision": revision} for revision in (False, True)),
    "judging": ({"character": "달비", "others": "하루, Wren"},),
    "safety": tuple({"character": "달비", "taboos": taboos} for taboos in ("", "politics, spiders")),
}
"""For each prompt all that it is filled in with, once for each way that it may branch."""


def shown_by(name: str) -> tuple[str, ...]:
    """The values that a prompt may show; none for a prompt that nobody knows."""
    return tuple(next(iter(SAMPLES.get(name, ())), ()))

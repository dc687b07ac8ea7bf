"""Character cards of the versions 1, 2 and 3, with the lorebook inside them.

Version 1 is flat; later ones keep everything under `data`, and SillyTavern repeats the old fields beside it.
`creator_notes` and `tags` are for people and never for prompts, so they are kept with the unused keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.imported import Character
from omoide.domain.text import is_blank
from omoide.importers.lorebooks import entries_of, plain_text
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, fields, label, text_of

if TYPE_CHECKING:
    from omoide.importers.reading import Reading

_TEXTS = (
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "system_prompt",
    "post_history_instructions",
)
_OLD_NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "example_dialogue": "mes_example",
    "char_greeting": "first_mes",
}
"""Pygmalion's names for the fields of version 1."""

_SPECS = {"chara_card_v2": "2.0", "chara_card_v3": "3.0"}
_USED = frozenset({"name", "nickname", "character_book", "data", *_TEXTS})


def recognises(value: object) -> bool:
    """Whether a JSON value is a card of any version."""
    card = fields(value)
    if text_of(card.get("spec")).startswith("chara_card"):
        return True
    flat = _renamed(card)
    return "name" in flat and any(key in flat for key in ("description", "personality", "first_mes"))


def read(value: object, reading: Reading) -> Found:
    """Read the character, and the entries of the book inside the card."""
    card = fields(value)
    if not recognises(value) and "name" not in fields(card.get("data")):
        reading.tally.unreadable("cards")
        return Found()
    _note_version(card, reading)
    # What stands under `data` counts; the old fields beside it are a copy for old programs.
    merged = {**_renamed(card), **fields(card.get("data"))}
    return Found(
        characters=(_character(merged, reading),),
        world=entries_of(merged.get("character_book"), reading.tally),
    )


def _renamed(card: Fields) -> Fields:
    return {_OLD_NAMES.get(key, key): value for key, value in card.items()}


def _note_version(card: Fields, reading: Reading) -> None:
    spec = card.get("spec")
    if spec is not None and _SPECS.get(text_of(spec)) != card.get("spec_version"):
        reading.tally.add("cards of a version that is not known here, read as far as possible")


def _character(card: Fields, reading: Reading) -> Character:
    said = name = label(card.get("name"))
    if name is None:
        reading.tally.add("cards without a name, named after the file")
        name = label(reading.stem) or "character"
    texts = {key: plain_text(text_of(card.get(key))) for key in _TEXTS}
    return Character(
        name=name,
        nickname=label(card.get("nickname")),
        text={key: text for key, text in texts.items() if not is_blank(text)},
        extra={key: value for key, value in card.items() if key not in _USED},
        named=said is not None,
    )

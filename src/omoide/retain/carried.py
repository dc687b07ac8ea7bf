"""What an export carries beside words and memories: relationship, feelings, nicknames, what was read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.domain.affect import Feeling
from omoide.domain.model import Role
from omoide.domain.relationship import Relationship

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from omoide.stores.unit import Unit

_IMPORTED = "imported"
"""The wording by which a window counts as read whose memories came with the export."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CarriedFeeling:
    """A feeling with the message it was felt at, by the message's id in the file."""

    message: str
    feeling: Feeling
    trigger: str = ""


@dataclass(slots=True)
class Carried:
    """What is restored after words and memories are there.

    Attributes:
        relationship: how the two stand with each other.
        feelings: what was felt.
        nicknames: whose each is, the name, and who uses it; people by stable id.
        read: messages from which a model has drawn memories already, by their ids in the file.
    """

    relationship: Relationship | None = None
    feelings: list[CarriedFeeling] = field(default_factory=list)
    nicknames: list[tuple[str, str, str]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)


def names_of(unit: Unit, numbers: Iterable[int]) -> dict[int, str]:
    """What a file calls messages: their source's own id, or the store's."""
    return {number: external or uid for number, (uid, external, _) in unit.texts.details(numbers).items()}


def carried_lines(unit: Unit, unspeakable: set[int]) -> Iterator[dict[str, Any]]:
    """The lines of all this, as `read_line` takes them."""
    relationship = unit.relationships.current()
    if relationship is not None:
        yield {"relationship": asdict(relationship)}
    people = unit.people.all()
    for person, called, by in unit.people.nicknames():
        if person in people and by in people:
            yield {"nickname": [people[person].id, called, people[by].id]}
    felt = [one for one in unit.felt.all() if one[0] not in unspeakable]
    read = list(unit.windows.covered())
    names = names_of(unit, {*read, *(number for number, _, _ in felt)})
    for number, feeling, trigger in felt:
        if number in names:
            yield {"feeling": {"message": names[number], **asdict(feeling), "trigger": trigger}}
    if read:
        yield {"read": [names[number] for number in read if number in names]}


def read_line(row: Mapping[str, Any], into: Carried) -> bool:
    """Take in a line that `carried_lines` gave; whether it was one."""
    if "relationship" in row:
        kept: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in row["relationship"].items()
        }
        into.relationship = Relationship(**kept)
    elif "nickname" in row:
        person, called, by = row["nickname"]
        into.nicknames.append((person, called, by))
    elif "feeling" in row:
        felt = row["feeling"]
        feeling = Feeling(emotion=felt["emotion"], intensity=felt["intensity"])
        into.feelings.append(
            CarriedFeeling(message=felt["message"], feeling=feeling, trigger=felt.get("trigger", ""))
        )
    elif "read" in row:
        into.read.extend(row["read"])
    else:
        return False
    return True


def restore(unit: Unit, carried: Carried) -> list[int]:
    """Write what an export carries; what is here already stays as it is.

    Returns:
        The messages at which a feeling is known now that was not.
    """
    if carried.relationship is not None and unit.relationships.current() is None:
        unit.relationships.add(carried.relationship, last_message=None)
    for person, called, by in carried.nicknames:
        of, user = (
            unit.people.resolve(external, role=_role(unit, external), name=None, now=unit.now)
            for external in (person, by)
        )
        unit.people.nickname(of, called, by=user, now=unit.now)
    felt = _restore_feelings(unit, carried.feelings)
    _restore_read(unit, carried.read)
    unit.change()
    return felt


def _role(unit: Unit, external: str) -> Role:
    return Role.CHARACTER if external == unit.scope.character else Role.USER


def _restore_feelings(unit: Unit, feelings: Iterable[CarriedFeeling]) -> list[int]:
    felt = []
    for one in feelings:
        found = unit.log.find_external(one.message)
        if found is None or (found[0].id, found[0].speaker) in unit.felt.known([found[0].id]):
            continue
        message = found[0]
        unit.felt.add(
            one.feeling,
            person=message.speaker,
            message=message.id,
            at=message.position if message.at is None else message.at,
            zone=message.zone,
            trigger=one.trigger,
        )
        felt.append(message.id)
    return felt


def _restore_read(unit: Unit, names: Iterable[str]) -> None:
    """Let a model not read again what it has read: the memories came along."""
    covered = unit.windows.covered()
    found = (unit.log.find_external(name) for name in names)
    logged = [one[0] for one in found if one is not None and one[0].id not in covered]
    if logged:
        held = [one.id for one in sorted(logged, key=lambda one: one.position)]
        unit.windows.close(unit.windows.open(held), skipped=False, prompt_version=_IMPORTED)


def moment(text: str | None) -> datetime | None:
    """A time as a file writes it."""
    return None if text is None else datetime.fromisoformat(text)

"""What requests carry: checked by type and length before anything is done."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from omoide.domain.affect import Feeling
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Message, Role
from omoide.domain.text import unstorable
from omoide.recall.filters import Filter


def _storable(name: str) -> str:
    sign = unstorable(name)
    if sign is not None:
        msg = f"a name holds no control characters, got {sign!r}"
        raise ValueError(msg)
    return name


Name = Annotated[str, Field(min_length=1, max_length=512), AfterValidator(_storable)]
Number = Annotated[float, Field(strict=True)]
"""A number as JSON writes it: `true` is none."""

Words = Annotated[str, Field(max_length=2_000_000)]


class Body(BaseModel):
    """A request's body; a field that nobody knows is an error, for it is most likely a slip."""

    model_config = ConfigDict(extra="forbid")


class FeelingBody(Body):
    """What somebody felt."""

    emotion: str
    intensity: Annotated[float, Field(ge=0.0, le=1.0)]


class MessageBody(Body):
    """One thing said."""

    role: Literal["user", "character", "system"]
    text: Words
    speaker: str = ""
    name: str | None = None
    at: AwareDatetime | None = None
    id: str | None = None
    hidden: bool = False
    heard: Annotated[int, Field(ge=0)] | None = None
    feeling: FeelingBody | None = None

    def message(self) -> Message:
        """The message."""
        feeling = self.feeling
        return Message(
            role=Role(self.role),
            text=self.text,
            speaker=self.speaker,
            name=self.name,
            at=self.at,
            external_id=self.id,
            hidden=self.hidden,
            heard=self.heard,
            feeling=None
            if feeling is None
            else Feeling(emotion=feeling.emotion, intensity=feeling.intensity),
        )


class ObserveBody(Body):
    """An exchange that was had; or, in place of user and reply, messages of any speakers."""

    user: Words | None = None
    reply: Words | None = None
    messages: Annotated[list[MessageBody], Field(max_length=100_000)] = []
    session: Name | None = None
    at: AwareDatetime | None = None
    off_record: bool = False


class SyncBody(Body):
    """The conversation as the client now shows it."""

    messages: Annotated[list[MessageBody], Field(max_length=100_000)]
    session: Name | None = None
    live: bool = True


class RewindBody(Body):
    """The last message that stays."""

    to: Name
    session: Name | None = None


class FilterBody(Body):
    """What a recall is narrowed to, in the forms of a search; a bare number means at least so much."""

    kinds: list[Kind] = []
    layers: list[Layer] = []
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    importance: Number | str | None = None
    people: list[str] = []
    place: str | None = None
    emotion: dict[str, Number | str] | list[str] = {}

    def filter(self) -> Filter:
        """The filter."""
        return Filter(
            kinds=self.kinds,
            layers=self.layers,
            since=self.since,
            until=self.until,
            importance=self.importance,
            people=self.people,
            place=self.place,
            emotion=self.emotion,
        )


class RecallBody(Body):
    """A message, and how to recall."""

    message: Words
    session: Name | None = None
    filter: FilterBody | None = None
    limit: int | None = None
    budget: int | None = None
    as_of: AwareDatetime | None = None
    fusion: Literal["standard", "published"] | None = None
    rehearse: bool | None = None
    brief: bool | None = None


class NoteBody(Body):
    """A memory written by hand."""

    text: Words
    kind: Kind = Kind.FACT
    importance: Annotated[Number, Field(ge=1.0, le=10.0)] | None = None
    confidence: Annotated[Number, Field(ge=1.0, le=10.0)] | None = None
    at: AwareDatetime | None = None
    pinned: bool = False
    place: str | None = None
    keys: list[str] = []
    about: str | None = None


class CorrectionBody(Body):
    """What a memory says from now on."""

    text: Words


class ForgetBody(Body):
    """The memories to forget."""

    ids: Annotated[list[str], Field(min_length=1, max_length=10_000)]


class NameBody(Body):
    """What a person is called from now on."""

    name: Name


class MergeBody(Body):
    """The person who goes up in another."""

    other: Name


def when(at: datetime | None) -> str | None:
    """A time as other programs read it."""
    return None if at is None else at.isoformat()

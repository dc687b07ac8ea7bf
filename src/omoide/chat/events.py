"""What a turn of a chat tells while it goes on, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from omoide.recall.result import Recall


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A piece of the reply, without any part of an emotion tag."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """The reply has ended.

    Attributes:
        reply: all of it.
        emotion: what the character feels now.
        intimacy_level: how close it is to the user, 0 to 10, not rounded.
        memories_used: memories in the block that the model was shown.
        degraded: what of memory did not work, in a few words each.
        kept: whether the turn is in the log; false where the store failed, or it was taken back meanwhile.
        recall: what was recalled, with the reasons.
    """

    reply: str
    emotion: str
    intimacy_level: float
    memories_used: int
    degraded: tuple[str, ...]
    kept: bool
    recall: Recall


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """There is no reply, or it broke off. The message can be sent again, also where it is in the log.

    Attributes:
        message: what is wrong, for people; never words of a conversation.
        recall: what was recalled for it.
    """

    message: str
    recall: Recall


Event: TypeAlias = Token | Done | Failed

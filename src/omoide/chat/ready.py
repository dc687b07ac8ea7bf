"""What a message needs to be answered: how the character stands before it, and the prompt (H1, H2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.chat import Turn
from omoide.domain.model import Role
from omoide.domain.session_state import SessionState, intimacy, topics
from omoide.prompts import chat as phrases
from omoide.words.topics import content_words

if TYPE_CHECKING:
    from omoide.characters import Sheet
    from omoide.domain.model import Message
    from omoide.recall.result import Recall
    from omoide.retain.turns import Past
    from omoide.scope import Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Ready:
    """What a message of the user needs to be answered.

    Attributes:
        scope, sheet, session: whose talk it is, and where.
        said: the message.
        past: what the session holds before it.
        state: how the character stands before it.
        prompt: the system prompt, all but what memory adds.
    """

    scope: Scope
    sheet: Sheet
    session: str
    said: Message
    past: Past
    state: SessionState
    prompt: str

    @classmethod
    def of(cls, scope: Scope, sheet: Sheet, session: str, said: Message, past: Past) -> Ready:
        """Everything for the prompt but what memory adds; at the same time as that."""
        state = state_at(past, said.text)
        user = said.name or scope.user or ""
        parts = (
            sheet.prompt(user, state),
            phrases.tag(sheet.profile.language, sheet.profile.emotions),
            phrases.began(sheet.profile.language, sheet.greeting(user)) if past.whole else "",
        )
        prompt = "\n\n".join(part for part in parts if part)
        return cls(
            scope=scope, sheet=sheet, session=session, said=said, past=past, state=state, prompt=prompt
        )

    def shown(self, recall: Recall, *, in_system: bool) -> list[Turn]:
        """The prompt: one system turn, the last turns as they were said, and the message (H2, P1).

        Args:
            recall: what memory adds.
            in_system: whether what changes with every turn stands in the system turn, or in front of the
                message.
        """
        moving = [phrases.mood(self.sheet.profile.language, self.state), recall.block]
        system = [self.prompt, recall.standing, *(moving if in_system else [])]
        message = [*([] if in_system else moving), self.said.text]
        return [
            Turn("system", "\n\n".join(part for part in system if part)),
            *phrases.in_turn([*self.past.turns, (Role.USER, "\n\n".join(part for part in message if part))]),
        ]


def state_at(past: Past, message: str | None) -> SessionState:
    """How a character stands, by what the session shows and the new message of the user."""
    said = past.said if message is None else (*past.said, message)
    known = SessionState(
        intimacy=intimacy(past.warm_days), topics=topics([content_words(text) for text in said])
    )
    if past.feeling is None:
        return known
    return replace(known, emotion=past.feeling.emotion, intensity=past.feeling.intensity)

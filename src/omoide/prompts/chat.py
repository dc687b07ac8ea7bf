"""The prompt of a chat: what a character is told beside who it is, and what was said (H1, H2, H4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from omoide.domain.chat import Turn
from omoide.domain.model import Role
from omoide.domain.text import cut_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.session_state import SessionState
    from omoide.domain.text import Language

_LONGEST_TURN: Final = 4_000
"""Tokens of one earlier message that a prompt shows: a giant one must not silence all turns after it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Phrases:
    """What is said in one language.

    Attributes:
        plays: who speaks to whom, for a card that does not say; `{character}`, `{user}`.
        tag: how to tell the emotion of a reply; `{emotions}`.
        mood: how the character stands now; `{emotion}`, `{intensity}` and `{intimacy}` out of ten.
        began: how the conversation began; `{greeting}`.
    """

    plays: str
    tag: str
    mood: str
    began: str


_PHRASES: dict[Language, _Phrases] = {
    "ko": _Phrases(
        plays="너의 이름은 {character}, 이야기 상대는 {user}.",
        tag="대답의 맨 끝에 그 순간의 감정을 [EMOTION:이름] 꼴로 하나만 붙인다. "
        "이름은 {emotions} 가운데 하나이고, 이 표시는 상대에게 보이지 않는다.",
        mood="지금 기분: {emotion} ({intensity}/10). 상대와 가까운 정도: {intimacy}/10.",
        began="이 대화는 네가 이렇게 말을 걸면서 시작되었다: {greeting}",
    ),
    "ja": _Phrases(
        plays="あなたは{character}。{user}と話している。",
        tag="返事のいちばん最後に、そのときの感情を [EMOTION:名前] の形でひとつだけ付ける。"
        "名前は {emotions} のどれか。この印は相手には見えない。",
        mood="いまの気分: {emotion}（{intensity}/10）。相手との親しさ: {intimacy}/10。",
        began="この会話は、あなたがこう話しかけて始まった: {greeting}",
    ),
    "zh": _Phrases(
        plays="你是{character}，正在和{user}聊天。",
        tag="在回复的最后，用 [EMOTION:名称] 的形式标出此刻的情绪，只写一个。"
        "名称从 {emotions} 中选择，对方看不到这个标记。",
        mood="现在的心情：{emotion}（{intensity}/10）。与对方的亲近程度：{intimacy}/10。",
        began="这次对话由你这样开始：{greeting}",
    ),
    "en": _Phrases(
        plays="You are {character}, talking with {user}.",
        tag="At the very end of each reply, name the emotion of that moment once, written [EMOTION:name]. "
        "The name is one of {emotions}; the other person does not see it.",
        mood="Your mood now: {emotion} ({intensity}/10). How close you are: {intimacy}/10.",
        began="This conversation began with your words: {greeting}",
    ),
}


def plays(language: Language, *, character: str, user: str) -> str:
    """Who speaks to whom."""
    return _PHRASES[language].plays.format(character=character, user=user)


def tag(language: Language, emotions: Sequence[str]) -> str:
    """How to tell the emotion of a reply; empty for a character that shows none."""
    return _PHRASES[language].tag.format(emotions=", ".join(emotions)) if emotions else ""


def mood(language: Language, state: SessionState) -> str:
    """How the character stands at this moment."""
    return _PHRASES[language].mood.format(
        emotion=state.emotion, intensity=round(state.intensity * 10), intimacy=round(state.intimacy)
    )


def began(language: Language, greeting: str) -> str:
    """How the conversation began; empty where the character did not speak first."""
    return _PHRASES[language].began.format(greeting=greeting) if greeting else ""


def in_turn(said: Sequence[tuple[Role, str]]) -> list[Turn]:
    """What was said as turns of a prompt, the message to be answered last.

    The two take turns, for there are models that refuse two of one role in a row.
    """
    turns: list[Turn] = []
    for place, (role, words) in enumerate(said):
        text = words if place == len(said) - 1 else cut_tokens(words, _LONGEST_TURN)
        wire: Literal["user", "assistant"] = "user" if role is Role.USER else "assistant"
        if turns and turns[-1].role == wire:
            text = f"{turns.pop().text}\n\n{text}"
        turns.append(Turn(wire, text))
    return turns

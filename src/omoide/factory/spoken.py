"""What a character says in one turn, heard as it comes and cut where it does not end (K9)."""

from __future__ import annotations

import re
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from omoide.domain.emotion_tag import EmotionTag
from omoide.domain.poison import is_order, is_refusal
from omoide.domain.text import clean, composed, cut_tokens, fold, is_blank, tokens

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence

    from omoide.domain.chat import ChatModel, Turn
    from omoide.factory.cast import Player

LONGEST: Final = 240
"""Tokens of one turn; what is said beyond is cut at the end of a sentence."""

_CHARACTERS: Final = 4_000
"""Characters after which nobody listens any more, whatever they are."""

_EVERY: Final = 64
"""Characters after which the length is looked at again."""


_BEGINNING: Final = r"(?P<before>^|\n|[。．.!?！？…」』\"”]\s*)"
_BEFORE_NAME: Final = r"(?:(?:aunt|uncle|cousin|sister|brother|miss|mrs?\.?|ms\.?|dr\.?)\s)?"
_TITLE: Final = (
    "(?:(?:お?(?:姉|ねえ|兄|にい)(?:さん|ちゃん)?|さん|ちゃん|くん|君|さま|様|先輩|先生)"
    r"|\s?(?:씨|님|양|군|누나|언니|오빠|형|이모|삼촌|고모|선배|선생님))?"
)
_DIRECTION: Final = r"(?:\s*(?:[(（\[【][^)）\]】\n]{0,40}[)）\]】]|\*[^*\n]{1,40}\*))?"
"""How it is said, in brackets."""

_SPEECH: Final = (
    r"\s*(?:(?=[「『](?![^」』\n]*[」』]\s*(?:と|って)))"
    r"|(?=[“\"][^”\"\n]*[”\"]\s*(?:\n|$)))"
)
"""A quotation that the name stands right before; one that is told of goes on after it."""


async def heard(model: ChatModel, turns: Sequence[Turn], player: Player) -> tuple[str, int]:
    """What a character says, and how many tokens came, as we estimate them.

    Words that cannot be used, such as orders to a model or a refusal, are no words.

    Raises:
        ModelError: nothing is said, or it breaks off.
    """
    tag = EmotionTag(player.sheet.profile.emotions)
    parts: list[str] = []
    count = looked = 0
    async with aclosing(cast("AsyncGenerator[str, None]", model.stream(turns))) as pieces:
        async for piece in pieces:
            count += len(piece)
            parts.append(tag.feed(piece))
            if count - looked >= _EVERY:
                looked = count
                if count > _CHARACTERS or tokens("".join(parts)) > LONGEST:
                    break
    came = "".join((*parts, tag.finish()))
    return _own_words(came, player), max(tokens(came), count // 8)


def _label(names: Iterable[str]) -> re.Pattern[str]:
    """A name before a colon, a quotation or in brackets, where a line or a sentence begins, as in a play."""
    every = "|".join(map(re.escape, sorted(map(composed, names), key=len, reverse=True)))
    who = rf"{_BEFORE_NAME}(?:{every}){_TITLE}"
    spoken = rf"\W*{who}(?:{_DIRECTION}\W*[:：]\s*|{_DIRECTION}{_SPEECH})"
    return re.compile(rf"{_BEGINNING}(?:{spoken}|[\[【]\s*{who}\s*[\]】]\s*)", re.IGNORECASE)


def _own_words(text: str, player: Player) -> str:
    """A turn without name tags, and without what was made up for others."""
    text = composed(clean(text)).strip()
    folded = fold(text)
    others = [name for name in player.everyone_else if fold(name) in folded]
    text = _label(player.own).sub(lambda label: label["before"], text)
    if others and (made_up := _label(others).search(text)) is not None:
        text = text[: made_up.end("before")]
    text = " ".join(text.split())
    if is_blank(text) or is_order(text) or is_refusal(text):
        return ""
    return cut_tokens(text, LONGEST)

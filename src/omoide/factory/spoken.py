"""What a character says in one turn, heard as it comes and cut where it does not end (K9)."""

from __future__ import annotations

import re
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from omoide.domain.emotion_tag import EmotionTag
from omoide.domain.poison import is_order, is_refusal
from omoide.domain.text import clean, cut_tokens, is_blank, tokens

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from omoide.domain.chat import ChatModel, Turn
    from omoide.factory.cast import Player

LONGEST: Final = 240
"""Tokens of one turn; what is said beyond is cut at the end of a sentence."""

_CHARACTERS: Final = 4_000
"""Characters after which nobody listens any more, whatever they are."""

_EVERY: Final = 64
"""Characters after which the length is looked at again."""


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


def _own_words(text: str, player: Player) -> str:
    """A turn without name tags, and without what was made up for others."""
    own = "|".join(re.escape(name) for name in {player.sheet.called, player.sheet.name})
    others = "|".join(re.escape(name) for name in player.others)
    text = re.sub(rf"^\W*(?:{own})\W*[:：]\s*", "", clean(text).strip())
    text = re.split(rf"(?:^|\n)\W*(?:{others})\W*[:：]", text, maxsplit=1)[0]
    text = " ".join(text.split())
    if is_blank(text) or is_order(text) or is_refusal(text):
        return ""
    return cut_tokens(text, LONGEST)

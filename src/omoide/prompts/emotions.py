"""The emotions that the engine knows, as words of the language that a prompt is in (P19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omoide.domain.affect import EMOTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.domain.text import Language


def _in_order(*words: str) -> Mapping[str, str]:
    return dict(zip(EMOTIONS, words, strict=True))


EMOTION_WORDS: Final[dict[Language, Mapping[str, str]]] = {
    "ko": _in_order(
        "차분함", "기쁨", "설렘", "장난기", "수줍음", "호기심", "긴장", "걱정", "피곤함", "슬픔", "분노"
    ),
    "ja": _in_order(
        *("落ち着き", "うれしさ", "わくわく", "いたずら心", "恥ずかしさ", "好奇心"),
        *("緊張", "心配", "疲れ", "悲しみ", "怒り"),
    ),
    "zh": _in_order("平静", "高兴", "兴奋", "调皮", "害羞", "好奇", "紧张", "担心", "疲惫", "难过", "生气"),
    "en": _in_order(*EMOTIONS),
}
"""The words for `EMOTIONS`; a word of an author's own has none, and stays as it is."""

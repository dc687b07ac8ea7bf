"""What stands around the data in an extraction prompt, by language; the marks of its fences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.domain.text import Language


@dataclass(frozen=True, kw_only=True, slots=True)
class Labels:
    """Words around the data in one language.

    Attributes:
        now: before the present moment.
        due: before a plan's day.
        undated: in place of an unknown time.
        nothing: in place of what is not there.
        end: what to do with all this, after it.
        weekdays: from Monday on.
    """

    now: str
    due: str
    undated: str
    nothing: str
    end: str
    weekdays: tuple[str, ...]


LABELS: dict[Language, Labels] = {
    "ko": Labels(
        now="지금",
        due="예정",
        undated="시각 모름",
        nothing="없음",
        end="위 대화를 분석해 정해진 형식의 JSON 하나만 답한다. 대화를 이어 가지 않는다.",
        weekdays=("월", "화", "수", "목", "금", "토", "일"),
    ),
    "ja": Labels(
        now="現在",
        due="予定",
        undated="時刻不明",
        nothing="なし",
        end="上の会話を分析し、決められた形式のJSONを一つだけ答える。会話の続きは書かない。",
        weekdays=("月", "火", "水", "木", "金", "土", "日"),
    ),
    "zh": Labels(
        now="现在",
        due="日期",
        undated="时间不明",
        nothing="无",
        end="分析以上对话，只回答一个规定格式的 JSON。不要接着聊天。",
        weekdays=("一", "二", "三", "四", "五", "六", "日"),
    ),
    "en": Labels(
        now="now",
        due="due",
        undated="time unknown",
        nothing="none",
        end="Analyse the conversation above and answer with one JSON object of the given form only.",
        weekdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    ),
}

FENCES = ("relationship", "known", "earlier", "conversation", "diary", "reasons", "past")
"""The names of the fences around data."""

_MARK = re.compile(rf"[<＜‹〈][^\w<＜‹〈]*(?:{'|'.join(FENCES)})\b[^<>＜＞]*[>＞›〉]?", re.IGNORECASE)


def fenced(name: str, lines: list[str]) -> str:
    """Lines of data between the marks of their fence; whatever looks like a mark inside is taken out."""
    return "\n".join([f"<{name}>", *(_MARK.sub(" ", line) for line in lines), f"</{name}>"])

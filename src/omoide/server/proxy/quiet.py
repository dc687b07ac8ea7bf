"""How clients word their quiet prompts: what they ask of a model over the talk, and nobody says in it."""

from __future__ import annotations

import re
from typing import Final

from omoide.domain.text import sentences

_OPENS: Final = re.compile(
    r"""
    \s*(?:
        \[ (?: pause\ your | write\ (?:your\ next|the\ next|a\ ) | continue\ (?:your|the)\ (?:last|previous)
             | summari[sz]e | describe | in\ the\ next\ response | start\ a\ new | system\ note ) [^\]]* \]
      | ignore\ (?:all\ )?previous\ instructions | pause\ your\ role-?play
      | \#{1,4}\ *(?:task|guidelines|instructions?)\ *:
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What only a quiet prompt begins with; but a character may be described behind some of it too."""

_TASKS: Final = (
    r"""
    (?:please\ |your\ task\ is\ to\ |you\ (?:should|must|will)\ )? (?:
        (?:generate|create|write|provide|suggest)\ (?:an?|the|\d[\d-]*)\ (?:[\w-]+,?\ ){0,4}
        (?:title|summary|tags?|caption|keywords?|image\ prompt|search\ quer(?:y|ies)|follow-?up)
      | (?:classify|identify|determine|detect)\ the\ (?:\w+\ )?(?:emotion|mood|sentiment|expression|tone)\b
      | (?:summari[sz]e|title|label|translate|classify|categori[sz]e|condense|recap)\b [^.!?\n]*? (?:
            \b(?:following|above|entire|whole|full)\ (?:\w+\ )?
            (?:conversation|chat|dialogue?|messages?|transcript|discussion|exchange|text|role-?play|story)\b
          | \b(?:last|latest|previous)\ messages?\b | \b(?:conversation|chat|dialogue?)\ (?:history|log)\b
          | \b(?:story|role-?play{conversation|chat|dialogue?|discussion})\ so\ far
        )
    )
    """,
    r"""
    (?=[^.!?\n]*(?:
        (?:다음|아래|위)의?\ [^.!?\n]{0,12}(?:대화|채팅|이야기|메시지|발언|내용)
      | 마지막\ (?:메시지|발언) | 지금까지의?\ [^.!?\n]{0,8}(?:이야기|줄거리{대화|채팅})))
    (?=[^.!?\n]*(?:요약|정리|제목|태그|분류|키워드|번역|(?:감정|표정)[^.!?\n]*(?:판단|분석|파악|고르|골라)))
    [^.!?\n]*(?:주세요|줘|주십시오|하세요|하시오|하십시오|하라|해라|세요|시오|할\ 것|하기)
    """,
    r"""
    (?=[^。!?！？\n]*(?:
        (?:以下|次|上記|下記)の?[^。!?！？\n]{0,8}(?:会話|対話|チャット|やり取り|やりとり|メッセージ|発言|物語|文章)
      | (?:直前|最後)の(?:メッセージ|発言)
      | (?:これまで|ここまで)の?[^。!?！？\n]{0,8}(?:物語|ストーリー|あらすじ{会話|対話|チャット})))
    (?=[^。!?！？\n]*(?:要約|まとめ|タイトル|題名|タグ|分類|キーワード|翻訳|(?:感情|表情)[^。!?！？\n]*(?:判定|判断|選)))
    [^。!?！？\n]*(?:ください|下さい|せよ|しろ|なさい|(?:こと|ます)(?=\W|\Z))
    """,
    r"""
    (?=[^。!?！？\n]*(?:
        (?:以下|下面|上述|上面|以上|用户|用戶)的?[^。!?！？\n]{0,8}(?:对话|對話|聊天|会话|會話|消息|訊息|内容|內容)
      | (?:最后|最後)一?[条條](?:消息|訊息)
      | (?:目前为止|目前為止|至今|迄今)的?[^。!?！？\n]{0,8}(?:故事|剧情|劇情{对话|對話|聊天})))
    [^。!?！？\n]*(?:总结|總結|概括|摘要|归纳|歸納|标题|標題|标签|標籤|分类|分類|关键词|關鍵詞|翻译|翻譯
      | (?:情绪|情緒)(?:是什么|是什麼))
  | [请請]?(?:总结|總結|概括|翻译|翻譯|判断|判斷)(?:一下)?(?:以下|下面|上述|上面|目前为止|最后|最後)
    """,
)
"""A task over a talk, by en, ko, ja, zh: a title, a summary, tags, a mood of what is shown.

What stands in braces is left to instructions: a person may well ask for their talks so far.
"""

_BRACES: Final = re.compile(r"\{([^\d{}]+)\}")


def _compiled(*, people: bool) -> re.Pattern[str]:
    tasks = "|".join(f"(?:{task})" for task in _TASKS)
    return re.compile(_BRACES.sub("" if people else r"|\1", tasks), re.VERBOSE | re.IGNORECASE)


_OF_PEOPLE: Final = _compiled(people=True)
_OF_CLIENTS: Final = _compiled(people=False)

_LEADS: Final = 3
"""Sentences at the beginning of what instructs in which the task stands, behind who the model is to be."""

_BEGINNING: Final = 2_000
"""Characters among which they stand."""

_MARKS: Final = " \t\n#*>-[(【「"


def is_quiet(text: str) -> bool:
    """Whether words in the last place are a quiet prompt's; a person hardly begins so."""
    return _OPENS.match(text) is not None or _OF_PEOPLE.match(text[:_BEGINNING].lstrip(_MARKS)) is not None


def is_task(text: str) -> bool:
    """Whether what instructs sets a task over a talk, where it could as well say who the character is."""
    leads = sentences(text[:_BEGINNING])[:_LEADS]
    return any(_OF_CLIENTS.match(one.lstrip(_MARKS)) for one in leads)

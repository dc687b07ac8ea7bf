"""How clients word their quiet prompts: what they ask of a model over the talk, and nobody says in it."""

from __future__ import annotations

import re
from typing import Final

from omoide.domain.text import sentences

_ASIDE: Final = re.compile(
    r"""
    \s*(?:
        \[ (?: pause\ your | write\ your\ next\ \w+\ from\ the\ point\ of\ view | summari[sz]e
             | in\ the\ next\ response\ i\ want ) [^\]]* \]
      | ignore\ (?:all\ )?previous\ instructions
      | pause\ your\ role-?play (?:\.|,?\ and)\ (?:provide|write|describe|summari[sz]e)
      | \#{1,4}\ *(?:task|작업|과제|タスク|課題|任务|任務)\ *[:：]\ *\n
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What begins something else than the reply; but a character may be described behind some of it too."""

_INSTRUCTS: Final = re.compile(
    r"""
    \s*(?:
        \[ (?: write\ (?:your\ next|the\ next|a\ ) | continue\ (?:your|the)\ (?:last|previous) | describe
             | in\ the\ next\ response | start\ a\ new | system(?:\ note)?\ *: ) [^\]]* \]
      | \#{1,4}\ *(?:guidelines|instructions?|지침|지시(?:\ ?사항)?|指示|ガイドライン|指南|指令)\ *[:：]\ *\n
      | query:\ (?:history:\n|query:\ )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What else only a program begins with where the user speaks; of an instruction it is one for the reply."""

_NEXT: Final = re.compile(
    r"""
    \s*\[?\s*(?:
        (?:only\ )?write\ (?:only\ )?(?:
            (?:the|your)\ next\ (?:reply|response|message|turn|line)\ (?:only\ |solely\ )?as\b
          | [^\]\n]{1,60}?['’]s\ next\ (?:reply|response|message|turn|line)\b )
      | 다음\ (?:답장|답변|응답|대사|메시지|발언|차례)[^\]\n]{0,40}?(?:로서|로만|만\ (?:쓰|써|작성|말))
      | 次の(?:返信|返答|返事|応答|発言|台詞|セリフ|メッセージ)[^\]\n]{0,40}?(?:として|だけが|のみが)
      | 下一[条條个個]?(?:回[复覆應应]|消息|訊息|[发發]言)[^\]\n]{0,10}?(?:以|由|作[为為])
      | [请請]?[只仅僅]?(?:以|由|作[为為])[^\]\n]{1,40}?下一[条條个個]?(?:回[复覆應应]|消息|訊息|[发發]言)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""An instruction that says who is to speak next, as in a group."""

_PROACTIVE: Final = re.compile(
    r"""
    \s*(?:
        (?:please\ )?(?:say|speak|talk)\b [^.!?\n]*? \b(?:appropriate|suitable|fitting|relevant)
            \ (?:for|to|in)\ the\ (?:current|present)\ (?:context|conversation)\b
      | [^.!?\n]*(?:(?:현재|지금)의?\ (?:대화의?\ )?(?:문맥|맥락)|(?:현재의?|대화)\ 상황)
            에\ ?(?:맞|어울|적절|적합|알맞)
            [^.!?\n]*\ (?:말씀?|이야기|대화)[^.!?\n]*(?:세요|십시오|시오|라)(?=\W|\Z)
      | [^。!?！？\n]*(?:(?:現在|今)の(?:会話の)?(?:文脈|コンテキスト)|現在の状況)に
            (?:合|適|ふさわ|相応)
            [^。!?！？\n]*(?:話|言|発言)[^。!?！？\n]*(?:ください|下さい|なさい)
      | [请請][^。!?！？\n]*[说說讲講][^。!?！？\n]*(?:当前|當前|目前)的?(?:语境|語境|上下文|情境|情景)
    )
    [^\n]* \Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A prompt, all of it, that has the character speak by itself where the user says nothing."""

_PROMPT: Final = 300
"""Characters of such a prompt at most."""

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
          | \b(?:story|role-?play|conversation|chat|dialogue?|discussion)\ so\ far
        )
    )
    """,
    r"""
    (?=[^.!?\n]*(?:
        (?:다음|아래|위)의?\ [^.!?\n]{0,12}(?:대화|채팅|이야기|메시지|발언|내용)
      | 마지막\ (?:메시지|발언) | 지금까지의?\ [^.!?\n]{0,8}(?:이야기|줄거리|대화|채팅)))
    (?=[^.!?\n]*(?:요약|정리|제목|태그|분류|키워드|번역|(?:감정|표정)[^.!?\n]*(?:판단|분석|파악|고르|골라)))
    [^.!?\n]*(?:주세요|줘|주십시오|하세요|하시오|하십시오|하라|해라|세요|시오|할\ 것|하기)
    """,
    r"""
    (?=[^。!?！？\n]*(?:
        (?:以下|次|上記|下記)の?[^。!?！？\n]{0,8}(?:会話|対話|チャット|やり取り|やりとり|メッセージ|発言|物語|文章)
      | (?:直前|最後)の(?:メッセージ|発言)
      | (?:これまで|ここまで)の?[^。!?！？\n]{0,8}(?:物語|ストーリー|あらすじ|会話|対話|チャット)))
    (?=[^。!?！？\n]*(?:要約|まとめ|タイトル|題名|タグ|分類|キーワード|翻訳|(?:感情|表情)[^。!?！？\n]*(?:判定|判断|選)))
    [^。!?！？\n]*(?:ください|下さい|せよ|しろ|なさい|(?:こと|ます)(?=\W|\Z))
    """,
    r"""
    (?=[^。!?！？\n]*(?:
        (?:以下|下面|上述|上面|以上|用户|用戶)的?[^。!?！？\n]{0,8}(?:对话|對話|聊天|会话|會話|消息|訊息|内容|內容)
      | (?:最后|最後)一?[条條](?:消息|訊息)
      | (?:目前为止|目前為止|至今|迄今)的?[^。!?！？\n]{0,8}(?:故事|剧情|劇情|对话|對話|聊天)))
    [^。!?！？\n]*(?:总结|總結|概括|摘要|归纳|歸納|标题|標題|标签|標籤|分类|分類|关键词|關鍵詞|翻译|翻譯
      | (?:情绪|情緒)(?:是什么|是什麼))
  | [请請]?(?:总结|總結|概括|翻译|翻譯|判断|判斷)(?:一下)?(?:以下|下面|上述|上面|目前为止|最后|最後)
    """,
)
"""A task over a talk, by en, ko, ja, zh: a title, a summary, tags, a mood of what is shown."""

_TALK: Final = re.compile(
    r"""
    \b(?:following|above|entire)\ (?:\w+\ )?
        (?:conversation|chat|dialogue?|messages?|transcript|discussion|exchange|role-?play)\b
  | \b(?:last|latest|previous)\ messages?\b | \b(?:conversation|chat|dialogue?)\ (?:history|log)\b
  | \b(?:this|the)\ (?:conversation|chat|dialogue?|discussion)(?=\s*(?:[,.:;]|\Z))
  | (?:다음|아래|위)의?\ [^.!?\n]{0,12}(?:대화|채팅|메시지|발언)(?:(?:를|을|의|에서?)\ |\ ?(?:내용|기록|이력))
  | 마지막\ (?:메시지|발언) | 지금까지의?\ [^.!?\n]{0,8}(?:이야기|줄거리)
  | (?:以下|次|上記|下記)の?[^。!?！？\n]{0,8}(?:会話|対話|チャット|やり取り|やりとり|メッセージ|発言)
        (?:[を、]|の(?!話題|テーマ)|に(?!は)|から|内容|履歴)
  | (?:直前|最後)の(?:メッセージ|発言)
  | (?:これまで|ここまで)の?[^。!?！？\n]{0,8}(?:物語|ストーリー|あらすじ)
  | (?:以下|下面|上述|上面|以上|用户|用戶)的?[^。!?！？\n]{0,8}(?:对话|對話|聊天|会话|會話|消息|訊息)
  | (?:最后|最後)一?[条條](?:消息|訊息)
  | (?:目前为止|目前為止|至今|迄今)的?[^。!?！？\n]{0,8}(?:故事|剧情|劇情)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What a program calls the talk, and a person hardly does: they may ask for their talks so far."""

_PERSONAL: Final = re.compile(
    r"""
    \b(?:i(?!\ want\ you\ to\b)|me|my|mine|we|our|us|translate)\b
  | (?<!\w)(?:나|내|난|제|저|전|우리)(?:는|가|도|를|의|한테|에게|랑)?(?!\w) | 번역
  | 私|僕|俺|わたし|ぼく|翻訳 | (?<![为為帮幫给給])[我咱] | 翻译|翻譯
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What makes a task a person's: it speaks of them, or has something translated that they bring along."""

_TRANSCRIPT: Final = re.compile(
    r"""
    ^\s*(?:user|human|assistant|ai|사용자|유저|어시스턴트|ユーザー|アシスタント|用户|用戶|助手)\s*[:：]
  | <(?:chat_?history|history|conversation|transcript|messages?)>
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)

_TOOLS: Final = re.compile(r"\breturn the (?:correct|right) tools?(?:\(s\))? from the list\b", re.IGNORECASE)
"""Who is to choose a tool, behind a list of them of any length."""

_TASK: Final = re.compile("|".join(f"(?:{task})" for task in _TASKS), re.VERBOSE | re.IGNORECASE)

_LEADS: Final = 3
"""Sentences at the beginning of what instructs in which the task stands, behind who the model is to be."""

_BEGINNING: Final = 2_000
"""Characters among which they stand."""

_MARKS: Final = " \t\n#*>-[(【「"
_END: Final = re.compile(r"[.!?。！？\n]")


def is_quiet(text: str) -> bool:
    """Whether words of the role user in the last place are a quiet prompt's; a person hardly says them."""
    if _ASIDE.match(text) is not None or is_proactive(text):
        return True
    if opened := _INSTRUCTS.match(text):
        return _PERSONAL.search(opened.group()) is None
    beginning = text[:_BEGINNING].lstrip(_MARKS)
    if _TASK.match(beginning) is None:
        return False
    sentence = _END.split(beginning, maxsplit=1)[0]
    own = _TALK.search(sentence) is not None and _PERSONAL.search(sentence) is None
    return own or _TRANSCRIPT.search(text) is not None


def is_proactive(text: str) -> bool:
    """Whether it has the character speak by itself, which the user has not said."""
    return len(text) <= _PROMPT and _PROACTIVE.match(text) is not None and _PERSONAL.search(text) is None


def is_aside(text: str) -> bool:
    """Whether an instruction asks for something else than the reply to what stands before it."""
    return _ASIDE.match(text) is not None or _TASK.match(text[:_BEGINNING].lstrip(_MARKS)) is not None


def says_who(text: str) -> bool:
    """Whether an instruction says who is to speak next."""
    return _NEXT.match(text) is not None


def is_task(text: str) -> bool:
    """Whether what instructs sets a task over a talk, where it could as well say who the character is."""
    leads = sentences(text[:_BEGINNING])[:_LEADS]
    return any(_TASK.match(one.lstrip(_MARKS)) for one in leads) or _TOOLS.search(text) is not None

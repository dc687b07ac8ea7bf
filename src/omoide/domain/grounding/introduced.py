"""The name that somebody gives for themself, so that it and "the user" are one person (F34)."""

from __future__ import annotations

import regex

_SUBJECT = regex.compile(
    r"(?i)^\W*(?:the\s+user\s+(?=\p{Latin})|user\s+(?=(?:is|was|has|had|can|does|\p{Latin}{3,}(?:s|ed))\b))"
    r"|^\W*(?:사용자|유저)(?:는|은|가)\s+"
    r"|^\W*(?:ユーザーさん|ユーザー|ユーザ|利用者)(?:は|が)、?\s*"
    r"|^\W*(?:用户|使用者)\s*(?=\p{Han})(?!的)"
)


def introduces(text: str, name: str) -> bool:
    """Whether somebody says that a name is theirs: "I'm Ren", 나 렌이야, レンって呼んで, 我叫小雨."""
    if not name.strip():
        return False
    called = regex.escape(" ".join(name.split()))
    said = regex.compile(
        rf"""
          \b(?:i['’]?m|i\s+am|my\s+name\s+is|my\s+name['’]s|the\s+name['’]s|call\s+me|i\s+go\s+by)\s+{called}(?![\p{{L}}'’])(?!\s+(?:from|at|in)\s+\p{{L}}+\s+(?:who|that))
        | (?:^|[^\p{{Hangul}}])(?:나|난|나는|저|저는|전|제|내|제\s?이름은|내\s?이름은|이름은)\s*{called}
            (?:이야|야|이에요|예요|입니다|임|인데|이고|이거든|$|[,.!~])
        | {called}(?:이라고|라고)\s?(?:해(?!요?\s?하)|합니다|불러|부르)
        | (?:私|僕|俺|わたし|ぼく|あたし|名前)は?、?\s*{called}(?:です|だよ|だ(?!った)|といい|と申し
            |って(?:いう|言う|呼)|$|[。！、!])
        | {called}(?:と(?:申|いい|呼)|って(?:いいます|呼ん))
        | (?:我叫|我是|叫我){called}
        """,
        regex.VERBOSE | regex.IGNORECASE,
    )
    return said.search(text) is not None


def without_user(claim: str) -> str:
    """A claim without "the user" as its subject, since whom it is about is told beside it."""
    rest = _SUBJECT.sub("", claim, count=1).strip()
    return rest if sum(map(str.isalpha, rest)) > 1 else claim

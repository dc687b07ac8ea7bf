"""People by their names where a model says "the user" or "the character", as the rules call them (F31)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.particles import particle

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMS: Final = {
    form: forms
    for forms in ("은/는", "이/가", "을/를", "과/와", "으로/로", "이랑/랑")
    for form in forms.split("/")
}
_BEHIND_KO: Final = (
    r"님?(?:(?P<mark>이랑|으로|에게|한테|은|는|이|가|을|를|과|와|로|랑|의|도|께)(?!\p{Hangul})|(?=\W*$))"
)
_BEHIND_JA: Final = r"(?=(?:さん)?(?:[はがをにともで、。]|の(?![\p{Han}\p{Katakana}])|$))"
_USER: Final = regex.compile(
    rf"(?<!\p{{Hangul}})(?:사용자|유저){_BEHIND_KO}|(?<![\p{{Katakana}}ー])(?:ユーザーさん|ユーザー|利用者){_BEHIND_JA}"
    r"|用户(?![名体界数量])|(?i:\bthe\s+user)\b(?!\s+(?:interface|account|name|manual|guide|experience)\b)"
)
_CHARACTER: Final = regex.compile(
    rf"(?<!\p{{Hangul}})캐릭터{_BEHIND_KO}|(?<![\p{{Katakana}}ー])(?:キャラクター|キャラ){_BEHIND_JA}"
    r"|角色(?![扮设名])|(?i:\bthe\s+character)\b(?!\s+(?:of|sheet|design|limit)\b)"
)
_OF_THEM: Final = regex.compile(
    r"(?i)사용자|유저|캐릭터|ユーザ|利用者|キャラ|用户|角色|\b(?:user|character)s?\b"
)


def by_name(text: str, *, user: str, character: str, said: Iterable[str]) -> str:
    """A text in which both are called by their names, unless the talk itself is of users or characters.

    Args:
        text: what a memory would say.
        user: the user's name; empty where it is unknown.
        character: the character's name; empty where it is unknown.
        said: what was said.
    """
    if _OF_THEM.search(text) is None or any(_OF_THEM.search(one) for one in said):
        return text
    for name, words in ((user, _USER), (character, _CHARACTER)):
        if name:
            text = words.sub(
                lambda match, name=name: _called(name, match.groupdict().get("mark") or ""), text
            )
    return text


def _called(name: str, mark: str) -> str:
    return particle(name, _FORMS[mark]) if mark in _FORMS else name + mark

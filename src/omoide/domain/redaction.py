"""Words that are never kept: pasted secrets, and what a deployment forbids (ruling 38, pains F45)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[redacted]"
"""What stands in place of what is not kept."""

_SECRETS = re.compile(
    r"""
      \b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|AKIA|AIza|hf)[-_][A-Za-z0-9_\-]{12,}  # keys with a known start
    | \b(?:AKIA|ASIA|AIza)[A-Za-z0-9_\-]{12,}
    | \beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}                  # JSON web tokens
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]{0,8000}?-----END\ [A-Z ]*PRIVATE\ KEY-----
    """,
    re.VERBOSE,
)
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
_WORD = r"(?:pass(?:word|code|phrase)|pwd|비밀번호|비번|패스워드|パスワード|暗証番号|密码|密碼|口令)"
_VALUE = r"[A-Za-z0-9!@#$%^&*_\-.]"
_MIXED = rf"(?={_VALUE}*\d)(?={_VALUE}*[A-Za-z]){_VALUE}{{6,}}"
"""A value that is no word and no number, so that it needs no word between."""

# The value after the word for it: "password: abc123", "비밀번호는 abc123", "パスワードは abc123", "the
# password abc123"; and ahead of it: "uses abc123 as the password", "abc123をパスワードに".
_PASSWORD = re.compile(
    rf"({_WORD}(?:\s+(?:for|of|on|to)(?:\s+[a-z']+){{1,3}})?\s*(?:is|was|to|[:=：]|은|는|이|가|は|が|是)\s*)"
    rf"([\"'“「]?)(?=\S*[\d!@#$%^&*])({_VALUE}{{4,}})"
    rf"|({_WORD}s?\s+)([\"'“「]?)({_MIXED})",
    re.IGNORECASE,
)
_PASSWORD_BEHIND = re.compile(
    rf"(?<!{_VALUE}){_MIXED}(?=[\"'”」]?\s?"
    r"(?:(?:is|as|for)\s+(?:an?|the|my|your|his|her|their|\w+['’]s)\s+(?:\w+\s+)?"
    r"|(?:을|를|이라는|라는|이|가)\s?|(?:を|という|が)\s?|(?:是|作为|当)(?:我的)?)"
    rf"{_WORD})",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"(\bpin(?:\s(?:code|number))?\s{0,2}(?:is|was|to|[:=：])?\s{0,2})\d{4,8}(?![\d.,]*\d)", re.IGNORECASE
)


# Signs that a text must hold for the patterns above to be worth a look; hardly any message does.
_OF_SECRET = re.compile("-|_|AKIA|ASIA|AIza|eyJ")
_OF_PASSWORD_OR_CARD = re.compile(r"[\d!@#$%^&*]")


class Redaction:
    """Takes out of text what is never kept.

    Args:
        patterns: regular expressions of a deployment's own; whatever they match is taken out.
        secrets: take out keys, passwords and card numbers as well.

    Raises:
        InvalidInput: a pattern is no regular expression.
    """

    def __init__(self, patterns: Iterable[str] = (), *, secrets: bool = True) -> None:
        self._secrets = secrets
        self._patterns = [_compiled(pattern) for pattern in patterns]

    def __call__(self, text: str) -> str:
        """The text without what is never kept."""
        if self._secrets:
            text = _without_secrets(text)
        for pattern in self._patterns:
            text = pattern.sub(REDACTED, text)
        return text


def _without_secrets(text: str) -> str:
    if _OF_SECRET.search(text):
        text = _SECRETS.sub(REDACTED, text)
    if _OF_PASSWORD_OR_CARD.search(text):
        text = _PASSWORD.sub(_without_password, text)
        text = _PASSWORD_BEHIND.sub(REDACTED, text)
        text = _PIN.sub(rf"\1{REDACTED}", text)
        text = _DIGITS.sub(_without_card, text)
    return text


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        msg = f"never_keep holds {pattern!r}, which is no regular expression: {error}"
        raise InvalidInput(msg) from error


def _without_password(match: re.Match[str]) -> str:
    ahead, quote = (match.group(1), match.group(2)) if match.group(1) else (match.group(4), match.group(5))
    return f"{ahead}{quote}{REDACTED}"


def _without_card(match: re.Match[str]) -> str:
    digits = [int(character) for character in match.group() if character.isdigit()]
    return REDACTED if _is_card(digits) else match.group()


def _is_card(digits: list[int]) -> bool:
    """Luhn's check, which a run of digits passes by chance one time in ten."""
    doubled = [
        digit if place % 2 == 0 else (2 * digit - 9 if digit > 4 else 2 * digit)
        for place, digit in enumerate(reversed(digits))
    ]
    return sum(doubled) % 10 == 0

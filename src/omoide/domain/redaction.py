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
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]*?-----END\ [A-Z ]*PRIVATE\ KEY-----
    """,
    re.VERBOSE,
)
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
# The value after the word for it: "password: abc123", "비밀번호는 abc123", "パスワードは abc123".
_PASSWORD = re.compile(
    r"((?:pass(?:word|code|phrase)|pwd|비밀번호|비번|패스워드|パスワード|暗証番号|密码|口令)"
    r"\s*(?:is|[:=：]|은|는|이|가|は|が|是)\s*)"
    r"([\"'“「]?)(?=\S*[\d!@#$%^&*])([A-Za-z0-9!@#$%^&*_\-.]{4,})",
    re.IGNORECASE,
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
        text = _PASSWORD.sub(rf"\1\2{REDACTED}", text)
        text = _DIGITS.sub(_without_card, text)
    return text


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        msg = f"never_keep holds {pattern!r}, which is no regular expression: {error}"
        raise InvalidInput(msg) from error


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

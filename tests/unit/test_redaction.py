"""Secrets and forbidden words never reach the log."""

from __future__ import annotations

import pytest

from omoide.domain.redaction import REDACTED, Redaction
from omoide.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("내 키 sk-test-AAAA1111BBBB2222CCCC 이거 왜 안 되지", "AAAA1111"),
        ("와이파이 비번은 dubu1234!", "dubu1234"),
        ("パスワードは hana2024! だよ", "hana2024"),
        ("my password is hunter2x", "hunter2x"),
        ("my PIN is 4821, don't tell", "4821"),
        ("bank pin code: 482193", "482193"),
        ("has the password hunter2secret!", "hunter2secret"),
        ("uses hunter2secret! as the password", "hunter2secret"),
        ("the password for the wifi is hunter2!", "hunter2"),
        ("비밀번호 hana2024를 쓴다", "hana2024"),
        ("hana2024をパスワードに使う", "hana2024"),
        ("card 4111 1111 1111 1111 exp 12/29", "1111 1111"),
        ("token eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4", "SflKxwRJ"),
    ],
)
def test_a_secret_is_taken_out_and_the_rest_stays(text: str, secret: str) -> None:
    kept = Redaction()(text)

    assert secret not in kept
    assert REDACTED in kept


@pytest.mark.parametrize(
    "text",
    [
        "비밀번호를 또 잊어버렸어",
        "I forgot my password again!",
        "I lost a pin with 12 stones, a spin 4821 and pinned 2019",
        "비밀번호 4자리를 바꿨다",
        "my password is so hard to remember",
        "주문번호 1234567890123 이야",
        "call me at 010-1234-5678",
        "パスワードを変えた",
        "I weigh 70.5 kg",
    ],
)
def test_ordinary_talk_stays_as_it_is(text: str) -> None:
    assert Redaction()(text) == text


def test_a_deployment_forbids_words_of_its_own() -> None:
    assert Redaction([r"프로젝트 \w+"])("프로젝트 나비 얘기야") == f"{REDACTED} 얘기야"


def test_secrets_can_be_kept_where_a_deployment_says_so() -> None:
    assert Redaction(secrets=False)("pwd: abc123") == "pwd: abc123"


def test_a_broken_pattern_is_an_error_that_shows_it() -> None:
    with pytest.raises(InvalidInput, match=r"\(unclosed"):
        Redaction(["(unclosed"])

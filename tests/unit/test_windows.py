"""Which messages one extraction reads (P2, ruling 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.model import Role
from omoide.domain.windows import MOST_TOKENS, Uncovered, next_window


def said(pattern: str, tokens: int = 10) -> list[Uncovered]:
    roles = {"u": Role.USER, "c": Role.CHARACTER}
    return [
        Uncovered(number=number, role=roles[letter], tokens=tokens) for number, letter in enumerate(pattern)
    ]


@pytest.mark.proves("P2")
@pytest.mark.parametrize(
    ("pattern", "quiet", "held"),
    [
        ("", False, 0),
        ("ucucucuc", False, 0),
        ("ucucucucuc", False, 10),
        ("ucucucucu", False, 9),
        ("ucucucucucuc", False, 10),
        ("uuuuu", False, 5),
        ("cucucucucuccu", False, 12),
        ("ucucucuc", True, 8),
        ("cc", True, 0),
        ("u", True, 1),
    ],
)
def test_five_user_messages_make_a_window_and_fewer_when_it_is_quiet(
    pattern: str, quiet: bool, held: int
) -> None:
    assert next_window(said(pattern), size=5, quiet=quiet) == tuple(range(held))


def test_one_giant_message_is_a_window_of_its_own() -> None:
    talk = [*said("uc"), Uncovered(number=2, role=Role.USER, tokens=100_000), *said("")]
    assert next_window(talk, size=5, quiet=False) == (0, 1)
    assert next_window(talk[2:], size=5, quiet=False) == (2,)


@given(st.text("uc", max_size=60), st.integers(1, 8), st.integers(1, MOST_TOKENS * 2))
def test_windows_cover_everything_once_and_in_order(pattern: str, size: int, tokens: int) -> None:
    rest, covered = said(pattern, tokens), []
    while held := next_window(rest, size=size, quiet=True):
        assert sum(message.tokens for message in rest[: len(held)]) <= max(MOST_TOKENS, tokens)
        covered += held
        rest = rest[len(held) :]
    assert covered == list(range(len(covered)))
    assert all(message.role is Role.CHARACTER for message in rest)

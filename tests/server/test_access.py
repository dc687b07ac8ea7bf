"""API keys: how far each reaches, and what nothing can widen."""

from __future__ import annotations

import stat
import unicodedata
from typing import TYPE_CHECKING

import pytest

from omoide.errors import Forbidden, InvalidInput, NotFound
from omoide.server.access import LOCAL, Access, ApiKeys

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def keys(tmp_path: Path) -> ApiKeys:
    return ApiKeys(tmp_path / "keys.json")


def test_a_key_is_found_again_and_its_words_lie_nowhere(keys: ApiKeys) -> None:
    made = keys.add(Access(label="game", users=frozenset({"민지"}), characters=frozenset({"하루"})))
    assert keys.find(made) == Access(label="game", users=frozenset({"민지"}), characters=frozenset({"하루"}))
    assert keys.find(made[:-1]) is None
    assert made.removeprefix("omo_") not in keys.file.read_text()
    assert stat.S_IMODE(keys.file.stat().st_mode) == 0o600


def test_what_another_process_changes_is_seen_at_once(keys: ApiKeys) -> None:
    other = ApiKeys(keys.file)
    made = other.add(Access(label="one"))
    assert keys.find(made) == Access(label="one")
    other.remove("one")
    assert keys.find(made) is None
    assert not keys


def test_a_label_is_taken_once_and_never_blank(keys: ApiKeys) -> None:
    keys.add(Access(label="one"))
    for label in ("one", " "):
        with pytest.raises(InvalidInput, match="label of its own"):
            keys.add(Access(label=label))
    with pytest.raises(NotFound, match="'two'"):
        keys.remove("two")


def test_a_damaged_file_is_an_error_and_lets_nobody_in(keys: ApiKeys) -> None:
    keys.file.write_text("{half")
    with pytest.raises(InvalidInput, match="damaged"):
        keys.find("omo_x")


@pytest.mark.parametrize(
    ("access", "user", "character", "reaches"),
    [
        (LOCAL, "anybody", "anyone", True),
        (LOCAL, None, "anyone", True),
        (Access(label="k", users=frozenset({"민지"})), "민지", "하루", True),
        (Access(label="k", users=frozenset({"민지"})), unicodedata.normalize("NFD", "민지"), "하루", True),
        (Access(label="k", users=frozenset({"민지"})), "유나", "하루", False),
        (Access(label="k", users=frozenset({"민지"})), None, "하루", False),
        (Access(label="k", characters=frozenset({"ハル"})), "yuna", "ハル", True),
        (Access(label="k", characters=frozenset({"ハル"})), "yuna", "ソラ", False),
        (Access(label="k", users=frozenset()), "yuna", "ソラ", False),
    ],
)
def test_a_key_reaches_what_it_is_limited_to(
    access: Access, user: str | None, character: str, reaches: bool
) -> None:
    if reaches:
        access.check(user, character)
    else:
        with pytest.raises(Forbidden) as refused:
            access.check(user, character)
        assert user is None or user not in str(refused.value)


def test_only_an_admin_key_is_one() -> None:
    LOCAL.check_admin()
    with pytest.raises(Forbidden, match="no admin key"):
        Access(label="k").check_admin()

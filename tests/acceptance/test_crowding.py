"""Many tellings of nearly the same leave places for something else (P14, pains F81)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from opening import opened

from omoide.recall.crowd import crowded, spread

if TYPE_CHECKING:
    from pathlib import Path

WALKS = {
    "ko": (
        "오늘은 {}번째 산책을 했어. 강가 길로 천천히 걸었어",
        "{}번째 산책이라니 대단해! 강가 길은 어땠어?",
        "민준은 리그 오브 레전드를 즐긴다",
        "오늘은 산책하고 강가 길 말고 뭐 하면서 놀까?",
    ),
    "ja": (
        "今日は{}回目の散歩をした。川沿いの道をゆっくり歩いた",
        "{}回目の散歩なんてすごい！川沿いの道はどうだった？",
        "みなとは格闘ゲームが得意",
        "今日は散歩や川沿いの道のほかに何で遊ぶ？",
    ),
    "en": (
        "Walk x{} today, x{}x along the path",
        "x{}x! x{}, and how was the path?",
        "Sam loves League of Legends",
        "What fun is there today, besides a walk along the path?",
    ),
}


@pytest.mark.proves("P14")
@pytest.mark.parametrize("language", WALKS)
async def test_thirty_walks_leave_a_place_for_the_game(tmp_path: Path, language: str) -> None:
    said, reply, fact, asked = WALKS[language]
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.remember(fact, confidence=8)
        for number in range(1, 31):
            twice = number, number
            await scope.observe(said.format(*twice), reply.format(*twice), session=f"walk {number}")
        await scope.vectorise()
        found = [one.memory.text for one in (await scope.recall(asked)).memories]

    assert len(found) == 12
    assert fact in found[:5], found  # four walks at most come before it


def likeness(*groups: int) -> np.ndarray:
    """Cosines of memories with those before them: 0.9 within a group, 0.1 with others."""
    group = np.array(groups)
    return np.tril(np.where(group[:, None] == group[None, :], 0.9, 0.1), -1).astype(np.float32)


@pytest.mark.parametrize(
    ("groups", "order"),
    [
        ((0, 0, 0, 0, 1, 2), [0, 1, 4, 5, 2, 3]),
        ((0, 1, 0, 1, 0, 1), [0, 1, 2, 3, 4, 5]),
        ((0, 0, 0), [0, 1, 2]),
        ((0, 1, 2, 3), [0, 1, 2, 3]),
    ],
)
def test_what_is_too_many_of_a_kind_comes_last(groups: tuple[int, ...], order: list[int]) -> None:
    assert spread(range(len(groups)), likeness(*groups), 0.8, share=2) == order
    assert crowded(likeness(*groups), 0.8, share=2) == any(groups.count(one) > 2 for one in groups)


def test_what_has_no_vector_is_like_nothing() -> None:
    lacking = np.full((3, 3), np.nan, dtype=np.float32)

    assert not crowded(lacking, 0.8, share=1)
    assert spread(range(3), lacking, 0.8, share=1) == [0, 1, 2]


def test_what_was_left_out_as_a_duplicate_counts_for_nothing() -> None:
    assert spread([0, 2, 3], likeness(0, 0, 0, 1), 0.8, share=2) == [0, 2, 3]

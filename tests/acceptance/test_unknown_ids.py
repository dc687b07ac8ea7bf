"""An item may say that it confirms or replaces what nobody showed: it is kept, and that is counted (H12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, plan, read

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("H12")


@pytest.mark.parametrize(
    ("relation", "known", "unknown"),
    [
        ("replaces", "f7", 1),
        ("confirms", "f7", 1),
        ("confirms", "", 1),
        ("replaces", "the cat", 1),
        ("replaces", "f1 f8 p9", 2),
        ("confirms", "f1", 0),
        ("new", "f7", 0),
    ],
)
async def test_an_item_that_names_nothing_known_is_kept_and_that_is_counted(
    tmp_path: Path, relation: str, known: str, unknown: int
) -> None:
    async with heard(tmp_path, "나는 커피를 좋아해", "…") as (omoide, scope):
        await read(omoide, answer(facts=[fact("커피를 좋아한다", 1, "커피를 좋아해")]))
        await scope.observe("나는 커피를 안 마셔, 차를 마셔", "…", session="s")
        said = fact("커피를 안 마시고 차를 마신다", 1, "안 마셔, 차를 마셔", relation=relation, known=known)
        found = await read(omoide, answer(facts=[said]))

    assert found.dropped.get("unknown id", 0) == unknown
    assert sum(found.kept.values()) >= 1


async def test_a_plan_that_is_closed_under_an_unknown_id_is_counted_and_closed_by_what_it_says(
    tmp_path: Path,
) -> None:
    async with heard(tmp_path, "내일 치과에 가", "…") as (omoide, scope):
        await read(omoide, answer(plans=[plan("치과에 간다", 1, "치과에 가")]))
        await scope.observe("치과에 다녀왔어", "…", session="s")
        closing = plan("치과에 다녀왔다", 1, "치과에 다녀왔어", state="done", relation="replaces", known="p5")
        found = await read(omoide, answer(plans=[closing]))

    assert found.dropped["unknown id"] == 1

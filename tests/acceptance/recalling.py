"""What many tests of recall ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide import Omoide, Recall, Scope

TALK = (
    ("우리 고양이 이름은 감자예요", "귀여운 이름이네요"),
    ("저는 회사에서 지도를 만들어요", "멋진 일이네요"),
    ("주말에는 자전거를 타러 강에 가요", "바람이 좋겠어요"),
    ("매운 음식은 하나도 못 먹어요", "저는 잘 먹어요"),
    ("동생이 올해 대학에 들어갔어요", "축하해요"),
)


def texts(recall: Recall) -> list[str]:
    """What came to mind, in order."""
    return [found.memory.text for found in recall.memories]


def haru(omoide: Omoide) -> Scope:
    """The scope of minjun and haru."""
    return omoide.scope(user="minjun", character="haru")


async def talked(scope: Scope, talk: Sequence[tuple[str, str]] = TALK, *, session: str = "s1") -> None:
    """Let the two have talked of this."""
    for said, reply in talk:
        await scope.observe(user=said, reply=reply, session=session)
    await scope.vectorise()

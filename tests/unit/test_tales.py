from __future__ import annotations

import unicodedata

import pytest

from omoide.recall.phrasing import cut_frame
from omoide.recall.tales import told_of

ASKED = [
    ("고등어 얘기 해줘", "고등어"),
    ("고등어 이야기 들려줘", "고등어"),
    ("매듭 얘기해 줘", "매듭"),
    ("오사카 이야기 좀 해 주세요", "오사카"),
    ("태풍 오던 날에 대해 말해 줘", "태풍 오던 날"),
    ("流星群の夜のこと教えて", "流星群の夜"),
    ("花火大会の話を聞かせて", "花火大会"),
    ("祖父の店についてもっと話してください", "祖父の店"),
    ("Tell me about the ducks", "the ducks"),
    ("Hey, could you tell me the story of the regatta again?", "the regatta"),
    ("讲讲那场暴雨的事吧", "那场暴雨"),
    ("给我讲一个鸭子的故事", "鸭子"),
]
UNASKED = [
    "재미있는 이야기 하나 해줘",
    "무서운 옛날 얘기 해줘",
    "이 문장 번역해 줘",
    "怖い話をして",
    "昔の話を聞かせて",
    "英語に翻訳して",
    "Tell me a joke",
    "Tell me a story",
    "I told them about the ducks",
    "讲个恐怖的故事",
    "讲个笑话吧",
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(("message", "matter"), ASKED)
def test_what_is_asked_to_be_told_of_is_found(message: str, matter: str, form: str) -> None:
    assert told_of(unicodedata.normalize(form, message)) == matter


@pytest.mark.parametrize("message", UNASKED)
def test_any_tale_at_all_is_no_matter(message: str) -> None:
    assert told_of(message) is None


@pytest.mark.parametrize(("message", "matter"), ASKED)
def test_the_asking_is_cut_from_the_query(message: str, matter: str) -> None:
    assert cut_frame(message) == matter

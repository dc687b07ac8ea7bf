from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.recall.phrasing import _FRAMED, _FRAMES, asks, cut_frame, phrased, says_nothing


@pytest.mark.parametrize(
    ("query", "matter"),
    [
        ("Do you remember when I went to Busan?", "when I went to Busan?"),
        ("Hey, can you tell me what my dog is called?", "what my dog is called?"),
        ("내 강아지 이름 기억나?", "내 강아지 이름"),
        ("혹시 내가 어디 산다고 했는지 기억해?", "내가 어디 산다고 했는지"),
        ("ねえ、好きな食べ物って覚えてる？", "好きな食べ物"),
        ("你还记得我的猫吗", "我的猫吗"),
        ("What did you cook?", "What did you cook?"),
    ],
)
def test_what_only_asks_is_cut(query, matter):
    assert cut_frame(query) == matter


@pytest.mark.parametrize("query", ["Do you remember?", "기억해?", "覚えてる？", "", "tell me"])
def test_a_frame_alone_is_left_as_it_is(query):
    assert cut_frame(query) == query


@pytest.mark.parametrize(
    ("query", "whom"),
    [
        ("Do you remember where I live?", "user"),
        ("What's my favourite tea?", "user"),
        ("What did you cook yesterday?", "character"),
        ("Did I tell you about it?", None),
        ("When did it rain?", None),
        ("내 생일 기억나?", "user"),
        ("나는 어디 살지?", "user"),
        ("너는 뭐 좋아해?", "character"),
        ("네, 좋아요", None),
        ("나라 이름이 뭐야?", None),
        ("私の犬の名前、覚えてる？", "user"),
        ("あなたは何が好き？", "character"),
        ("我的猫叫什么", "user"),
        ("你喜欢什么", "character"),
    ],
)
def test_whom_a_message_asks_about(query, whom):
    assert phrased(query).about == whom


@pytest.mark.parametrize(
    "message",
    [
        "When did I move to Lisbon?",
        "what was my cat called",
        "내 고양이 이름이 뭐였더라",
        "우리 어디서 처음 만났지",
        "내 생일 기억나",
        "犬の名前は何だっけ",
        "好きなお茶は",
        "私の誕生日、覚えてる",
        "我的猫叫什么",
        "你还记得我的猫",
    ],
)
def test_a_message_asks_with_and_without_a_mark(message):
    assert asks(message)


@pytest.mark.parametrize(
    "message",
    [
        "I finally repotted the basil today.",
        "I remember the tall slide in that park",
        "오늘 드디어 화분을 갈았어",
        "今日やっとバジルを植え替えたよ。",
        "いつも朝に散歩している",
        "我今天终于给罗勒换了盆。",
        "我什么都不想吃",
    ],
)
def test_a_message_that_tells_does_not_ask(message):
    assert not asks(message)


@given(st.from_regex(_FRAMES, fullmatch=True))
def test_a_phrase_that_only_asks_is_one_that_is_looked_for(phrase):
    assert _FRAMED.search(phrase.casefold())


@pytest.mark.parametrize(
    ("rest", "nothing"),
    [
        ("What did I do ?", True),
        ("bye, !", True),
        ("Thanks, see you", True),
        ("Where did I camp ?", False),
        ("see you at the dentist", False),
        ("뭐 했더라?", True),
        ("잘 자, 또 얘기하자", True),
        ("어디서 캠핑했지?", False),
        ("は何してたっけ", True),
        ("おやすみ、また", True),
        ("どこで泳いだ？", False),
        ("我做了什么？", True),
        ("拜拜，见", True),
        ("我在哪里游泳？", False),
    ],
)
def test_what_stands_around_a_time_may_name_nothing(rest, nothing):
    assert says_nothing(rest) is nothing

"""What a true quote does not carry: questions, denials, the past, suppositions and other people's facts."""

from __future__ import annotations

import pytest

from omoide.domain.grounding.clauses import clauses
from omoide.domain.grounding.kin import names_somebody, owner
from omoide.domain.grounding.polarity import over, supposed, turned
from omoide.domain.grounding.questions import only_asks
from omoide.domain.grounding.quoting import locate


def _asked(said: str, words: str) -> bool:
    place = locate(words, said)
    assert place is not None
    return only_asks(said, *place)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Is my name Bob?", "my name Bob"),
        ("Do I look like a vegetarian to you?", "a vegetarian"),
        ("Hey, am I a doctor, in your opinion?", "a doctor"),
        ("Would you say I'm funny?", "I'm funny"),
        ("내가 채식주의자처럼 보여?", "채식주의자"),
        ("내 이름이 밥이야?", "내 이름이 밥"),
        ("내 이름이 밥인지 알아?", "내 이름이 밥"),
        ("私がベジタリアンに見える？", "ベジタリアン"),
        ("私は医者ですか。", "医者"),
        ("我像不像素食者？", "素食者"),
        ("혹시 강하린 작가 신간 나왔어?", "강하린 작가"),
    ],
)
def test_a_question_about_oneself_tells_nothing(said: str, words: str) -> None:
    assert _asked(said, words)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I'm a vegetarian, is that ok?", "I'm a vegetarian"),
        ("Can I eat this since I'm vegetarian?", "I'm vegetarian"),
        ("I have a dog but should I get a cat?", "I have a dog"),
        ("Did you know I'm left-handed?", "I'm left-handed"),
        ("What should I cook for my five kids?", "my five kids"),
        ("Why am I so afraid of dogs?", "afraid of dogs"),
        ("Can you suggest a name for my puppy?", "my puppy"),
        ("Is it late? I'm a nurse.", "I'm a nurse"),
        ("Can you believe I'm a father now?", "I'm a father"),
        ("나 채식주의자인데 이거 괜찮아?", "채식주의자인데"),
        ("나 왼손잡이인 거 알아?", "왼손잡이인 거"),
        ("나 간호사잖아?", "나 간호사"),
        ("私、左利きなんだけど、大丈夫？", "左利きなんだけど"),
        ("私が左利きって知ってた？", "左利き"),
        ("我吃素，可以吗？", "我吃素"),
    ],
)
def test_what_a_question_takes_for_granted_or_follows_is_told(said: str, words: str) -> None:
    assert not _asked(said, words)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("has a dog", "I don't have a dog"),
        ("has a dog", "I have no dog"),
        ("eats meat", "I haven't eaten meat in years"),
        ("has a car", "I don't own a car"),
        ("likes jazz", "I never liked jazz"),
        ("smokes", "I don't smoke"),
        ("smokes", "I no longer smoke"),
        ("is a doctor", "I'm not a doctor"),
        ("hates jazz", "I like jazz a lot"),
        ("likes jazz", "I hate jazz"),
        ("doesn't smoke", "I smoke every day"),
        ("재즈를 좋아한다", "재즈는 안 좋아해"),
        ("재즈를 좋아한다", "재즈는 좋아하지 않아"),
        ("재즈를 싫어한다", "재즈 진짜 좋아해"),
        ("담배를 피운다", "나 이제 담배 안 피워"),
        ("술을 마신다", "술은 못 마셔"),
        ("강아지를 키운다", "나 강아지 없어"),
        ("운동을 한다", "나 운동 안 해"),
        ("犬を飼っている", "犬は飼っていません"),
        ("犬がいる", "うちに犬はいない"),
        ("ジャズが好き", "ジャズは好きじゃない"),
        ("タバコを吸う", "タバコは吸わない"),
        ("ジャズが嫌い", "ジャズが大好き"),
        ("喜欢爵士乐", "我不喜欢爵士乐"),
        ("抽烟", "我不抽烟"),
        ("养狗", "我没养狗"),
    ],
)
def test_a_claim_that_affirms_what_was_denied_is_noticed(claim: str, said: str) -> None:
    assert turned(claim, said)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("has no dog", "I don't have a dog"),
        ("dislikes jazz", "I don't like jazz"),
        ("avoids coriander", "I don't eat coriander"),
        ("is allergic to nuts", "I can't eat nuts"),
        ("is allergic to shellfish", "No shellfish for me"),
        ("is happy, for the first time in a long time", "Haven't been in a long time"),
        ("돈이 부족하다", "돈이 없어"),
        ("眠れず困っている", "眠れない"),
        ("loves coffee", "I can't live without coffee"),
        ("likes jazz", "I don't just like jazz"),
        ("quit smoking", "I quit smoking"),
        ("doesn't eat meat", "I'm vegan"),
        ("새우를 아주 좋아한다", "난 새우 없으면 못 살아"),
        ("고기만 먹는다", "난 고기밖에 안 먹어"),
        ("매운 것을 못 먹는다", "난 매운 거 못 먹어"),
        ("저녁형 인간이다", "아니야 나 완전 저녁형이야"),
        ("고수를 싫어한다", "고수는 안 좋아해"),
        ("夜だけ話せる", "夜しか話せない"),
        ("転勤になる可能性がある", "転勤になるかもしれない"),
        ("薬を飲む必要がある", "薬を飲まなければならない"),
        ("寒さが苦手である", "寒いのは好きじゃない"),
        ("喜欢爵士乐", "爵士乐真不错，我喜欢"),
        ("不抽烟", "我不抽烟"),
    ],
)
def test_a_claim_that_agrees_with_its_words_is_left_alone(claim: str, said: str) -> None:
    assert not turned(claim, said)


@pytest.mark.parametrize(
    ("claim", "said", "expected"),
    [
        ("lives in Paris", "I used to live in Paris", True),
        ("lived in Paris", "I used to live in Paris", False),
        ("is used to living alone", "I'm used to living alone", False),
        ("파리에 산다", "예전에는 파리에 살았어", True),
        ("예전에 파리에 살았다", "예전에는 파리에 살았어", False),
        ("고양이를 키운다", "예전에 고양이를 입양했어", False),
        ("パリに住んでいる", "前はパリに住んでた", True),
        ("パリに住んでいた", "前はパリに住んでた", False),
        ("健太という名前である", "名前は健太だった", False),
        ("住在巴黎", "我以前住在巴黎", True),
        ("以前住在巴黎", "我以前住在巴黎", False),
    ],
)
def test_what_used_to_be_is_no_longer_so(claim: str, said: str, expected: bool) -> None:
    assert over(claim, said) is expected


@pytest.mark.parametrize(
    ("claim", "clause", "sentence", "expected"),
    [
        ("owns a yacht", "I would buy a yacht", "If I had a million dollars, I would buy a yacht", True),
        ("is the king of France", "lol imagine if I were the king of France", "", True),
        (
            "would buy a yacht",
            "I would buy a yacht",
            "If I had a million dollars, I would buy a yacht",
            False,
        ),
        ("drinks coffee", "I drink coffee", "If I'm tired, I drink coffee", False),
        ("요트가 있다", "만약 부자라면 요트를 살 거야", "", True),
        ("고양이를 키운다", "나도 고양이 키우면 좋겠다", "", True),
        ("고양이를 키우고 싶어 한다", "나도 고양이 키우면 좋겠다", "", False),
        ("매운 라면을 먹는다", "내가 매운 라면 먹었어", "", False),
        ("ヨットを持っている", "もしお金があったらヨットを買うのに", "", True),
        ("喘息がある", "もしかして言ってなかった、喘息がある", "", False),
        ("有游艇", "如果我有钱就买游艇", "", True),
    ],
)
def test_what_is_only_supposed_is_not_so(claim: str, clause: str, sentence: str, expected: bool) -> None:
    assert supposed(claim, clause, sentence or clause) is expected


@pytest.mark.parametrize(
    ("clause", "called"),
    [
        ("My sister is allergic to nuts", "sister"),
        ("My mom is called Maria", "mom"),
        ("my older brother Pavel is vegan", "Pavel"),
        ("My mom's diabetic", "mom"),
        ("both my parents are doctors", "parents"),
        ("우리 아빠 의사야", "아빠"),
        ("우리 언니는 견과류 알레르기가 있어", "언니"),
        ("엄마가 당뇨가 있어", "엄마"),
        ("姉はナッツアレルギーで", "姉"),
        ("うちの母が糖尿病", "母"),
        ("我妈妈有糖尿病", "妈妈"),
    ],
)
def test_a_third_persons_fact_is_found_by_its_subject(clause: str, called: str) -> None:
    found = owner(clause)

    assert found is not None
    assert found.called == called


@pytest.mark.parametrize(
    "clause",
    ["She's allergic to nuts", "He is a doctor", "걔는 매운 거 좋아해", "彼女は医者だ", "她对坚果过敏"],
)
def test_a_pronoun_is_somebody_without_a_name(clause: str) -> None:
    found = owner(clause)

    assert found is not None
    assert found.called is None


@pytest.mark.parametrize(
    "clause",
    [
        "I have a sister",
        "My sister and I are allergic to nuts",
        "My mother says I'm allergic to nuts",
        "My friends call me Bob",
        "My sister gave me a guitar",
        "My son was born in May",
        "Doctor says it's a slipped disc",
        "엄마가 해준 김치찌개 좋아해",
        "동생은 나보다 커",
        "나는 언니가 있어",
        "母が作った料理が好き",
        "妻がくれた時計を使ってる",
        "彼女がいる",
        "我喜欢妈妈做的菜",
    ],
)
def test_what_may_be_the_speakers_own_stays_theirs(clause: str) -> None:
    assert owner(clause) is None


def test_a_claim_that_names_a_relative_is_about_having_one() -> None:
    claims = ["has a sister", "언니가 있다", "妹が一人いる", "有一个姐姐"]

    assert all(map(names_somebody, claims))
    assert not any(map(names_somebody, ["is allergic to nuts", "견과류 알레르기가 있다", "猫を飼っている"]))


def test_clauses_joined_are_the_text() -> None:
    text = (
        "I don't smoke, but my sister does. 나 고기는 안 먹고 생선만 먹어! "
        "犬は好きだけど、猫は苦手。我吃素，可以吗？"
    )
    places = clauses(text)

    assert "".join(text[a:b] for a, b in places) == text
    assert len(places) == 8

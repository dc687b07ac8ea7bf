"""What the grammar around a quote tells: how many, who speaks, whose it is, and whether it is so."""

from __future__ import annotations

import pytest
from claiming import claim, grounded, heard, whose

from omoide.domain.grounding.counts import miscounted


def kept(said: str, text: str, words: str = "") -> bool:
    """Whether a claim of the user's stands that cites words of their message."""
    return bool(grounded(heard([said]), facts=[claim(text, (1, words or said))]).items)


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("나 앵무새 세 마리 키워", "앵무새 네 마리를 키운다"),
        ("커피 하루 두 잔 마셔", "하루에 커피를 다섯 잔 마신다"),
        ("우리 딸 여섯 살이야", "딸이 8살이다"),
        ("이 회사 다닌 지 삼 년 됐어", "회사에 다닌 지 6년이 되었다"),
        ("インコを三羽飼ってる", "インコを五羽飼っている"),
        ("息子は四歳", "息子は7歳である"),
        ("ギターを2本持ってる", "ギターを四本持っている"),
        ("週に二回走る", "週に五回走る"),
        ("I own three guitars", "owns five guitars"),
        ("I run twice a week", "runs four times a week"),
        ("my son is 5", "son is eight"),
        ("we have four hens", "has 6 hens"),
    ],
)
def test_a_small_number_has_to_be_said_too(said: str, text: str) -> None:
    assert miscounted(text, [said])
    assert not kept(said, text)


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("앵무새 세마리 키워", "앵무새를 3마리 키운다"),
        ("물고기 키워, 이름은 뽀글이랑 퐁당이", "뽀글이와 퐁당이라는 물고기 두 마리를 키운다"),
        ("이틀에 한 번 뛰어", "2일에 한 번 뛴다"),
        ("우리 애 중2야", "아이가 중학교 2학년이다"),
        ("매일 네 시까지 깨 있어", "매일 4시까지 깨어 있다"),
        ("インコを3羽飼ってる", "インコを三羽飼っている"),
        ("ふたり姉妹なんだ", "二人姉妹である"),
        ("引っ越して半年になる", "引っ越して6か月になる"),
        ("I have a couple of guitars", "has two guitars"),
        ("got hens, Dot and Peg and Fay", "has three hens called Dot, Peg and Fay"),
        ("clean for 14 days now", "has been clean for two weeks"),
        ("I have had a parrot since 2019", "has had a parrot for 7 years"),
    ],
)
def test_a_number_may_be_written_in_another_way(said: str, text: str) -> None:
    assert not miscounted(text, [said])


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ('this bloke at the gym goes "I eat raw eggs"', "eats raw eggs"),
        ('my barber said "I\'m scared of flying"', "is scared of flying"),
        ("my cousin was like I hate weddings", "hates weddings"),
        ("the lyrics go 'I lost my home in Cork'", "lost their home in Cork"),
        ("헬스장 친구가 '난 고기 안 먹어' 이러더라", "고기를 안 먹는다"),
        ("옆 팀 사람이 '나 다음 달에 퇴사해' 하더라", "다음 달에 퇴사한다"),
        ("동생이 난 바다가 무서워 그러더라", "바다를 무서워한다"),
        ("노래에 '나는 혼자 바다에 갔네'라는 부분 있잖아", "혼자 바다에 갔다"),
        ("店長が「俺、蛇を飼ってる」だって", "蛇を飼っている"),
        ("隣の席の人が「私、左利きなの」って言ってた", "左利きである"),
        ("後輩が「僕は泳げない」とか言ってた", "泳げない"),
        ("歌詞に「私は一人で海に行った」ってあるよね", "一人で海に行った"),
    ],
)
def test_what_a_quotation_tells_is_of_whoever_said_it(said: str, text: str) -> None:
    assert whose(said, text=text) != "Sam"


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ('I told my barber "I\'m scared of flying"', "is scared of flying"),
        ('my boss asked, and I said "I am vegan"', "is vegan"),
        ('my mum always says "you are too thin"', "is called too thin by their mother"),
        ("I went like I hate weddings", "hates weddings"),
        ("내가 '나 고기 안 먹어'라고 했어", "고기를 안 먹는다"),
        ("친구한테 '난 바다가 무서워'라고 말했어", "바다를 무서워한다"),
        ("'토지'를 세 번 읽었어", "'토지'를 세 번 읽었다"),
        ("나는 '밤편지'라는 노래를 좋아해", "'밤편지'를 좋아한다"),
        ("私は「左利きなの」って答えた", "左利きである"),
        ("俺が「俺は泳げない」って言った", "泳げない"),
        ("「こころ」を三回読んだ", "「こころ」を三回読んだ"),
        ("「糸」って曲が好き", "「糸」という曲が好きだ"),
    ],
)
def test_what_the_speaker_quotes_of_themself_is_theirs(said: str, text: str) -> None:
    assert whose(said, text=text) == "Sam"


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("아랫집 사람이 밤마다 피아노를 쳐", "밤마다 피아노를 친다"),
        ("우리 교수님 이번에 재혼하셨대", "이번에 재혼했다"),
        ("원장님은 낚시를 즐기셔", "낚시를 즐긴다"),
        ("내 동기는 채식주의자야", "채식주의자이다"),
        ("파티에서 맥주 다섯 병 마신 애가 있었어", "맥주를 다섯 병 마신다"),
        ("그 소설 주인공은 시한부야", "시한부이다"),
        ("上の階の人がトランペット吹くんだ", "トランペットを吹く"),
        ("大家さんは蛇を飼ってる", "蛇を飼っている"),
        ("ビールを七杯飲んだ奴がいてさ", "ビールを七杯飲む"),
        ("映画の主人公が左利きでさ", "左利きである"),
        ("校長は毎朝納豆を召し上がる", "毎朝納豆を食べる"),
        ("あの子はピアノが弾ける", "ピアノが弾ける"),
        ("the girl upstairs plays the trumpet", "plays the trumpet"),
        ("our landlady breeds ferrets", "breeds ferrets"),
        ("the man I'm dating is a pilot", "is a pilot"),
        ("Olga, my tutor, collects stamps", "collects stamps"),
        ("Zbigniew across the hall plays the harp", "plays the harp"),
        ("nobody in my family has been to Peru", "has been to Peru"),
        ("I know a guy who owns six boats", "owns six boats"),
        ("in the show the heroine has a scar", "has a scar"),
    ],
)
def test_what_has_another_subject_is_not_the_speakers(said: str, text: str) -> None:
    assert whose(said, text=text) != "Sam"


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("기분이 좋아서 춤췄어", "춤을 췄다"),
        ("사람이 많은 곳은 무서워", "사람이 많은 곳을 무서워한다"),
        ("대학 졸업하고 의사가 됐어", "의사가 되었다"),
        ("손님이 많아서 늦게 퇴근했어", "늦게 퇴근했다"),
        ("나는 학생이야", "학생이다"),
        ("선생님이 추천한 책을 읽고 있어", "추천받은 책을 읽고 있다"),
        ("과장님이 나를 승진시키셨어", "승진했다"),
        ("조용한 사람이 좋아", "조용한 사람을 좋아한다"),
        ("一人が好き", "一人でいるのが好きだ"),
        ("私は隣の人が苦手", "隣の人が苦手である"),
        ("様子を見て転職する", "転職する"),
        ("先生になるのが夢", "先生になるのが夢だ"),
        ("泣いてる人を見ると悲しくなる", "泣いている人を見ると悲しくなる"),
        ("店長に頼まれて残業した", "残業した"),
        ("I'm the one who cooks dinner", "cooks dinner"),
        ("my family has a farm", "has a farm"),
        ("our house has a sauna", "has a sauna"),
        ("the dentist pulled a tooth", "had a tooth pulled"),
        ("Coffee keeps me awake", "is kept awake by coffee"),
        ("the new job means I commute to Cork", "commutes to Cork"),
    ],
)
def test_what_another_subject_only_stands_beside_is_the_speakers(said: str, text: str) -> None:
    assert whose(said, text=text) == "Sam"


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("うさぎ飼いたいなあ", "うさぎを飼っている"),
        ("ギター習ってみたい", "ギターを習っている"),
        ("もし宝くじに当たったら島買うわ", "島を買った"),
        ("お金が貯まったら仕事やめる", "仕事をやめた"),
        ("もし宝くじ当たったら会場を借りるよ", "会場を借りた"),
        ("주식 대박 나면 회사 접는다", "회사를 그만뒀다"),
        ("졸업하면 유학 가", "유학을 갔다"),
        ("once I save enough I buy a boat", "bought a boat"),
        ("as soon as I can I leave this town", "left the town"),
        ("I'd die for a hot tub", "has a hot tub"),
        ("I'd give anything to have a sauna", "has a sauna"),
        ("I'd happily move to Rome", "moved to Rome"),
        ("picture me as a pilot", "is a pilot"),
    ],
)
def test_what_is_wished_for_or_waits_is_not_so(said: str, text: str) -> None:
    assert not kept(said, text)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("うさぎ飼ってるし犬も飼いたい", "うさぎを飼っている"),
        ("会いたい人がいるから東京に住んでる", "東京に住んでいる"),
        ("雨が降ったら本を読む", "雨が降ったら本を読む"),
        ("就職したらすぐ太った", "就職してすぐ太った"),
        ("술 마시면 얼굴이 빨개져", "술을 마시면 얼굴이 빨개진다"),
        ("졸업하면서 유학 갔어", "졸업하면서 유학을 갔다"),
        ("어제 라면 먹었어", "라면을 먹었다"),
        ("if I remember right, I moved here in May", "moved here in May"),
        ("once I had the money I bought a boat", "bought a boat"),
        ("I'd say I'm a good cook", "is a good cook"),
        ("as a kid I'd swim every day", "swam every day as a kid"),
        ("I like the picture you sent", "likes the picture"),
    ],
)
def test_what_only_looks_like_a_wish_stands(said: str, text: str) -> None:
    assert kept(said, text)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "words"),
    [
        ("I breed dragons. just kidding", "breeds dragons", "I breed dragons"),
        ("told my date I love hiking, complete lie", "loves hiking", "I love hiking"),
        ("I'm a count, jk", "is a count", "I'm a count"),
        ("my aunt thinks I'm pregnant, but I'm not", "is pregnant", "I'm pregnant"),
        ("나 사실 왕족이야. 농담이야", "왕족이다", "나 사실 왕족이야"),
        ("소개팅에서 등산 좋아한다고 했어, 뻥이야", "등산을 좋아한다", "등산 좋아한다고"),
        ("이력서에는 요리 잘한다고 썼는데 거짓말임", "요리를 잘한다", "요리 잘한다고"),
        ("엄마는 내가 천재인 줄 아는데 아니야", "천재이다", "내가 천재인"),
        ("実は私、忍者なの。冗談だよ", "忍者である", "実は私、忍者なの"),
        ("弁護士って言ったの、あれ冗談ね", "弁護士である", "弁護士って言った"),
        ("料理得意って書いたけど嘘", "料理が得意だ", "料理得意"),
        ("親は俺が優等生だと思ってるけど違う", "優等生である", "俺が優等生"),
    ],
)
def test_what_is_taken_back_later_is_not_so(said: str, text: str, words: str) -> None:
    assert not kept(said, text, words)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "words"),
    [
        ("*I unfold my wings and fly* hello", "has wings", "I unfold my wings"),
        ("*내 용을 타고 날아오른다* 안녕", "용을 탄다", "내 용을 타고"),
        ("*俺の竜に乗る* やあ", "竜に乗る", "俺の竜に乗る"),
    ],
)
def test_what_a_message_narrates_at_its_beginning_is_acted(said: str, text: str, words: str) -> None:
    assert not kept(said, text, words)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "words"),
    [
        ("*yawns* I work at the harbour", "works at the harbour", "I work at the harbour"),
        ("*하품* 나 항구에서 일해", "항구에서 일한다", "나 항구에서 일해"),
        ("*あくび* 港で働いてる", "港で働いている", "港で働いてる"),
        ("I *really* love jazz", "loves jazz", "I *really* love jazz"),
    ],
)
def test_plain_talk_beside_a_narration_stands(said: str, text: str, words: str) -> None:
    assert kept(said, text, words)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "words"),
    [
        ("I breed dogs. No joke", "breeds dogs", "I breed dogs"),
        ("I love hiking, I was joking with Bob about it", "loves hiking", "I love hiking"),
        ("my aunt thinks I'm pregnant", "is thought to be pregnant by the aunt", "thinks I'm pregnant"),
        ("everybody thinks I'm smart, and I'm proud of it", "is proud", "I'm proud of it"),
        ("나 왕족이야. 농담 아니야", "왕족이다", "나 왕족이야"),
        ("나 등산 좋아해. 농담도 좋아하고", "등산을 좋아한다", "나 등산 좋아해"),
        ("수영할 줄 아는데 오래는 아니야", "수영할 줄 안다", "수영할 줄 아는데"),
        ("장난감 모으는 거 좋아해, 요리도", "장난감 모으기를 좋아한다", "장난감 모으는 거 좋아해"),
        ("忍者が好き。冗談が好きな人も", "忍者が好きだ", "忍者が好き"),
        ("料理が得意。嘘をつくのは苦手", "料理が得意だ", "料理が得意"),
        ("弁護士だよ、嘘じゃない", "弁護士である", "弁護士だよ"),
        ("親は優しいと思ってるけど違う町に住んでる", "親とは違う町に住んでいる", "違う町に住んでる"),
    ],
)
def test_what_is_not_taken_back_stands(said: str, text: str, words: str) -> None:
    assert kept(said, text, words)


def about(name: str, *said: str, text: str) -> list[str]:
    """Whom a claim about somebody is about that cites the user's last message, where it stands."""
    turns = [turn for words in said for turn in (words, "…")]
    items = grounded(heard(turns), facts=[claim(text, (len(turns) - 1, said[-1]), about=name)]).items
    return [item.about.name for item in items if item.about is not None]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("name", "said", "text"),
    [
        ("Tom", ("I ran into Tom today", "I'm allergic to plums"), "is allergic to plums"),
        ("Tom", ("I ran into Tom today", "Well, I play the tuba in a band"), "plays the tuba in a band"),
        ("민지", ("오늘 민지 만났어", "나 자두 알레르기 있어"), "자두 알레르기가 있다"),
        ("민지", ("오늘 민지 만났어", "난 밴드에서 튜바 불어"), "밴드에서 튜바를 분다"),
        ("ケン", ("今日ケンに会った", "私、すももアレルギーなんだ"), "すももアレルギーである"),
        ("ケン", ("今日ケンに会った", "俺はバンドでチューバを吹いてる"), "バンドでチューバを吹いている"),
    ],
)
def test_what_the_speaker_says_of_themself_is_nobody_elses(
    name: str, said: tuple[str, str], text: str
) -> None:
    assert about(name, *said, text=text) == []


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("name", "said", "text"),
    [
        ("Tom", ("I ran into Tom today", "I taught him the tuba"), "has learnt the tuba"),
        ("Tom", ("I ran into Tom today", "allergic to plums, poor thing"), "is allergic to plums"),
        ("민지", ("오늘 민지 만났어", "내가 걔한테 튜바 가르쳐"), "튜바를 배운다"),
        ("민지", ("오늘 민지 만났어", "자두 알레르기 있대"), "자두 알레르기가 있다"),
        ("ケン", ("今日ケンに会った", "私が彼にチューバを教えてる"), "チューバを教わっている"),
        ("ケン", ("今日ケンに会った", "すももアレルギーなんだって"), "すももアレルギーである"),
    ],
)
def test_what_the_speaker_tells_of_somebody_is_theirs(name: str, said: tuple[str, str], text: str) -> None:
    assert about(name, *said, text=text) == [name]

"""Everyday feelings of others, behind "and", a cause or a clause, are found; one's own are one's own (K5)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from omoide.domain.minds import claims_of_behaviour, claims_of_minds

if TYPE_CHECKING:
    from omoide.domain.text import Language

pytestmark = pytest.mark.proves("K5", "K10")

KNOWN = ("Wren", "Odile", "小春", "朱里", "세나", "보라", "이안")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "She smiled and was secretly proud."),
        ("en", "Wren closed the book and felt lonely."),
        ("en", "Odile laughed and wished she were somewhere else."),
        ("en", "Wren nodded but was annoyed with me."),
        ("en", "Wren was confused by my answer."),
        ("en", "Odile was upset about the cake."),
        ("en", "Wren was curious about my diary."),
        ("en", "Odile was pleased with herself."),
        ("en", "Wren could hardly hide it; she was impatient."),
        ("en", "Odile was surprised that I came."),
        ("en", "My sister put the cup down and hated me for it."),
        ("en", "Wren took the letter, read it twice and regretted it at once."),
        ("en", "Odile felt uneasy in the new house."),
        ("en", "She was homesick and dreaded the winter."),
        ("en", "Wren admired me for my courage."),
        ("en", "Odile bit her lip and was humiliated."),
        ("en", "My brother waved, but was jealous of my bike."),
        ("en", "Wren read the note and thought I had lied."),
        ("en", "Odile looked up from her book; she was annoyed."),
        ("en", "Wren opened the window and wished for rain."),
        ("en", "She was disappointed by the present."),
        ("en", "Odile never trusted me after that."),
        ("en", "Wren stayed behind and felt guilty about the cup."),
        ("en", "They clapped and were secretly envious."),
        ("en", "Odile finished her soup and dreaded the walk home."),
        ("en", "I was sure of the way, and Wren hated me."),
        ("en", "I was wrong, and Odile was furious with me."),
        ("ja", "小春は私が遅れたから怒っていた。"),
        ("ja", "小春は雨が降ったから悲しかった。"),
        ("ja", "朱里は疲れていたから、私を恨んでいた。"),
        ("ja", "朱里は私が約束を破ったので失望していた。"),
        ("ja", "小春は母が来なかったから、寂しかったのだ。"),
        ("ja", "朱里は驚いていた。"),
        ("ja", "小春は楽しかった。"),
        ("ja", "朱里は戸惑っていた。"),
        ("ja", "小春は焦っていた。"),
        ("ja", "朱里は悩んでいた。"),
        ("ja", "小春は満足していた。"),
        ("ja", "朱里は照れていた。"),
        ("ja", "小春は落ち込んでいた。"),
        ("ja", "小春は犬が怖かった。"),
        ("ja", "朱里は約束が破られたから怒っている。"),
        ("ja", "小春は私が先に帰ったのでがっかりしていた。"),
        ("ja", "朱里は優勝できて嬉しかったのだ。"),
        ("ja", "小春は自分に腹を立てていた。"),
        ("ja", "朱里は母が来たから安心していた。"),
        ("ja", "小春はそわそわしていた。"),
        ("ja", "朱里は私を羨ましく思っていた。"),
        ("ja", "小春は寂しくなった。"),
        ("ja", "妹は雷が怖かったから泣いた。"),
        ("ja", "小春は結果に納得していた。"),
        ("ko", "세나는 웃었지만 속상했다."),
        ("ko", "세나는 놀랐다."),
        ("ko", "보라는 당황했다."),
        ("ko", "세나는 즐거웠다."),
        ("ko", "보라는 답답했다."),
        ("ko", "이안은 걱정했다."),
        ("ko", "세나는 만족했다."),
        ("ko", "이안은 지루했다."),
        ("ko", "세나는 웃었고 서운했다."),
        ("ko", "보라는 내가 늦어서 화가 났다."),
        ("ko", "세나는 문을 닫고 몰래 기뻐했다."),
        ("ko", "보라는 미안했다."),
        ("ko", "세나는 비가 와서 우울했다."),
        ("ko", "세나는 나를 믿지 않았다."),
        ("ko", "세나는 고개를 숙였지만 억울했다."),
        ("ko", "보라는 내가 웃어서 민망했다."),
        ("ko", "이안은 고향이 그리웠다."),
        ("ko", "세나는 상을 받아서 뿌듯했다."),
        ("ko", "보라는 나를 믿었다."),
        ("ko", "이안은 말없이 걸으며 후회했다."),
        ("ko", "동생은 천둥이 무서웠다."),
        ("ko", "보라는 몹시 난처했다."),
        ("ko", "이안은 결과에 만족했다."),
        ("ko", "세나는 시험 때문에 초조했다."),
        ("ko", "보라는 놀이공원에 가고 싶었다."),
    ],
)
def test_what_another_feels_is_found_wherever_it_stands(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I saw Wren at the pier and was glad."),
        ("en", "I hugged Wren and was proud."),
        ("en", "Wren smiled and I was proud."),
        ("en", "Wren smiled and waved."),
        ("en", "Wren and I were upset about the cake."),
        ("en", "Wren looked confused and left."),
        ("en", "I was surprised that Wren came."),
        ("en", "I waited for Odile and felt lonely."),
        ("en", "Odile closed the book and said she was bored."),
        ("en", "Wren came in and we were happy."),
        ("en", "Wren played the song that I loved and missed."),
        ("en", "I lost the key Wren gave me and was upset."),
        ("en", "Wren was quiet and pale."),
        ("en", "My mother called and asked whether I was upset."),
        ("en", "Wren was hungry for lunch, she said."),
        ("en", "I ran after Wren and was out of breath."),
        ("en", "Wren set the table and hummed."),
        ("en", "I told Odile everything and felt better."),
        ("en", "Wren came late and I was annoyed."),
        ("en", "Odile sat by me at the play and I felt safe."),
        ("en", "With Wren gone I was lonely and bored."),
        ("en", "I drew Wren in her red coat and was pleased."),
        ("en", "Odile, who had the key, went ahead and unlocked the door."),
        ("en", "Wren is my sister and lives by the sea."),
        ("en", "Maybe Odile was humiliated and hid it."),
        ("en", "Wren bowed and was given a prize."),
        ("en", "We missed Odile and were sad."),
        ("ja", "小春は私が嫌いなのかと心配した。"),
        ("ja", "朱里は怒っているのかと不安になった。"),
        ("ja", "小春は帰ったから、私は寂しかった。"),
        ("ja", "小春が帰ったから寂しかった。"),
        ("ja", "朱里が来なかったから、悲しかった。"),
        ("ja", "小春は疲れたから帰ると言った。"),
        ("ja", "朱里は驚いた顔をした。"),
        ("ja", "小春と遊べて楽しかった。"),
        ("ja", "朱里は照れたように笑った。"),
        ("ja", "小春は落ち込んでいるように見えた。"),
        ("ja", "私は小春が心配だった。"),
        ("ja", "朱里は楽しそうに歌っていた。"),
        ("ja", "小春は雨が降ったから傘を持って行った。"),
        ("ja", "朱里が怖かった。"),
        ("ja", "小春が好きだったから、私は手紙を書いた。"),
        ("ja", "小春は猫が好きだと言っていた。"),
        ("ja", "朱里が帰ったから、がっかりした。"),
        ("en", "I used to think Wren hated me."),
        ("en", "I was sure Wren hated me; I was wrong."),
        ("en", "I had always believed that Odile resented me."),
        ("en", "I was wrong to think Odile hated me."),
        ("en", "I had convinced myself that Wren hated me."),
        ("ko", "나는 세나가 나를 미워한다고 오해했다."),
        ("ko", "보라가 나를 싫어한다고 혼자 착각하고 있었다."),
        ("ko", "이안이 나를 미워하는 줄로만 알았다."),
        ("ja", "小春は私を憎んでいると思い込んでいた。"),
        ("ja", "朱里は私を嫌っていると勘違いしていた。"),
        ("ja", "小春は雷が鳴ったから窓を閉めた。"),
        ("ja", "朱里は嫌われたのかと泣きそうになった。"),
        ("ja", "小春は転んだけど、すぐに立ち上がった。"),
        ("ja", "朱里は私が泣いたから背中をさすってくれた。"),
        ("ja", "小春の手紙が嬉しかった。"),
        ("ja", "朱里は緊張したような声で話した。"),
        ("ja", "小春に会えて安心した。"),
        ("ja", "朱里は目を丸くしていた。"),
        ("ja", "小春は眠そうにしていた。"),
        ("ja", "朱里と別れて、寂しかった。"),
        ("ko", "세나는 놀란 얼굴이었다."),
        ("ko", "보라는 당황한 듯 고개를 돌렸다."),
        ("ko", "세나와 노는 것이 즐거웠다."),
        ("ko", "세나가 떠나서 답답했다."),
        ("ko", "나는 이안을 걱정했다."),
        ("ko", "이안이 무서웠다."),
        ("ko", "보라에게 미안했다."),
        ("ko", "세나는 비가 와서 우산을 폈다."),
        ("ko", "세나가 나를 싫어하는 건 아닌지 걱정했다."),
        ("ko", "세나는 내가 싫은 걸까 걱정했다."),
        ("ko", "세나는 웃으며 손뼉을 쳤다."),
        ("ko", "보라는 지루하다고 했다."),
        ("ko", "이안이 늦어서 나는 화가 났다."),
        ("ko", "보라는 화난 목소리로 말했다."),
        ("ko", "세나는 만족스러운 듯 웃었다."),
        ("ko", "세나가 상을 받아서 기뻤다."),
        ("ko", "보라를 보고 깜짝 놀랐다."),
        ("ko", "이안은 초조한 듯 손톱을 물어뜯었다."),
        ("ko", "세나가 화난 건지 궁금했다."),
        ("ko", "보라는 웃었고 나는 민망했다."),
        ("ko", "이안의 말에 당황했다."),
        ("ko", "세나는 억울하다고 소리쳤다."),
        ("ko", "보라는 나를 데리러 왔다."),
        ("ko", "이안이 그리웠다."),
        ("ko", "세나는 만족한다는 말을 했다."),
        ("ko", "보라는 눈물을 닦았다."),
        ("ko", "이안이랑 싸워서 속상했다."),
    ],
)
def test_what_is_ones_own_seen_asked_or_said_is_left_alone(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN) == []


@pytest.mark.parametrize(
    ("language", "behaviour"),
    [
        ("en", "smiled and was secretly proud"),
        ("ja", "犬が吠えたから怯えていた"),
        ("ko", "문을 닫고 서운했다"),
    ],
)
def test_everyday_feelings_are_no_behaviour(language: Language, behaviour: str) -> None:
    assert claims_of_behaviour(behaviour, language, person="Wren") == [behaviour]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "she a b c and " * 1_500),
        ("en", "she i and " * 2_000),
        ("ja", "彼女は雨がから" * 2_000),
        ("ko", "언니는 이가 " * 2_000),
    ],
)
def test_a_sentence_without_end_takes_no_long_time(language: Language, text: str) -> None:
    begun = time.perf_counter()
    claims_of_minds(text, language, others=KNOWN)
    assert time.perf_counter() - begun < 5

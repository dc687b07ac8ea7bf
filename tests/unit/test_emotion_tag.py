"""The emotion tag never reaches the reader, however a stream cuts the text."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omoide.domain.emotion_tag import EmotionTag
from omoide.domain.text import graphemes

PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "[EMOTION:playful]",
                "[emotion: SAD ]",
                "【EMOTION：happy】",
                "[EMO",
                "TION:",
                "[",
                "]",
                "[[",
                "happy",
            ]
        ),
        st.sampled_from([" ", "\n", "\r\n", "안녕", "그래ㅋㅋ", "やった", "👨‍👩‍👧", "é", "\ud83d", "\ude00"]),
        st.text(alphabet="abc [E:]", max_size=6),
    ),
    max_size=12,
)


def read(*pieces: str) -> tuple[str, str | None]:
    tag = EmotionTag()
    text = "".join([*map(tag.feed, pieces), tag.finish()])
    return text, tag.emotion


@pytest.mark.proves("H4")
@pytest.mark.parametrize(
    ("reply", "text", "emotion"),
    [
        ("좋아, 같이 가자! [EMOTION:excited]", "좋아, 같이 가자!", "excited"),
        ("[EMOTION:shy]\nえっと…ありがとう", "えっと…ありがとう", "shy"),
        ("You again. [emotion: Playful ] Come in.", "You again. Come in.", "playful"),
        ("【EMOTION：sad】我有点累", "我有点累", "sad"),
        ("one[EMOTION:calm]two", "onetwo", "calm"),
        ("[EMOTION:sad] no [EMOTION:happy] yes [EMOTION:hangry]", "no yes", "happy"),
        ("Hello there. [EMOTION:happy]\n\nGo on.", "Hello there.\n\nGo on.", "happy"),
        ("* two [EMOTION:sad]\n* three", "* two\n* three", "sad"),
        ("안녕.\n\n[EMOTION:happy] 그래", "안녕.\n\n그래", "happy"),
        ("はい。[EMOTION:shy]\n[EMOTION:sad] ええ", "はい。\nええ", "sad"),
        ("no tag at all", "no tag at all", None),
        ("[EMOTION:hangry] fine", "fine", None),
        ("[EMOTION:] fine", "fine", None),
        ("broken off [EMOTION:hap", "broken off", None),
        ("broken off [EMO", "broken off", None),
        ("broken off **[EMOTION:sad]*", "broken off", "sad"),
        ("a sad face :[", "a sad face :[", None),
        ("a list [1, 2] and [EMOTIONS: none", "a list [1, 2] and [EMOTIONS: none", None),
        ("[EMOTION:\nhappy] Hi.", "Hi.", "happy"),
        ("[ EMOTION : shy ] Hi.", "Hi.", "shy"),
        ("【EMOTION:shy】はい", "はい", "shy"),
        ("[Emotion：shy] はい", "はい", "shy"),
        ("［ＥＭＯＴＩＯＮ：ｓｈｙ］はい", "はい", "shy"),
        ("[EMO\u200bTION:shy] Hi.", "Hi.", "shy"),
        ("[EMO\x00TION:shy] Hi.", "Hi.", "shy"),
        ("a [EMO[EMOTION:happy]TION:sad] b", "a b", "sad"),
        ("a [EMO(([EMOTION:happy]))TION:sad] b", "a b", "sad"),
        ("[[EMOTION:happy]]", "", "happy"),
        ("Well ([EMOTION:happy]) yes", "Well yes", "happy"),
        ("one **[EMOTION:happy]** two", "one two", "happy"),
        ("`[EMOTION:sad]` tick", "tick", "sad"),
        ("**`[[EMOTION:happy]]`** go", "go", "happy"),
        ("**안녕**[EMOTION:sad]*웃음*", "**안녕***웃음*", "sad"),
        ("*smiles*[EMOTION:happy]*waves*", "*smiles**waves*", "happy"),
        ("**[EMOTION:happy] Hi**", "**Hi**", "happy"),
        ("* [1] (one) **two** [[three]] `four` ((five", "* [1] (one) **two** [[three]] `four` ((five", None),
        ("[EMOTION:happy\nHi, I said [laughs]", "Hi, I said [laughs]", "happy"),
        (f"[EMOTION:happy {'since you came, ' * 8}ok", f"{'since you came, ' * 8}ok", "happy"),
        ("(EMOTION: happy) Hi.", "Hi.", "happy"),
        ("はい（EMOTION：shy）", "はい", "shy"),
        ('{EMOTION:sad} <EMOTION="happy"> Hi.', "Hi.", "happy"),
        ("(EMOTION: 행복) 응", "응", None),
        ("broken off (EMOTION: hap", "broken off", None),
        ("[EMOTION=happy] Hi.", "Hi.", "happy"),
        ("【EMOTION＝shy】はい", "はい", "shy"),
        ("[**EMOTION:happy**] Hi.", "Hi.", "happy"),
        ("[`**EMOTION**: happy`] Hi.", "Hi.", "happy"),
        ("[EMOTION:[happy]] Hi.", "Hi.", "happy"),
        ("[EMOTION: [happy] ] Hi.", "Hi.", "happy"),
        ("[EMOTION:[happy] Hi.", "Hi.", "happy"),
        ("(EMOTION:(happy)) [EMOTION:[EMOTION:sad]] Hi.", "Hi.", "sad"),
        (f"[{' ' * 300}EMOTION{' ' * 300}:{' ' * 300}happy{' ' * 300}] Hi.", "Hi.", "happy"),
        (r"\[EMOTION:happy\] Hi.", "Hi.", "happy"),
        (r"\(\[EMOTION:happy\]\) \\[EMOTION:sad\\] Hi.", "Hi.", "sad"),
        ("[EMO(EMOTION: a film)TION:sad]", "[EMO(EMOTION: a film)TION:sad]", None),
        ("[*smiles*[EMOTION:happy]*waves*]", "[*smiles**waves*]", "happy"),
        ("one\r\ntwo", "one\ntwo", None),
        ("  \n padded \t ", "padded", None),
        ("", "", None),
    ],
)
def test_tags_are_taken_out_and_the_last_known_one_counts(reply: str, text: str, emotion: str | None) -> None:
    assert read(reply) == (text, emotion)
    assert read(*reply) == (text, emotion)


@pytest.mark.parametrize(
    "text",
    [
        "(Emotion: a strong feeling) and (emotion) and [emotion], that is the word.",
        "(emotion: the film) (EMOTION: 3) {emotion: happy, sad} (EMOTION:(happy hour)",
        r"C:\dir \[x\] \(y\) a\\b \* \n {\}",
        "[**bold**] [*] [**e** (_early_) <3 :( {a: [1]} <b>e</b> `[e` ok",
        "ㅋㅋ" + "(" * 60 + "[" * 60 + "<" * 60 + " 끝",
    ],
)
def test_ordinary_brackets_stay_as_they_are(text: str) -> None:
    assert read(text) == read(*text) == (text, None)


def test_a_character_moves_only_to_emotions_that_it_may_show() -> None:
    tag = EmotionTag(["calm", "happy"])

    assert tag.feed("Grr. [EMOTION:angry]") + tag.finish() == "Grr."
    assert tag.emotion is None


@pytest.mark.proves("H4")
@given(PIECES, st.data())
@example(["[EMOTION:playful]"], None)
def test_any_cut_of_any_text_gives_the_same(parts: list[str], data: st.DataObject | None) -> None:
    whole = "".join(parts)
    places = [] if data is None else data.draw(st.lists(st.integers(0, len(whole)), max_size=8))
    cuts = sorted({0, *places, len(whole)})
    pieces = [whole[start:end] for start, end in pairwise(cuts)]

    assert read(*pieces) == read(whole) == read(*whole)


@pytest.mark.proves("H4")
@given(
    st.text(alphabet="ab 가나\n", max_size=8),
    st.sampled_from(["playful", " Sad", "HAPPY ", "unheard"]),
    st.text(alphabet="cd 다라\n", max_size=8),
    st.integers(1, 5),
)
def test_no_piece_holds_any_part_of_a_tag(before: str, name: str, after: str, size: int) -> None:
    reply = f"{before}[EMOTION:{name}]{after}"
    tag = EmotionTag()
    pieces = [tag.feed(reply[start : start + size]) for start in range(0, len(reply), size)] + [tag.finish()]

    assert not set("".join(pieces)) & set("[]:EMOTION")
    assert "".join("".join(pieces).split()) == "".join((before + after).split())


def _written(emotion: str) -> st.SearchStrategy[str]:
    """A tag, in the ways that models write it."""
    square = st.builds(
        lambda head, end: f"{head}{emotion}{end}",
        st.sampled_from(
            [
                "[EMOTION:",
                "[emotion : ",
                "［ＥＭＯＴＩＯＮ＝",
                "【Emotion：",
                "[\nEMOTION\n:\n",
                "[**EMOTION**:",
                "\\[EMOTION=",
            ]
        ),
        st.sampled_from(["]", " ]", "】", ", I think]", "**]", "\\]"]),
    )
    whole = ["(EMOTION: {})", "（emotion = **{}**）", "\\{{EMOTION:{}\\}}", "<EMOTION={}>", "[EMOTION:[{}]]"]
    return st.one_of(square, st.sampled_from([form.format(emotion) for form in whole]))


_TAGS = st.recursive(
    st.sampled_from(["happy", "SAD", "unheard", ""]).flatmap(_written),
    lambda inner: st.one_of(
        st.builds(str.__add__, inner, inner),
        st.builds(lambda tag: f"[EMO{tag}TION:calm]", inner),
        st.builds(lambda tag: f"[{tag}EMOTION:calm]", inner),
        st.builds(lambda tag: f"[EMOTION {tag}:calm]", inner),
        st.builds(
            lambda around, tag: f"{around[0]}{tag}{around[1]}",
            st.sampled_from([("[", "]"), ("(", ")"), ("**", "**"), ("`", "`"), ("_", "_")]),
            inner,
        ),
    ),
    max_leaves=4,
)
_PLAIN = set("abc 가나,\n")
_TAG_LIKE = re.compile(r"\[[\s*]*emotion[\s*]*[:=]|\([\s*]*emotion[\s*]*[:=]\W*\w*\W*\)", re.IGNORECASE)


@pytest.mark.proves("H4")
@given(
    st.lists(st.one_of(_TAGS, st.text(alphabet=sorted(_PLAIN), max_size=8)), max_size=5), st.integers(1, 80)
)
def test_what_is_given_out_holds_no_tag_and_all_that_is_none(parts: list[str], size: int) -> None:
    reply = "".join(parts)
    tag = EmotionTag()
    pieces = [tag.feed(reply[start : start + size]) for start in range(0, len(reply), size)] + [tag.finish()]
    said = "".join(pieces)

    assert not set(said) & set("[](){}<>（）\\*`_:=EMOTIONｅ【】")
    text = "".join(part for part in parts if set(part) <= _PLAIN)
    assert "".join(said.split()) == "".join(text.split())


@pytest.mark.proves("H4")
@given(
    st.lists(
        st.sampled_from(
            [
                "[",
                "[EMO",
                "TION",
                "EMOTION",
                ":",
                "sad",
                "]",
                "x",
                " ",
                "\n",
                "(",
                ")",
                "=",
                "\\",
                "*",
                "\u200b",
                "【",
                "：",
            ]
        ),
        max_size=40,
    ).map("".join)
)
@example("[EMO[EMOTION:x" + "y" * 70 + "[z")
@example("[" * 40 + "EMOTION:x]" + "EMOTION:sad]")
@example("[E[EMOTION:x] MOTION:sad]")
@example("[EMOTION[EMOTION:x:sad[z")
def test_nothing_that_is_given_out_reads_as_a_tag(reply: str) -> None:
    said, _ = read(*reply)
    folded = unicodedata.normalize("NFKC", said).replace("\u200b", "").replace("【", "[")

    assert _TAG_LIKE.search(folded) is None


@given(st.lists(st.sampled_from(["👨‍👩‍👧‍👦", "🇰🇷", "é", "각", "が", "x"]), max_size=6))
def test_no_piece_ends_inside_a_grapheme(parts: list[str]) -> None:
    text = "".join(parts)
    tag = EmotionTag()
    pieces = [*map(tag.feed, text), tag.finish()]

    assert "".join(pieces) == text
    assert [part for piece in pieces for part in graphemes(piece)] == graphemes(text)


@pytest.mark.parametrize(
    "flood", ["[" * 50_000, "[EMOTION:" * 5_000, " " * 50_000 + "x", "x" + "\u0301" * 50_000]
)
def test_little_is_held_back_of_a_flood(flood: str) -> None:
    tag = EmotionTag()
    given_out = sum(len(tag.feed(flood[start : start + 64])) for start in range(0, len(flood), 64))
    rest = tag.finish()

    assert len(rest) <= 300
    assert given_out + len(rest) <= len(flood)

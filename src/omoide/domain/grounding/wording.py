"""One word in its forms: spoken or written, short or long, inflected (H11).

A claim is written in other words than what it rests on was said in: 아버지 of 아빠, "moves" of "moving",
마시지 of 마셔. What is compared here is what is left when such differences are taken away. Words for one
matter are told by a table in each language; the rest is told by endings. No grammar: two words may come out
alike that are not, and then a claim is kept that a reader would doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import regex

from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_LATIN: Final = """
    father: dad dads daddy papa fathers
    mother: mum mom mums moms mommy mama mothers
    grandmother: grandma granny nan nana
    grandfather: grandpa granddad
    brother: bro bros
    sister: sis
    child: kid kids children
    boyfriend: bf
    girlfriend: gf
    alcohol: booze drunk
    vegetarian: veggie veggies
    university: uni college
    exam: test tests exams
    job: work works working worked jobs
    teach: taught teacher teachers
    die: dead death passed gone
    pregnant: pregnancy expecting
    sleep: slept asleep awake insomnia sleepless
    ill: sick unwell
    film: movie movies films
    flat: apartment apartments flats
    photo: picture pictures pic pics
    wed: wedding
"""
_IRREGULAR: Final = """
    die: died dying
    go: goes going went
    do: does doing did done
    buy: bought
    bring: brought
    catch: caught
    think: thought
    eat: ate eaten
    drink: drank
    drive: drove driven
    write: wrote written
    speak: spoke spoken
    break: broke broken
    wake: woke woken
    choose: chose chosen
    steal: stole stolen
    wear: wore worn
    get: got gotten getting
    give: gave given giving
    take: took taken taking
    make: made making
    say: said
    tell: told
    sell: sold
    feel: felt
    keep: kept
    leave: left leaving
    meet: met
    send: sent
    spend: spent
    build: built
    lose: lost
    find: found
    stand: stood
    hold: held
    hear: heard
    run: ran
    swim: swam swum
    sing: sang sung
    begin: began begun
    sit: sat
    see: saw seen
    know: knew known
    grow: grew grown
    fly: flew flown flies
    draw: drew drawn
    come: came coming
    win: won
    pay: paid
    ride: rode ridden riding
    fall: fell fallen
    use: used using uses
    lie: lay lying
"""
_DENSE: Final = """
    아버지: 아빠 부친 아부지
    어머니: 엄마 모친 어무니
    할머니: 할매 할무니
    동생: 남동생 여동생
    이야기: 얘기
    남자친구: 남친 남자_친구
    여자친구: 여친 여자_친구
    전 남자친구: 전남친 전남자친구
    전 여자친구: 전여친 전여자친구
    배우자: 와이프 아내 남편 신랑 집사람
    친구: 절친 베프
    아르바이트: 알바
    휴대폰: 핸드폰 폰
    선생: 쌤 교사
    강아지: 멍멍이 댕댕이 개를 개가 개는
    고양이: 냥이 냥냥이
    아이: 애기 아기 애가 애는
    자다: 불면 잠들 잠을 잠이 잠도 뒤척 숙면 수면
    돌아가: 세상을_떠 죽었 사망 하늘나라 무지개다리
    이름 바꾸: 개명
    반말: 말_놓 말_편하게
    외동: 외아들 외딸
    sibling: only_child
    형제: 형제자매 남매
    오토바이: 바이크
    사진: 셀카
    회사: 직장
    시험: 셤
    민트초코: 민초
    アルバイト: バイト
    スマートフォン: スマホ 携帯 ケータイ
    パソコン: ＰＣ
    父: 父親 お父さん 父さん パパ 親父
    母: 母親 お母さん 母さん ママ おふくろ
    祖母: おばあちゃん ばあちゃん おばあさん
    祖父: おじいちゃん じいちゃん おじいさん
    夫: 旦那 主人
    妻: 嫁 奥さん 家内
    彼氏: カレシ
    彼女: カノジョ
    友人: 友達 友だち ともだち ダチ
    死亡: 亡くな 死ん 逝っ 他界 天国
    睡眠: 眠れ 眠ら 寝れ 寝られ 寝付け 不眠 寝つけ
    飲酒: お酒 酒
    口調: 話し方 タメ口 ため口 タメ語
    自転車: チャリ
    fired: laid_off got_the_boot got_the_sack got_the_axe got_sacked got_fired made_redundant
    fired: was_let_go been_let_go
    fired: lost_my_job lost_her_job lost_his_job lost_their_job lost_the_job
    married: tied_the_knot got_hitched
    resign: handed_in_my_notice handed_my_notice_in handed_in_notice handed_in_her_notice handed_in_his_notice
    postponed: put_off put_back pushed_back pushed_to moved_back
    사직: 사표 사직서
    화나: 빡치 빡쳐 빡쳤 화가_나 화가_났 화났 열받
    어린: 어릴 꼬맹이_때 꼬맹이였
    怒: キレ 腹を立 腹が立 ムカつ
    一人っ子: 兄弟
"""


def _table(text: str) -> dict[str, str]:
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    return {form: word for word, _, forms in lines for form in _forms(forms)}


def _forms(forms: str) -> list[str]:
    return [form.replace("_", " ") for form in forms.split()]


_WORDS: Final = _table(_LATIN)
_STEMS: Final = _table(_IRREGULAR)
_FORMS: Final = _table(_DENSE)
_FORMS.update({word: word for word in _FORMS.values()})  # アルバイト is not バイト behind アル
_FORM: Final = re.compile(
    "|".join(
        f"(?<![가-힣]){re.escape(form)}"
        if "가" <= form[0] <= "힣"
        else rf"\b{re.escape(form)}\b"
        if form[0].isascii()
        else re.escape(form)
        for form in sorted(_FORMS, key=len, reverse=True)
    )
)
_WORD: Final = regex.compile(r"(?<!\p{Latin})[\p{Latin}'’]{3,30}+(?!\p{Latin})")
_KATAKANA: Final = regex.compile(r"[\p{Katakana}ー]{2,}")
_HANGUL: Final = regex.compile(r"\p{Hangul}+")
_ENDING: Final = (
    regex.compile(r"(?<=\p{L}{2})ies$|(?<=\p{L}{2})ied$|(?<=\p{L}{3})ying$"),
    regex.compile(
        r"(?<=\p{L}*[aeiouy]\p{L}*(?<!e))(?:ing|ed)$|(?<=\p{L}{3})(?:es|e)$|(?<=\p{L}{3})(?<![su])s$"
    ),
)
_POSSESSIVE: Final = regex.compile(r"['’]s?$")
_DOUBLED: Final = regex.compile(r"(?P<one>[b-df-hjkmnp-rtvwxz])(?P=one)$")

_CUT: Final = 4
"""Letters of a Latin word's stem that are compared."""

_VOWELS: Final = str.maketrans("ᅪᅯᅧ", "ᅩᅮᅵ")
"""What a vowel is before a Korean stem is inflected: 봐, 본다; 마셔, 마신다."""

_BEHIND_KO: Final = "이가을를은는에의도로와과만다고며지서던게아어여기니나자면려었았랑"
"""What stands behind a Korean noun or stem of one syllable: 술이, 먹는."""


def plain(text: str) -> str:
    """A text in the form in which words are compared: one word for a matter, in Latin letters its stem."""
    text = _FORM.sub(lambda found: _FORMS[found[0]], fold(text))
    return str(_WORD.sub(lambda found: _written(found[0]), text))


def _written(word: str) -> str:
    """The stem of the word that stands for all of one matter."""
    short = stem(word)
    return stem(_WORDS.get(word, _WORDS.get(short, short)))


def stem(word: str) -> str:
    """An English word in small letters without its ending: "mov" of "moves" and "moving"."""
    word = _POSSESSIVE.sub("", word)
    word = _STEMS.get(word, word)
    short = _ENDING[0].sub("y", word)
    if short == word:
        short = _ENDING[1].sub("", word)
        short = short if short == word else _DOUBLED.sub(r"\g<one>", short)
    return str(_STEMS.get(short, short))


class Heard:
    """What was said, in which pieces of a claim are looked for in whatever form.

    Args:
        texts: what was said.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = plain(" ".join(texts))
        self._katakana = sorted(set(_KATAKANA.findall(self._text)), key=len, reverse=True)
        self._whole = frozenset(regex.findall(r"\p{L}+", self._text))
        words = _HANGUL.findall(self._text)
        self._begun = {loose(word[:2]) for word in words}
        self._first = {form for word in words for form in (word[0], _root(word[0]))}

    def __contains__(self, unit: str) -> bool:
        """Whether a piece, as `claims.content` gives them, was said."""
        if _HANGUL.match(unit):
            return unit in self._text or loose(unit) in self._begun or self._has_short(unit)
        if _KATAKANA.fullmatch(unit):
            return unit in self._text or self._is_compound(unit)
        if len(unit) < _CUT and unit.isascii() and unit.isalpha():  # a whole stem
            return unit in self._whole
        return unit in self._text

    def _is_compound(self, unit: str) -> bool:
        """Whether a word in katakana is made of such words that were said: ピーナッツアレルギー."""
        for word in self._katakana:
            unit = unit.replace(word, "")
        return not unit

    def _has_short(self, unit: str) -> bool:
        """Whether a word of one syllable was said that a piece holds with a particle or an ending behind."""
        return len(unit) == 2 and unit[1] in _BEHIND_KO and bool({unit[0], _root(unit[0])} & self._first)


def loose(unit: str) -> str:
    """Two syllables of Korean, of the second only what does not change: 마시 of 마셔, 단거 of 단것."""
    return unit[:1] + "".join(_base(syllable) for syllable in unit[1:])


def _root(syllable: str) -> str:
    """The same of a verb's first syllable, of which only what inflects goes: 본 and 봤 are 보, 먹 is 먹."""
    last = normalize("NFD", syllable)[2:]
    return _base(syllable) if last in {"", "ᆫ", "ᆯ", "ᆸ", "ᆻ"} else syllable


def _base(syllable: str) -> str:
    """A syllable without its last consonant, with the vowel that it has before it is inflected."""
    parts = normalize("NFD", syllable)[:2].translate(_VOWELS)
    whole = normalize("NFC", parts)
    return "하" if whole == "해" else whole

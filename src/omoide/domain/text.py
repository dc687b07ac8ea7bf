"""Text as people write it: cleaning, folding, cutting and measuring, safe for Hangul, kana, Han and emoji."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import Literal

import regex

Language = Literal["ko", "ja", "zh", "en"]

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]+")
_LINE_END = re.compile("\r\n|[\r\x85\u2028\u2029]")
_UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")

# U+2800 is the empty braille pattern: drawn as nothing, though counted as a symbol.
_VISIBLE = regex.compile(r"[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]")
_ZERO_WIDTH = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
_NO_LETTER = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
_GRAPHEME = regex.compile(r"\X")
# Characters that make a grapheme each, whatever of them stand side by side: all of most messages.
_ONE_EACH = re.compile(
    "[\n -~\u2018-\u201f\u2026\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
    "\uff01-\uff5e]*"
)

# A full stop ends a sentence before white space, the end of the text, or a letter of ko/ja/zh (often written
# without a space between), but not in "3.14", "Mr. Kim", "J. Doe" or before an item of a numbered list.
# The stops 。！？… end one anywhere.
# Extending marks stay with what they extend, so that no part begins inside a grapheme.
_MARKS = r"\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}"
_SENTENCE_END = regex.compile(
    rf"""
    (?:
        (?<![.!?…。！？｡])
        (?:
            [.!?…。！？｡]*[…。！？｡][.!?…。！？｡]*+ [{_MARKS}\p{{Pe}}\p{{Pf}}"'＂＇]*+
          | (?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|[A-HJ-Z])) (?<!(?:^|\n)[ \t]*\d{{1,2}})
            [.!?]++ [{_MARKS}\p{{Pe}}\p{{Pf}}"'＂＇]*+
            (?= \s | $ | (?<!\d\.)[\p{{Hangul}}\p{{Hiragana}}\p{{Katakana}}\p{{Han}}] )
        )
      | \n
    )
    (?: \s(?![{_MARKS}]) )*+
    """,
    regex.VERBOSE,
)

# Hundredths of a token for each character, found by the first byte of its UTF-8 form: a fit to the XLM-R
# vocabulary over talk in ko, ja, zh and en, raised so that some 99 % of texts get no less than they need.
_FIRST_BYTES: tuple[tuple[range, int], ...] = (
    (range(0x80), 120),  # ASCII signs; the kinds below overrule
    (range(0x21), 50),  # white space
    (range(0x30, 0x3A), 60),  # digits
    (range(0x41, 0x5B), 50),  # capitals
    (range(0x61, 0x7B), 20),  # small letters
    (range(0xC0, 0xE0), 100),  # accented Latin, Greek, Cyrillic, Arabic …
    (range(0xE0, 0xE3), 120),  # Indic, Thai, typographic signs
    (range(0xE3, 0xE4), 76),  # kana and the signs of ja and zh
    (range(0xE4, 0xEA), 92),  # Han
    (range(0xEA, 0xEE), 74),  # Hangul
    (range(0xEE, 0xF0), 110),  # full-width forms
    (range(0xF0, 0x100), 160),  # emoji, rare Han
)
_FOLLOWING_BYTES = bytes(range(0x80, 0xC0))


def _weight_table() -> bytes:
    table = bytearray(256)
    for first_bytes, weight in _FIRST_BYTES:
        for byte in first_bytes:
            table[byte] = weight
    return bytes(table)


_WEIGHTS = _weight_table()

_HANGUL = regex.compile(r"\p{Hangul}+")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]+")
_HAN = regex.compile(r"\p{Han}+")
_LATIN_WORD = regex.compile(r"\p{Latin}[\p{Latin}\p{M}'’]*+")
_SHORT_HAN = 8


def clean(text: str) -> str:
    r"""Make any text storable, and leave it as typed otherwise.

    Control characters except ``\n`` and ``\t`` and lone surrogates are dropped; line ends become ``\n``.
    """
    if _UNCLEAN.search(text) is None:
        return text
    return _LINE_END.sub("\n", _UNSTORABLE.sub("", text))


def unstorable(text: str) -> str | None:
    """The first character that `clean` would drop; None where it drops none."""
    found = _UNSTORABLE.search(text)
    return None if found is None else found[0][0]


def composed(name: str) -> str:
    """Bring a name or an id to the one form that it is known by.

    Some systems write Hangul and accents in parts (NFD), as macOS does in file names: that is the same name.
    """
    return unicodedata.normalize("NFC", name)


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: white space, zero-width and control characters only."""
    return _VISIBLE.search(text) is None


def fold(text: str) -> str:
    """Bring text to the form in which it is compared and searched.

    Composed and decomposed Hangul, half-width and full-width kana, Latin of any width and case become the
    same; zero-width characters go, and a run of white space is one space.
    """
    if text.isascii():
        return " ".join(clean(text).lower().split())
    shown = _ZERO_WIDTH.sub("", clean(text))
    folded = unicodedata.normalize("NFKC", shown).casefold()
    if folded == shown:
        return " ".join(folded.split())
    # NFKC can bring forth fillers of zero width, and case folding can undo composition.
    return " ".join(unicodedata.normalize("NFKC", _ZERO_WIDTH.sub("", folded)).split())


def letters(text: str) -> str:
    """The letters and digits of a text, folded, with nothing between them."""
    joined: str = _NO_LETTER.sub("", fold(text))
    return joined


def graphemes(text: str) -> list[str]:
    """Split text into what a reader sees as single characters."""
    found: list[str] = _GRAPHEME.findall(text)
    return found


def count_graphemes(text: str) -> int:
    """How many single characters a reader sees."""
    return len(text) if _ONE_EACH.fullmatch(text) else len(graphemes(text))


def cut(text: str, limit: int, ellipsis: str = "…") -> str:
    """Shorten text to at most ``limit`` graphemes, the ellipsis included.

    Where the limit leaves no room beside the ellipsis, the text is cut without one.
    """
    if len(text) <= limit:
        return text
    ends = [0]
    for match in _GRAPHEME.finditer(text):
        if len(ends) > limit:
            break
        ends.append(match.end())
    if ends[-1] == len(text):
        return text
    kept = limit - len(graphemes(ellipsis))
    if kept < 1:
        return text[: ends[max(limit, 0)]]
    return text[: ends[kept]].rstrip() + ellipsis


def sentences(text: str) -> list[str]:
    """Split text after each sentence of ko, ja, zh or en; the parts joined are the text again.

    Closing quotes and brackets, and the white space after them, stay with their sentence.
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    ends = [end for end in ends if text[end - 1 : end + 1] != "\r\n"]
    if text and (not ends or ends[-1] < len(text)):
        ends.append(len(text))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _weigh(text: str) -> int:
    return sum(text.encode("utf-8", "surrogatepass").translate(_WEIGHTS, _FOLLOWING_BYTES))


def tokens(text: str) -> int:
    """Estimate how many tokens a language model reads text as, seldom too low (H22, ruling 13).

    The estimate never falls as text grows, and that of a whole is at most the sum of its parts.
    """
    return -(-_weigh(text) // 100)


def cut_tokens(text: str, budget: int, ellipsis: str = "…") -> str:
    """Shorten text to at most ``budget`` tokens as `tokens` counts them.

    It ends after its last whole sentence that fits; where not even the first fits, after a word, or between
    graphemes where words have no spaces, with an ellipsis. Empty where nothing fits.
    """
    if tokens(text) <= budget:
        return text
    room = budget * 100
    return _whole_sentences(text, room) or _first_words(text, room - _weigh(ellipsis), ellipsis)


def last_tokens(text: str, budget: int) -> str:
    """The end of a text, of at most ``budget`` tokens as `tokens` counts them, cut between graphemes."""
    pieces = regex.findall(r"\X", text)
    begin = bisect_left(range(len(pieces)), True, key=lambda place: tokens("".join(pieces[place:])) <= budget)
    return "".join(pieces[begin:]).lstrip()


def _whole_sentences(text: str, room: int) -> str:
    spent = end = 0
    for match in _SENTENCE_END.finditer(text):
        sentence = text[end : match.end()]
        if spent + _weigh(sentence.rstrip()) > room:
            break
        spent += _weigh(sentence)
        end = match.end()
    beginning = text[:end].rstrip()
    return "" if is_blank(beginning) else beginning


def _first_words(text: str, room: int, ellipsis: str) -> str:
    end = word_end = 0
    for match in _GRAPHEME.finditer(text):
        room -= _weigh(match.group())
        if room < 0:
            break
        if match.group().isspace():
            word_end = match.start()
        end = match.end()
    # A lone space early in text without spaces between words is no reason to throw most of it away.
    beginning = text[: word_end if word_end > end // 2 else end].rstrip()
    return "" if is_blank(beginning) else beginning + ellipsis


def language(text: str, default: Language = "en") -> Language:
    """Tell the language of text by its scripts.

    Hangul is ko, kana ja, Han alone zh; anything else is ``default``. A Latin word counts as much as one
    character of the others, so that Korean with English words is ko and English with a Korean name is not.
    Few Han alone are ja where that is the default: "了解" is written in both languages.
    """
    if text.isascii():
        return default
    hangul, kana, han = (sum(map(len, script.findall(text))) for script in (_HANGUL, _KANA, _HAN))
    if hangul + kana + han <= len(_LATIN_WORD.findall(text)) // 2:
        return default
    if hangul > kana + han:
        return "ko"
    if kana:
        return "ja"
    if han >= hangul and han:
        return "ja" if default == "ja" and han < _SHORT_HAN else "zh"
    return default

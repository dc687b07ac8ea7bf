"""Analysers that know a language: Korean by Kiwi, Japanese by Sudachi, with bigrams beside them.

They come with the extras ``ko`` and ``ja``. Their morphemes are added to the terms of `BigramAnalyser`, which
still finds the names that no dictionary knows and the words of other languages.
"""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from omoide.domain.text import fold
from omoide.errors import InvalidInput, MissingExtra
from omoide.words.analyse import MOST_TERMS, Analyser, BigramAnalyser

if TYPE_CHECKING:
    from collections.abc import Callable

ANALYSERS = ("bigram", "kiwi", "sudachi")

_HANGUL = re.compile("[\uac00-\ud7a3]")
_KANA_OR_HAN = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_KIWI_CONTENT = ("NNG", "NNP", "NR", "VV", "VA", "XR", "MAG")
_SUDACHI_CONTENT = frozenset(("名詞", "動詞", "形容詞", "形状詞", "副詞"))


class MorphemeAnalyser:
    """Bigrams and words of any script, and the dictionary forms of one language.

    Attributes:
        identity: the name of this way of analysing.
    """

    def __init__(
        self,
        *,
        identity: str,
        morphemes: Callable[[str], list[str]],
        script: re.Pattern[str],
        most_terms: int = MOST_TERMS,
    ) -> None:
        """Put an analyser together.

        Args:
            identity: what names the language's analyser and its way of use.
            morphemes: gives the dictionary forms of the words of a text that carry meaning.
            script: what a text must hold for ``morphemes`` to be asked.
            most_terms: at most so many terms of a query are looked for.
        """
        self.identity = identity
        self._morphemes = morphemes
        self._script = script
        self._most_terms = most_terms
        self._bigrams = BigramAnalyser(most_terms=most_terms)
        self._lock = threading.Lock()

    def document(self, text: str) -> dict[str, int]:
        """The terms a text is found by, each with its frequency."""
        terms = self._bigrams.document(text)
        for form in self._forms(text):
            terms[form] = terms.get(form, 0) + 1
        return terms

    def query(self, text: str) -> list[str]:
        """The distinct terms to look for, dictionary forms first."""
        return list(dict.fromkeys((*self._forms(text), *self._bigrams.query(text))))[: self._most_terms]

    def _forms(self, text: str) -> list[str]:
        folded = fold(text)
        if not self._script.search(folded):
            return []
        with self._lock:  # neither tokenizer promises to serve two threads at once
            # The mark keeps dictionary forms apart from bigrams of the same letters.
            return [f"{form}+" for form in self._morphemes(folded)]


def _kiwi() -> Analyser:
    try:
        from kiwipiepy import Kiwi
    except ImportError as error:
        raise MissingExtra("the analyser 'kiwi' needs an extra: pip install 'omoide[ko]'") from error
    kiwi = Kiwi(num_workers=1)

    def morphemes(text: str) -> list[str]:
        return [token.form for token in kiwi.tokenize(text) if token.tag.startswith(_KIWI_CONTENT)]

    return MorphemeAnalyser(identity="kiwi/1", morphemes=morphemes, script=_HANGUL)


def _sudachi() -> Analyser:
    try:
        from sudachipy import Dictionary, SplitMode
    except ImportError as error:
        raise MissingExtra("the analyser 'sudachi' needs an extra: pip install 'omoide[ja]'") from error
    tokenizer = Dictionary(dict="small").create(mode=SplitMode.A)

    def morphemes(text: str) -> list[str]:
        return [
            word.normalized_form()
            for word in tokenizer.tokenize(text)
            if word.part_of_speech()[0] in _SUDACHI_CONTENT
        ]

    return MorphemeAnalyser(identity="sudachi/1", morphemes=morphemes, script=_KANA_OR_HAN)


def load_analyser(name: str) -> Analyser:
    """Make the analyser of a name.

    Raises:
        InvalidInput: no analyser has that name.
        MissingExtra: its optional dependency is not installed.
    """
    if name == "bigram":
        return BigramAnalyser()
    if name == "kiwi":
        return _kiwi()
    if name == "sudachi":
        return _sudachi()
    raise InvalidInput(f"no analyser is called {name!r}; choose one of {', '.join(ANALYSERS)}")

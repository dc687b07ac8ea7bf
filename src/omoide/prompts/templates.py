"""Prompts by name and language: built in, and replaced at run time where somebody wishes (P4)."""

from __future__ import annotations

import logging
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

from omoide.domain.text import Language
from omoide.errors import InvalidInput
from omoide.prompts.sandbox import render
from omoide.prompts.values import shown_by

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger("omoide")


def _never(name: str, language: str) -> str | None:
    del name, language
    return None


class Templates:
    """Renders prompts.

    Args:
        replaced: the text that stands in place of a built-in prompt at this moment, by name and language;
            None where the built-in one holds. It blocks.
    """

    def __init__(self, replaced: Callable[[str, str], str | None] = _never) -> None:
        self._replaced = replaced

    def render(self, name: str, language: Language, **values: object) -> str:
        """A prompt in a language, filled in.

        A replacement that cannot be rendered is reported in the log, and the built-in one holds.

        Raises:
            InvalidInput: no prompt has that name, or the values are not those that it is known to show.
        """
        if {*values} != {*shown_by(name)}:
            msg = f"the prompt {name!r} shows {sorted(shown_by(name))}, got {sorted(values)}"
            raise InvalidInput(msg)
        replaced = self._replaced(name, language)
        if replaced is not None:
            try:
                return render(replaced, values, name=name)
            except InvalidInput as error:
                _log.warning("the built-in prompt is used: %s", error)
        return render(built_in(name, language), values, name=name)

    def version(self, name: str, language: Language) -> str:
        """What tells one wording of a prompt from another."""
        text = self._replaced(name, language) or built_in(name, language)
        return f"{name}-{language}-{sha256(text.encode()).hexdigest()[:8]}"


def built_in_names() -> list[tuple[str, Language]]:
    """The name and language of each prompt that comes with the package."""
    folders = sorted(
        (one for one in files("omoide.prompts").iterdir() if one.is_dir()), key=lambda one: one.name
    )
    return [
        (folder.name, language)
        for folder in folders
        for language in get_args(Language)
        if (folder / f"{language}.jinja").is_file()
    ]


@lru_cache(maxsize=64)
def built_in(name: str, language: Language) -> str:
    """The wording that comes with the package.

    Raises:
        InvalidInput: there is none of that name.
    """
    file = files("omoide.prompts") / name / f"{language}.jinja"
    if not name.isidentifier() or language not in get_args(Language) or not file.is_file():
        msg = f"no prompt is called {name!r} in {language!r}"
        raise InvalidInput(msg)
    return file.read_text(encoding="utf-8")

"""Discussions in the acceptance tests: three sisters, and a model that plays all the parts."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from omoide import Omoide
from omoide.characters import Characters
from omoide.factory import Factory
from omoide.testing import ScriptedModel
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from omoide.domain.chat import Turn

SISTERS = {
    "yuzuki": ("柚月", "ja", "三姉妹の長女。何でも数えて確かめる。"),
    "akane": ("茜", "ja", "三姉妹の次女。考える前に走りだす。"),
    "hisui": ("翡翠", "ja", "三姉妹の末っ子。ふたりのあいだを取りもつ。"),
}
TOPIC = "はじめて三人で見た海"
MARKS = ("first_person", "voice", "consistency", "emotional_truth", "other_minds")
DANGERS = ("minors", "sexual", "self_harm", "hate", "violence", "crime", "private")


def write_characters(
    folder: Path, *, sisters: dict[str, tuple[str, str, str]] = SISTERS, **more: str
) -> Path:
    """A folder of characters; `more` are lines of a profile by id."""
    for name, (called, language, description) in sisters.items():
        (folder / name).mkdir(parents=True)
        profile = f"name: {called}\nlanguage: {language}\ndescription: {description}\n{more.get(name, '')}"
        (folder / name / "profile.yaml").write_text(profile, encoding="utf-8")
        (folder / name / "prompt.jinja").write_text("{{ name }}。{{ description }}", encoding="utf-8")
    return folder


def marks(score: float = 8, **other: float) -> dict[str, Any]:
    """What a judge says."""
    return {name: {"score": other.get(name, score), "reason": f"{name} と言える"} for name in MARKS}


def dangers(**found: Any) -> dict[str, Any]:
    """What a safety check says."""
    return {**dict.fromkeys(DANGERS, 0), "taboos": [], "reason": "", **found}


def diary(text: str = "私は波の音を数えながら、砂の冷たさを思い出していた。", **more: Any) -> dict[str, Any]:
    """What a character writes."""
    return {
        "text": text,
        "emotion": "懐かしい",
        "scores": [{"name": "joy", "value": 7}],
        "importance": 6,
        **more,
    }


@dataclass
class Parts:
    """Plays every part; each answer may be a value or a rule on the turns that are shown.

    It knows the parts by the form of the prompt: a diary is asked for scores, a judge for `other_minds`.
    """

    speaks: Any = "あの日は風が強かったね。"
    writes: Any = field(default_factory=diary)
    judges: Any = field(default_factory=marks)
    checks: Any = field(default_factory=dangers)
    calls: list[str] = field(default_factory=list)

    def model(self) -> ScriptedModel:
        """As a model."""
        return ScriptedModel(replies=self._reply, answers=self._answer)

    def _reply(self, turns: Sequence[Turn]) -> Any:
        return self._say("speak", self.speaks, turns)

    def _answer(self, turns: Sequence[Turn]) -> Any:
        rules = turns[0].text
        if "other_minds" in rules:
            return self._say("judge", self.judges, turns)
        if "self_harm" in rules:
            return self._say("check", self.checks, turns)
        return self._say("write", self.writes, turns)

    def _say(self, part: str, saying: Any, turns: Sequence[Turn]) -> Any:
        self.calls.append(part)
        return saying(turns) if callable(saying) else saying


@asynccontextmanager
async def factory(
    folder: Path, parts: Parts, *, characters: Path | None = None, **given: Any
) -> AsyncIterator[tuple[Omoide, Factory]]:
    """An engine and a factory on it."""
    if characters is None:
        characters = folder / "characters"
        if not characters.exists():
            write_characters(characters)
    usual: dict[str, Any] = {"embedder": "none", "master_key_file": folder / "key"}
    async with Omoide.open(place(folder), models=parts.model(), **{**usual, **given}) as omoide:
        yield omoide, Factory(omoide, Characters.load(characters, samples=False))


def once(first: Any, then: Any) -> Callable[[Sequence[Turn]], Any]:
    """One answer, and another from then on."""
    said = [first]
    return lambda _: said.pop() if said else then

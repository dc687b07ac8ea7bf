"""The prompts of a discussion: who one is and the rules first, then all that was said, fenced as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.chat import Turn
from omoide.domain.diary import BASIC_SCORES
from omoide.prompts.fence import plain
from omoide.prompts.labels import LABELS, fenced

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.factory.answers import DiaryAnswer, Seen
    from omoide.factory.cast import Player
    from omoide.factory.record import Discussion, Movement, Spoken, Version
    from omoide.prompts.templates import Templates


def speaking(
    discussion: Discussion,
    player: Player,
    movement: Movement,
    *,
    names: Mapping[str, str],
    memory: str,
    templates: Templates,
) -> list[Turn]:
    """For one turn of the talk."""
    rules = templates.render(
        "discussion",
        player.language,
        character=player.sheet.called,
        others=player.between,
        topic=plain(discussion.topic),
        movement=movement.value,
    )
    return [_system(player.persona, rules, memory), Turn("user", talk(discussion.spoken, player, names))]


def writing(
    discussion: Discussion,
    player: Player,
    *,
    names: Mapping[str, str],
    memory: str,
    templates: Templates,
    former: Version | None,
) -> list[Turn]:
    """For a memory of it; `former` is what was written before and did not pass."""
    rules = templates.render(
        "diary",
        player.language,
        character=player.sheet.called,
        others=player.between,
        topic=plain(discussion.topic),
        scores=", ".join((*BASIC_SCORES, *player.sheet.profile.scores)),
        revision=former is not None,
    )
    parts = [talk(discussion.spoken, player, names)]
    if former is not None:
        parts += [
            diary(former.diary, player),
            fenced("reasons", [f"- {plain(reason)}" for reason in former.reasons or ()]),
        ]
    return [_system(player.persona, rules, memory), Turn("user", "\n\n".join(parts))]


def judging(
    discussion: Discussion,
    player: Player,
    written: DiaryAnswer,
    *,
    names: Mapping[str, str],
    memory: str,
    templates: Templates,
) -> list[Turn]:
    """For the judge, who sees who the character is, what it remembers, what was said, and the memory."""
    rules = templates.render("judging", player.language, character=player.sheet.called, others=player.between)
    persona = fenced("past", [plain(line) for line in player.persona.splitlines()])
    parts = [persona, memory, talk(discussion.spoken, player, names), diary(written, player)]
    return [Turn("system", rules), Turn("user", "\n\n".join(part for part in parts if part))]


def checking(player: Player, written: DiaryAnswer, *, templates: Templates) -> list[Turn]:
    """For the safety check, which sees the memory alone."""
    rules = templates.render(
        "safety",
        player.language,
        character=player.sheet.called,
        taboos=", ".join(player.sheet.profile.taboos),
    )
    return [Turn("system", rules), Turn("user", diary(written, player))]


def talk(spoken: Sequence[Spoken], player: Player, names: Mapping[str, str]) -> str:
    """What was said aloud, which is all that one character gets of another."""
    lines = [f"{names[one.character]}: {plain(one.text)}" for one in spoken if one.text]
    return fenced("conversation", lines or [LABELS[player.language].nothing])


def diary(written: DiaryAnswer | None, player: Player) -> str:
    """A memory as those see it who judge or revise it."""
    if written is None:
        return fenced("diary", [LABELS[player.language].nothing])
    parts = {
        "text": written.text,
        "emotion": written.emotion,
        "action": written.action,
        "thought": written.thought,
        "scores": ", ".join(f"{felt.name} {felt.value:g}" for felt in written.scores),
    }
    lines = [f"{name}: {words}" for name, words in parts.items() if words]
    return fenced("diary", [plain(line) for line in (*lines, *map(_observed, written.observations))])


def _observed(seen: Seen) -> str:
    """An observation, its parts named, so that nobody takes a guess for what was seen."""
    parts = {"feeling, guessed": seen.feeling, "basis": seen.basis}
    guess = "".join(f" / {name}: {words}" for name, words in parts.items() if words)
    return f"observation of {seen.person}: {seen.behaviour}{guess}"


def _system(*parts: str) -> Turn:
    return Turn("system", "\n\n".join(part.strip() for part in parts if part.strip()))

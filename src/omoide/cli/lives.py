"""Folders of lives on the command line: check them, bring them in, write them out (K12)."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from omoide.cli import show
from omoide.cli.running import WRONG, settings_of, tell, with_store
from omoide.errors import EmbedderError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.authoring import Carried, Lives, Pasts, Problem
    from omoide.bootstrap import Omoide
    from omoide.characters import Characters
    from omoide.cli.options import Where
    from omoide.config import Settings


def check(folder: Path, where: Where, *, json: bool) -> None:
    """Show everything that is wrong with a folder; exit with 1 if anything is."""
    from omoide.authoring import read_folder

    lives = read_folder(folder)
    problems = _problems(lives, settings_of(where, vectors=False))
    if json:
        show.as_json({**_counts(lives), "problems": _fields(problems)})
    elif problems:
        _table(problems)
    else:
        show.say(_said(_counts(lives)))
    if problems:
        raise typer.Exit(WRONG)


def bring_in(folder: Path, where: Where, *, prune: bool, json: bool) -> None:
    """Bring the lives of a folder into the store, or show what keeps them out, and exit with 1."""
    from omoide.authoring import errors, namesakes, read_folder, take_over

    lives = read_folder(folder)
    settings = settings_of(where)
    taken = namesakes(lives, _characters(settings))
    if wrong := [*errors(_problems(lives, settings), prune=prune), *taken]:
        if json:
            show.as_json({**_counts(lives), "problems": _fields(wrong)})
        else:
            _table(wrong)
        tell("nothing was written; `omoide characters lint` shows advice too")
        raise typer.Exit(WRONG)

    async def work(omoide: Omoide) -> list[Carried]:
        from omoide.authoring import carry_in

        try:
            carried = await carry_in(omoide, lives, prune=prune)
        except InvalidInput as error:  # it is the folder that is wrong, and not the command
            tell(f"{error}; nothing was written")
            raise typer.Exit(WRONG) from error
        await _make_vectors(omoide, lives)
        return carried

    carried = with_store(where, work, make=True, settings=settings)
    known = take_over(lives, settings.home)
    _report(lives, carried, profiles=known, json=json)
    if known and not json:
        show.say(f"profiles, to talk with them, went to {settings.home}: {', '.join(known)}")
    if not any(life.diaries for life in lives.lives):
        tell(f"no memory lies in {str(folder)!r}; they stand in diary.yaml or diary/*.md of each character")


def write_out(folder: Path, where: Where, *, markdown: bool, json: bool) -> None:
    """Write the pasts of a store into a folder."""
    from omoide.authoring import pasts, profiles_of, write_folder

    settings = settings_of(where, vectors=False)
    known = _characters(settings)
    told: Pasts = with_store(where, pasts, vectors=False, settings=settings)
    write_folder(folder, told, known, markdown=markdown)
    counts = {name: len(diaries) for name, diaries in told.diaries.items()}
    named = profiles_of(known)
    for name in counts:
        if name not in named:
            tell(
                f"no profile of {name!r} is known; its name and language were written, its birthday was not, "
                "and so each memory has its age written with it"
            )
    fields = {"folder": str(folder), "memories": counts, "events": len(told.events)}
    line = f"wrote {sum(counts.values())} memories of {len(counts)} characters, {len(told.events)} events"
    show.answer(fields, f"{line}, to {folder}", json=json)


def _characters(settings: Settings) -> Characters:
    from omoide.characters import Characters

    return Characters.of(settings)


async def _make_vectors(omoide: Omoide, lives: Lives) -> None:
    from omoide.cli.files import make_vectors

    scopes = [omoide.scope(character=life.profile.name) for life in lives.lives if life.diaries]
    try:
        await make_vectors(omoide, scopes)
    except EmbedderError as error:
        tell(f"vectors wait: {error}; `omoide reindex` makes them later")


def _problems(lives: Lives, settings: Settings) -> list[Problem]:
    from omoide.authoring import lint
    from omoide.domain.instants import zone_of

    return lint(lives, today=datetime.now(zone_of(settings.zone)).date())


def _counts(lives: Lives) -> dict[str, int]:
    memories = sum(len(life.diaries) for life in lives.lives)
    return {"characters": len(lives.lives), "memories": memories, "events": len(lives.events)}


def _said(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _fields(problems: Sequence[Problem]) -> list[dict[str, object]]:
    return [asdict(problem) for problem in problems]


def _table(problems: Sequence[Problem]) -> None:
    rows = [
        (problem.file, str(problem.line), "advice" if problem.advice else "error", problem.text)
        for problem in problems
    ]
    show.table(("file", "line", "kind", "problem"), rows, wide="problem")


def _report(lives: Lives, carried: Sequence[Carried], *, profiles: Sequence[str], json: bool) -> None:
    if json:
        fields = {"events": len(lives.events), "characters": [asdict(one) for one in carried]}
        show.as_json({**fields, "profiles": list(profiles)})
        return
    for one in carried:
        show.say(f"{one.character}: {one.new} new, {one.changed} changed, {one.same} as before")
        if one.missing:
            fate = "forgotten" if one.pruned else "no longer in the files; --prune forgets them"
            show.say(f"  {fate}: {', '.join(one.missing)}")
        if one.ageless:
            lost = (
                f"{one.character} has no birthday in its profile, so an age went with the day that it was of"
            )
            tell(f"{lost}: {', '.join(one.ageless)}")
    show.say(f"{len(lives.events)} events")

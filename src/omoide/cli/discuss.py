"""`omoide discuss`: characters talk about a topic, and what they remember of it is judged and reviewed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import with_store
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from omoide.bootstrap import Omoide
    from omoide.factory import Candidate, Factory, Job
    from omoide.factory.record import Account

_FACTORY = "A past that grows"
T = TypeVar("T")
app = typer.Typer()
candidates = typer.Typer(
    help="Memories that wait until an author confirms them.", invoke_without_command=True
)

_Memory = Annotated[str, typer.Argument(metavar="MEMORY", help="Its id, as `omoide candidates` shows it.")]


@app.command(rich_help_panel=_FACTORY)
def discuss(
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="What it is about.")] = None,
    *,
    characters: Annotated[
        str | None, typer.Option("--with", metavar="A,B,C", help="Who takes part: two or more characters.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="ID", help="Go on with one that was broken off.")
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", metavar="N", help="Turns at most.")] = None,
    tokens: Annotated[int | None, typer.Option("--tokens", metavar="N", help="Tokens at most.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", help="Seconds at most.")] = None,
    review: Annotated[
        bool | None, typer.Option("--review/--no-review", help="Whether memories wait for an author.")
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let characters talk about a topic; what each remembers counts if judge and safety check let it pass."""
    names = [name.strip() for name in (characters or "").split(",") if name.strip()]
    if resume is None and (topic is None or not names):
        msg = "a discussion needs a topic and --with a,b,c; or --resume ID goes on with one"
        raise InvalidInput(msg)
    if resume is not None and (topic is not None or names or turns or seconds or review is not None):
        msg = "--resume goes on with a discussion as it was begun; only --tokens can be raised"
        raise InvalidInput(msg)

    async def work(factory: Factory) -> Job:
        if resume is not None:
            return await factory.run(resume, tokens=tokens)
        limits = factory.limits(turns=turns, tokens=tokens, seconds=seconds, review=review)
        return await factory.discuss(topic or "", characters=names, limits=limits)

    job = _with_factory(store, work, make=True, vectors=True)
    _show(job, json=json)
    if job.discussion.trouble:
        raise typer.Exit(1)


@app.command(rich_help_panel=_FACTORY)
def jobs(
    job: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this one, in full.")] = None,
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """List the newest discussions, or show one: what was said, and what became of each memory."""
    if job is not None:
        _show(_with_factory(store, lambda factory: factory.job(job)), json=json)
        return
    found = _with_factory(store, lambda factory: factory.jobs())
    if json:
        from omoide.factory.views import JobView

        show.as_json([JobView.of(one).fields() for one in found])
        return
    rows = [
        (
            one.id,
            show.day(one.created_at),
            one.state.value,
            ", ".join(one.discussion.characters),
            str(one.discussion.spent.tokens),
            one.discussion.topic,
        )
        for one in found
    ]
    show.table(("id", "date", "state", "characters", "tokens", "topic"), rows, wide="topic")


@candidates.callback()
def every(context: typer.Context, *, store: Store = None, json: Json = False) -> None:
    """List them where nothing else is asked."""
    if context.invoked_subcommand is None:
        _list(store, json=json)


@candidates.command("list")
def candidates_list(*, store: Store = None, json: Json = False) -> None:
    """List memories that wait, with what the judge says of them."""
    _list(store, json=json)


@candidates.command("confirm")
def candidates_confirm(memory: _Memory, *, store: Store = None, json: Json = False) -> None:
    """Let a memory be recalled from now on."""
    _with_factory(store, lambda factory: factory.confirm(memory), vectors=True)
    show.answer({"confirmed": memory}, f"confirmed {memory}", json=json)


@candidates.command("reject")
def candidates_reject(
    memory: _Memory,
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for the record.")] = "",
    store: Store = None,
    json: Json = False,
) -> None:
    """Let a memory never be recalled."""
    _with_factory(store, lambda factory: factory.reject(memory, reason=reason))
    show.answer({"rejected": memory}, f"rejected {memory}", json=json)


def _list(store: str | None, *, json: bool) -> None:
    found = _with_factory(store, lambda factory: factory.candidates())
    if json:
        from omoide.factory.views import CandidateView

        show.as_json([CandidateView.of(one).fields() for one in found])
        return
    rows = [(one.memory, one.character, _marks(one), one.because or "review", _text(one)) for one in found]
    show.table(("id", "character", "judge", "waits for", "text"), rows, wide="text")


def _with_factory(
    store: str | None,
    work: Callable[[Factory], Awaitable[T]],
    *,
    make: bool = False,
    vectors: bool = False,
) -> T:
    from omoide import tracing

    async def opened(omoide: Omoide) -> T:
        from omoide.characters import Characters
        from omoide.factory import Factory

        return await work(Factory(omoide, Characters.of(omoide.settings)))

    with tracing.exporting():
        return with_store(Where(store=store), opened, make=make, vectors=vectors)


def _show(job: Job, *, json: bool) -> None:
    if json:
        from omoide.factory.views import JobView

        show.as_json(JobView.of(job).fields())
        return
    from omoide.factory import Outcome

    discussion = job.discussion
    names = dict(zip(discussion.characters, discussion.names, strict=False))
    show.say(f"{job.id}: {discussion.topic} ({job.state.value})")
    movement = ""
    for spoken in discussion.spoken:
        if spoken.movement.value != movement:
            movement = spoken.movement.value
            show.say(f"\n{movement}", style="bold")
        show.say(f"{names.get(spoken.character, spoken.character)}: {spoken.text or '…'}")
    for account in discussion.accounts:
        _show_account(account, names.get(account.character, account.character))
    spent = discussion.spent
    show.say(f"\n{spent.calls} calls, {spent.prompt} tokens of prompts, {spent.answer} of answers")
    if any(account.outcome is Outcome.CANDIDATE for account in discussion.accounts):
        show.say("what waits for an author: omoide candidates")
    if discussion.event:
        show.say(f"every side of it: omoide events show {shlex.quote(discussion.event)}")
    for line in (discussion.cut, discussion.trouble):
        if line:
            show.say(line)
    if discussion.trouble:
        show.say(f"omoide discuss --resume {job.id}")


def _show_account(account: Account, who: str) -> None:
    for number, version in enumerate(account.versions, 1):
        head = f"{who} remembers" if number == 1 else f"{who}, revised"
        show.say(f"\n{head}", style="bold")
        show.say(version.diary.text if version.diary else "-")
        for reason in version.reasons or ():
            show.say(f"  {reason}", style="dim")
    if account.outcome is not None:
        because = f": {account.decided_because}" if account.decided_because else ""
        show.say(f"  {account.outcome.value}{because}", style="bold")


def _marks(candidate: Candidate) -> str:
    from omoide.factory.answers import Criterion

    marks = candidate.version.marks
    return "-" if marks is None else " ".join(f"{marks.by(criterion).score:g}" for criterion in Criterion)


def _text(candidate: Candidate) -> str:
    return candidate.version.diary.text if candidate.version.diary else "-"

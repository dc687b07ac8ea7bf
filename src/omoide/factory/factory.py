"""Discussions from the beginning to memories that count: begun, run, resumed, and reviewed (K9, K10)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from omoide import tracing
from omoide.domain.objections import NAME
from omoide.domain.text import clean, count_graphemes, is_blank
from omoide.errors import InvalidInput, MissingExtra, ModelError, NotFound, UnknownMemory
from omoide.factory.answers import THRESHOLDS, Danger
from omoide.factory.ask import Asking, NoRoom, TimeUp
from omoide.factory.cast import cast, everybody
from omoide.factory.keep import Keeper
from omoide.factory.plan import Step, check_cast, cut, due, is_mute, waits
from omoide.factory.record import Discussion, Limits, Outcome, Version
from omoide.factory.steps import Steps, spent
from omoide.stores.jobs import JobRow, Jobs, JobState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from omoide.characters import Characters
    from omoide.engine import Engine

KIND: Final = "discussion"
_TOPIC: Final = 300
"""Graphemes of a topic at most."""

_SUFFIX: Final = 32
"""Characters that the name of its event may have beyond it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A discussion as it stands.

    Attributes:
        id: names it, to resume it.
        state: whether it is under way, has failed, waits for an author, or is done.
        discussion: all of it.
        created_at, updated_at: when it was begun, and when its last step was written down.
    """

    id: str
    state: JobState
    discussion: Discussion
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A memory that waits for an author.

    Attributes:
        memory: its id.
        job: the discussion that it comes from.
        topic: what that was about.
        character: whose it is, by id.
        version: its words, and what judge and safety check say.
        because: why nothing confirmed it by itself; empty where the deployment asks for review.
    """

    memory: str
    job: str
    topic: str
    character: str
    version: Version
    because: str


class Factory:
    """Lets characters talk about a topic, and makes memories of it.

    What was done is written down after each step, so that one that was broken off goes on where it was. Two
    that run the same job do no harm: one of them gets `Superseded`, and where they begin at once, before it
    has called a model.

    Args:
        engine: remembers, and knows the models.
        characters: who can take part.
        thresholds: from which score on, 0 to 10, a danger is one.
    """

    def __init__(
        self, engine: Engine, characters: Characters, *, thresholds: Mapping[Danger, float] | None = None
    ) -> None:
        self._engine = engine
        self._characters = characters
        self._thresholds = {**THRESHOLDS, **(thresholds or {})}
        self._keeper = Keeper(engine)
        self._jobs = Jobs(engine.store)

    async def discuss(self, topic: str, *, characters: Sequence[str], limits: Limits | None = None) -> Job:
        """Begin a discussion and run it; see `begin` and `run`."""
        return await self.run((await self.begin(topic, characters=characters, limits=limits)).id)

    async def begin(self, topic: str, *, characters: Sequence[str], limits: Limits | None = None) -> Job:
        """Write a discussion down, without a word of it said yet.

        Args:
            topic: what it is about, in one line.
            characters: who takes part, by id, name or nickname, in the order in which they speak.
            limits: what it may cost; see `limits`.

        Raises:
            InvalidInput: a blank or too long topic, or a cast that cannot hold a discussion.
            UnknownCharacter: nobody is called so.
        """
        limits = self.limits() if limits is None else limits
        topic = " ".join(clean(topic).split())
        if is_blank(topic) or count_graphemes(topic) > _TOPIC or len(topic) > NAME - _SUFFIX:
            msg = f"a topic is one line of up to {_TOPIC} characters, got {topic[:40]!r}"
            raise InvalidInput(msg)
        sheets = await self._engine.read(lambda: [self._characters.find(name) for name in characters])
        ids = tuple(sheet.id for sheet in sheets)
        check_cast(ids, turns=limits.turns)
        names = tuple(sheet.name for sheet in sheets)
        body = Discussion(topic=topic, characters=ids, limits=limits, names=names).model_dump_json()
        return _job(await self._engine.run(lambda: self._jobs.add(KIND, body)))

    def limits(
        self,
        *,
        turns: int | None = None,
        tokens: int | None = None,
        seconds: float | None = None,
        review: bool | None = None,
    ) -> Limits:
        """What a discussion may cost by the settings, except where something else is given.

        Raises:
            InvalidInput: out of range.
        """
        settings = self._engine.settings
        try:
            return Limits(
                turns=settings.discussion_turns if turns is None else turns,
                tokens=settings.discussion_tokens if tokens is None else tokens,
                seconds=settings.discussion_seconds if seconds is None else seconds,
                review=settings.review if review is None else review,
                bar=settings.judge_bar,
            )
        except ValidationError as error:
            wrong = "; ".join(
                f"{one['loc'][0]}: {one['msg']}, got {one['input']!r}" for one in error.errors()
            )
            msg = f"these limits cannot be: {wrong}"
            raise InvalidInput(msg) from None

    async def run(self, job: str, *, tokens: int | None = None) -> Job:
        """Go on with a discussion until it is done, cannot go on, or waits for an author.

        Args:
            job: which.
            tokens: what it may cost from now on in all, where it has spent what it might.

        Raises:
            NotFound: there is none of that id.
            Superseded: somebody else goes on with it.
            UnknownCharacter: one who takes part is not there any more.
            StoreError: a step cannot be written down; the one before it holds.
        """
        row = await self._engine.read(lambda: self._jobs.get(job))
        discussion = _resumed(_discussion(row), tokens)
        if row.state in (JobState.DONE, JobState.REVIEW):
            return _job(row)
        sheets = await self._engine.read(
            lambda: [self._characters.find(name) for name in discussion.characters]
        )
        known = await self._engine.read(lambda: everybody(self._engine, self._characters))
        deadline = asyncio.get_running_loop().time() + discussion.limits.seconds
        steps = Steps(
            asking=Asking(engine=self._engine, job=job, deadline=deadline),
            players=cast(sheets, known=known),
            keeper=self._keeper,
            thresholds=self._thresholds,
        )
        values = {tracing.WORKFLOW: KIND, tracing.CONVERSATION: job}
        name = f"{tracing.INVOKE_WORKFLOW} {KIND}"
        with tracing.span(name, operation=tracing.INVOKE_WORKFLOW, values=values) as traced:
            row = await self._put(row, discussion)  # which tells others that it is taken, before any call
            row = await self._steps(row, discussion, steps)
            traced.tell({tracing.OUTCOME: row.state.value})
        return _job(row)

    async def job(self, job: str) -> Job:
        """A discussion as it stands.

        Raises:
            NotFound: there is none of that id.
        """
        return _job(await self._engine.read(lambda: self._jobs.get(job)))

    async def jobs(self, *, limit: int = 100) -> list[Job]:
        """The newest discussions first."""
        return [_job(row) for row in await self._engine.read(lambda: self._jobs.all(KIND, limit=limit))]

    async def candidates(self) -> list[Candidate]:
        """The memories that wait for an author, those of the newest discussion first."""
        rows = await self._engine.read(lambda: self._jobs.all(KIND, states=[JobState.REVIEW], limit=10_000))
        return [found for row in rows for found in _candidates(_job(row))]

    async def confirm(self, memory: str) -> Job:
        """Let a candidate be recalled from now on.

        Raises:
            UnknownMemory: no candidate has that id.
            Superseded: somebody else decides about the same discussion at this moment.
        """
        return await self._decide(memory, Outcome.CONFIRMED, "confirmed by an author")

    async def reject(self, memory: str, *, reason: str = "") -> Job:
        """Let a candidate never be recalled; raises as `confirm` does."""
        return await self._decide(memory, Outcome.REJECTED, reason or "rejected by an author")

    async def _steps(self, row: JobRow, discussion: Discussion, steps: Steps) -> JobRow:
        while (following := due(discussion)) is not None:
            if trouble := _trouble(discussion):
                return await self._put(row, discussion, trouble=trouble)
            try:
                steps.asking.check_time()
                discussion = await steps.do(discussion, following)
            except (ModelError, MissingExtra) as error:
                return await self._put(row, discussion, trouble=str(error))
            except NoRoom as short:
                if following.step is not Step.SPEAK:
                    return await self._put(row, discussion, trouble=_no_room(discussion, short.needed))
                discussion = cut(discussion, needed=short.needed)
            except TimeUp as late:
                discussion = spent(discussion, late.usage)
                trouble = f"it took more than {discussion.limits.seconds:g} seconds; resume it to go on"
                return await self._put(row, discussion, trouble=trouble)
            row = await self._put(row, discussion)
        return row

    async def _put(self, row: JobRow, discussion: Discussion, *, trouble: str = "") -> JobRow:
        """Write down how far it has come."""
        state = JobState.FAILED if trouble else JobState.OPEN
        if not trouble and due(discussion) is None:
            state = JobState.REVIEW if waits(discussion) else JobState.DONE
        body = discussion.model_copy(update={"trouble": trouble}).model_dump_json()
        return await self._engine.run(lambda: self._jobs.put(row, state=state, body=body))

    async def _decide(self, memory: str, outcome: Outcome, because: str) -> Job:
        found = next((one for one in await self.candidates() if one.memory == memory), None)
        if found is None:
            msg = f"no candidate has the id {memory!r}; `omoide candidates` lists them"
            raise UnknownMemory(msg)
        row = await self._engine.read(lambda: self._jobs.get(found.job))
        discussion = _discussion(row)
        sheet = await self._engine.read(lambda: self._characters.find(found.character))
        if outcome is Outcome.CONFIRMED:
            await self._keeper.confirm(sheet.name, memory)
        elif await self._keeper.reject(sheet.name, memory, job=found.job):
            discussion = discussion.model_copy(update={"event": ""})
        account = discussion.account(found.character)
        decided = account.model_copy(update={"outcome": outcome, "decided_because": because})
        return _job(await self._put(row, discussion.with_account(decided)))


def _candidates(job: Job) -> list[Candidate]:
    return [
        Candidate(
            memory=account.versions[-1].memory or "",
            job=job.id,
            topic=job.discussion.topic,
            character=account.character,
            version=account.versions[-1],
            because=account.decided_because,
        )
        for account in job.discussion.accounts
        if account.outcome is Outcome.CANDIDATE
    ]


def _resumed(discussion: Discussion, tokens: int | None) -> Discussion:
    """A discussion as it goes on; a talk in which hardly anybody said anything is had anew."""
    limits = discussion.limits if tokens is None else discussion.limits.model_copy(update={"tokens": tokens})
    anew = {"spoken": (), "cut": ""} if discussion.trouble and _ended_mute(discussion) else {}
    return discussion.model_copy(update={"limits": limits, "trouble": "", **anew})


def _no_room(discussion: Discussion, needed: int) -> str:
    return (
        f"{discussion.spent.tokens} tokens are spent of {discussion.limits.tokens}, and the next call may "
        f"take {needed}; resume it with more tokens to go on"
    )


def _trouble(discussion: Discussion) -> str:
    """Why the talk leads to nothing."""
    if not _ended_mute(discussion):
        return ""
    why, how = (f"; {discussion.cut}", " with more tokens") if discussion.cut else ("", "")
    return f"fewer than two characters said anything that can be used{why}; resume it{how} to have it anew"


def _ended_mute(discussion: Discussion) -> bool:
    following = due(discussion)
    return following is not None and following.step is not Step.SPEAK and is_mute(discussion)


def _discussion(row: JobRow) -> Discussion:
    if row.kind != KIND:
        msg = f"the job {row.id!r} is no discussion, but {row.kind!r}"
        raise NotFound(msg)
    return Discussion.model_validate_json(row.body)


def _job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        state=row.state,
        discussion=_discussion(row),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )

"""The steps of a discussion: each takes it as far as it has come, and gives it back one step further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide import tracing
from omoide.domain.chat import Task, Usage
from omoide.errors import ModelRefused, UnreadableAnswer
from omoide.factory import prompt
from omoide.factory.answers import Criterion, Danger, Dangers, DiaryAnswer, Marks
from omoide.factory.check import dangerous, refused
from omoide.factory.keep import Talk, left_out
from omoide.factory.plan import WRITINGS, Step, left_of_talk
from omoide.factory.record import Account, Discussion, Outcome, Spoken, Version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.factory.ask import Asking
    from omoide.factory.cast import Player
    from omoide.factory.keep import Keeper
    from omoide.factory.plan import Due

_USELESS = (UnreadableAnswer, ModelRefused)
"""Answers of a model that is there and well, and still of no use: to ask again would change nothing."""

_AGAIN = "content: these are the words of another memory of this character; say what is new"


@dataclass(frozen=True, kw_only=True, slots=True)
class Steps:
    """Does the steps of one run.

    Attributes:
        asking: asks models.
        players: who takes part, by id.
        keeper: writes memories.
        thresholds: from which score on a danger is one.
    """

    asking: Asking
    players: Mapping[str, Player]
    keeper: Keeper
    thresholds: Mapping[Danger, float]

    async def do(self, discussion: Discussion, due: Due) -> Discussion:
        """One step further.

        Raises:
            ModelError: a model cannot be asked now.
            NoRoom: the step may take more tokens than are left.
            TimeUp: the time is up.
            StoreError: a memory cannot be written.
        """
        agent = {Step.JUDGE: "judge", Step.CHECK: "safety"}.get(due.step, due.character)
        values = {
            tracing.CONVERSATION: self.asking.job,
            tracing.AGENT: agent,
            tracing.STEP: due.step.value,
        }
        name = f"{tracing.INVOKE_AGENT} {agent}"
        with tracing.span(name, operation=tracing.INVOKE_AGENT, values=values) as traced:
            if due.step is Step.SPEAK:
                return await self._speak(discussion, due)
            account = discussion.account(due.character)
            player = self.players[due.character]
            if due.step is Step.WRITE:
                account, usage = await self._write(discussion, account, player)
            elif due.step is Step.JUDGE:
                account, usage = await self._judge(discussion, account, player, traced)
            elif due.step is Step.CHECK:
                account, usage = await self._check(discussion, account, player, traced)
            elif due.step is Step.KEEP:
                (discussion, account), usage = await self._keep(discussion, account, player), Usage()
            else:
                (discussion, account), usage = (
                    await self._decide(discussion, account, player, traced),
                    Usage(),
                )
        return spent(discussion.with_account(account), usage)

    async def _speak(self, discussion: Discussion, due: Due) -> Discussion:
        player = self.players[due.character]
        said = [spoken.text for spoken in discussion.spoken if spoken.text]
        memory = await player.remembers(self.asking.engine, "\n".join([discussion.topic, *said[-1:]]))
        turns = await self.asking.engine.run(
            lambda: prompt.speaking(
                discussion,
                player,
                due.movement,
                names=self._names,
                memory=memory,
                templates=self.asking.engine.templates,
            )
        )
        try:
            text, usage = await self.asking.words(
                Task.DISCUSSION, turns, player, left=left_of_talk(discussion)
            )
        except _USELESS:
            text, usage = "", Usage.of_prompt(turns)
        if text:  # whoever said something can be reset, whatever else comes of it
            engine = self.asking.engine
            await engine.run(lambda: engine.store.meet(None, player.sheet.name))
        spoken = Spoken(character=due.character, movement=due.movement, text=text)
        return spent(discussion.model_copy(update={"spoken": (*discussion.spoken, spoken)}), usage)

    async def _write(self, discussion: Discussion, account: Account, player: Player) -> tuple[Account, Usage]:
        memory = await player.remembers(self.asking.engine, discussion.topic)
        former = account.versions[-1] if account.versions else None
        turns = await self.asking.engine.run(
            lambda: prompt.writing(
                discussion,
                player,
                names=self._names,
                memory=memory,
                templates=self.asking.engine.templates,
                former=former,
            )
        )
        try:
            written, usage = await self.asking.answer(Task.DIARY, turns, DiaryAnswer, left=discussion.left)
            again = (_AGAIN,) if await self.keeper.repeats(player, written.text) else ()
            version = Version(diary=written, refused=(*again, *refused(written, player)))
        except _USELESS as error:
            version = Version(refused=(f"content: {_told(error, 'the model')}",))
            usage = Usage.of_prompt(turns)
        return account.model_copy(update={"versions": (*account.versions, version)}), usage

    async def _keep(
        self, discussion: Discussion, account: Account, player: Player
    ) -> tuple[Discussion, Account]:
        last = account.versions[-1]
        if last.diary is None:
            return discussion, account
        name = f"{self.asking.job}-{account.character}-{len(account.versions)}"
        lives = {one.sheet.name: one.sheet.profile for one in self.players.values()}
        talk = Talk(job=self.asking.job, topic=discussion.topic, lives=lives)
        kept = await self.keeper.candidate(player, last.diary, name=name, talk=talk)
        told = discussion.model_copy(update={"event": kept.event or discussion.event})
        return told, account.with_last(last.model_copy(update={"memory": kept.memory}))

    async def _judge(
        self, discussion: Discussion, account: Account, player: Player, traced: tracing.Traced
    ) -> tuple[Account, Usage]:
        last = account.versions[-1]
        written = last.diary
        if written is None:
            return account, Usage()
        # What was in the author's mind, and what its words bring: neither is an invention.
        memory = await player.recalls(self.asking.engine, discussion.topic, written.text)
        turns = await self.asking.engine.run(
            lambda: prompt.judging(
                discussion,
                player,
                written,
                names=self._names,
                memory=memory,
                templates=self.asking.engine.templates,
            )
        )
        try:
            marks, usage = await self.asking.answer(Task.JUDGING, turns, Marks, left=discussion.left)
        except _USELESS as error:
            why = _told(error, "the judge")
            return account.with_last(last.model_copy(update={"unjudged": why})), Usage.of_prompt(turns)
        for criterion in Criterion:
            mark = marks.by(criterion)
            label = "pass" if mark.score >= discussion.limits.bar else "fail"
            traced.judged(criterion.value, mark.score, label=label, why=mark.reason)
        return account.with_last(last.model_copy(update={"marks": marks})), usage

    async def _check(
        self, discussion: Discussion, account: Account, player: Player, traced: tracing.Traced
    ) -> tuple[Account, Usage]:
        last = account.versions[-1]
        written = last.diary
        if written is None:
            return account, Usage()
        engine = self.asking.engine
        turns = await engine.run(lambda: prompt.checking(player, written, templates=engine.templates))
        try:
            dangers, usage = await self.asking.answer(Task.SAFETY, turns, Dangers, left=discussion.left)
        except _USELESS as error:
            why = _told(error, "the safety check")
            return account.with_last(last.model_copy(update={"unchecked": why})), Usage.of_prompt(turns)
        for danger in Danger:
            score = dangers.of(danger)
            label = "fail" if score >= self.thresholds[danger] else "pass"
            traced.judged(danger.value, score, label=label, why=dangers.reason)
        return account.with_last(last.model_copy(update={"dangers": dangers})), usage

    async def _decide(
        self, discussion: Discussion, account: Account, player: Player, traced: tracing.Traced
    ) -> tuple[Discussion, Account]:
        last = account.versions[-1]
        reasons = self._against(discussion, last, player)
        told = (*reasons, *(() if last.diary is None else left_out(last.diary, player)))
        decided = account.with_last(last.model_copy(update={"reasons": told}))
        if reasons:
            if last.memory is not None and await self.keeper.reject(
                player.sheet.name, last.memory, job=self.asking.job
            ):
                discussion = discussion.model_copy(update={"event": ""})
            outcome = Outcome.REJECTED if len(account.versions) >= WRITINGS else None
        elif discussion.limits.review or last.unjudged or last.unchecked:
            outcome = Outcome.CANDIDATE
        else:
            if last.memory is not None:
                await self.keeper.confirm(player.sheet.name, last.memory)
            outcome = Outcome.CONFIRMED
        traced.tell({tracing.OUTCOME: "revise" if outcome is None else outcome.value})
        because = last.unjudged or last.unchecked
        return discussion, decided.model_copy(update={"outcome": outcome, "decided_because": because})

    def _against(self, discussion: Discussion, last: Version, player: Player) -> tuple[str, ...]:
        """All that speaks against a memory: the rules first, which no score outweighs."""
        marks, dangers = last.marks, last.dangers
        return (
            *(last.refused or ()),
            *(() if marks is None else marks.below(discussion.limits.bar)),
            *(() if dangers is None else dangerous(dangers, player, thresholds=self.thresholds)),
        )

    @property
    def _names(self) -> dict[str, str]:
        return {name: player.sheet.called for name, player in self.players.items()}


def _told(error: Exception, who: str) -> str:
    """What was wrong with an answer, without any words of it."""
    if isinstance(error, ModelRefused):
        return f"{who} declined"
    expected = error.expected if isinstance(error, UnreadableAnswer) else ""
    return f"the answer of {who} could not be read{f': {expected}' if expected else ''}"


def spent(discussion: Discussion, usage: Usage) -> Discussion:
    """The discussion after a call that has cost so much."""
    return discussion.model_copy(update={"spent": discussion.spent.and_(usage)})

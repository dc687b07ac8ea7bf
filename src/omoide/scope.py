"""One scope as its users see it: observe, sync, rewind, recall, and memories by hand."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from omoide.domain.instants import from_micros
from omoide.domain.kinds import check_kind
from omoide.domain.model import Origin, Status
from omoide.domain.text import language
from omoide.errors import SealError, StoreError, UnknownScope
from omoide.holding import Holding
from omoide.prompts.rules import standing
from omoide.recall.question import question
from omoide.recall.result import Recall
from omoide.retain.given import exchange_of
from omoide.retain.links import link_missing, similar_missing
from omoide.retain.noted import Noted
from omoide.retain.record import Recorded
from omoide.retain.talks import forget_talks
from omoide.retain.transfer import Export, dump
from omoide.stores.copies import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from datetime import datetime

    from omoide.domain.affect import Feeling
    from omoide.domain.diary import Diary, Life
    from omoide.domain.model import Message
    from omoide.domain.records import Person
    from omoide.recall.filters import Filter
    from omoide.recall.fuse import Fusion
    from omoide.recall.question import Question
    from omoide.retain.fade import Faded
    from omoide.stores.copies import Verified
    from omoide.stores.scopes import ScopeRow

_SESSION = "a session's name"
_MESSAGE_ID = "a message's id"

T = TypeVar("T")
_log = logging.getLogger("omoide")


class Scope(Holding):
    """The memory that one character has of one user, or of its own life. Nothing crosses it."""

    async def observe(
        self,
        user: str | None = None,
        reply: str | None = None,
        *,
        session: str | None = None,
        at: datetime | None = None,
        messages: Sequence[Message] = (),
        feeling: Feeling | None = None,
        off_record: bool = False,
    ) -> Recorded:
        """Hand over an exchange, after the reply. It is settled at once, and can be recalled at once.

        Args:
            user: what the user said.
            reply: what the character answered; None if it has not.
            session: the session's name; one that is not known yet is begun.
            at: when it was said, aware; None means now.
            messages: in place of user and reply, any messages with their speakers, for groups.
            feeling: what the user felt, where somebody knows.
            off_record: keep nothing of it.

        Raises:
            InvalidInput: neither words nor messages, or both; a value of a wrong type; an id of other words.
            StoreError: it could not be written; nothing was.
        """
        check_kind(session, str, name=_SESSION)
        said = exchange_of(user, reply, at=at, messages=messages, feeling=feeling)
        if off_record:
            return Recorded(session=session or "")
        recorder = self._engine.recorder
        return await self._written(lambda row: recorder.observe(row, said, session=session))

    async def sync(
        self, messages: Sequence[Message], *, session: str | None = None, live: bool = True
    ) -> Recorded:
        """Hand over the conversation as the client now shows it, edits, swipes and deletions included.

        Args:
            messages: all that the client shows, in order; a missing beginning is taken as cut off.
            session: the client's own name for it; without one, only the newest exchange may be replaced.
            live: the newest exchange may still be swiped; False for a file.
        """
        check_kind(session, str, name=_SESSION)
        recorder = self._engine.recorder
        return await self._written(lambda row: recorder.sync(row, messages, session=session, live=live))

    async def rewind(self, to: str, *, session: str | None = None) -> Recorded:
        """Take back everything after a message, and what was remembered of it."""
        check_kind(to, str, name=_MESSAGE_ID, needed=True)
        check_kind(session, str, name=_SESSION)
        return await self._changed(lambda row: self._engine.recorder.rewind(row, to=to, session=session))

    async def delete(self, message: str) -> Recorded:
        """Take one message back, and what was remembered of it."""
        check_kind(message, str, name=_MESSAGE_ID, needed=True)
        return await self._changed(lambda row: self._engine.recorder.delete(row, message))

    async def recall(
        self,
        message: str,
        *,
        session: str | None = None,
        filter: Filter | None = None,
        limit: int | None = None,
        budget: int | None = None,
        as_of: datetime | None = None,
        fusion: Fusion | str | None = None,
        rehearse: bool | None = None,
        brief: bool | None = None,
        feeling: Feeling | None = None,
        within: float | None = None,
    ) -> Recall:
        """What comes to mind at a message. It never fails for trouble of memory's own: see `Recall.degraded`.

        Args:
            message: what the user just said.
            session: where; what its newest messages hold is not recalled, for the prompt shows them.
            filter: narrows what may come.
            limit: memories at most, 1 to 50; the setting `memories` where it is left out.
            budget: tokens of the block at most, 50 or more.
            as_of: answer as of this past moment.
            fusion: ``standard`` or ``published``.
            rehearse: whether what is recalled lasts longer for it, which `as_of` never does; by default in a
                session, and not otherwise.
            brief: the short form of the block.
            feeling: what the character feels now, for the setting `mood`; by default what its last reply in
                the session showed.
            within: seconds that you wait at most. An embedder that is too slow for it is left out, and the
                recall goes by words; the limit itself is yours to keep.

        Raises:
            InvalidInput: a number or time out of range, or a value of a wrong type.
        """
        check_kind(message, str, name="what is recalled for", needed=True)
        check_kind(session, str, name=_SESSION)
        asked = question(
            self._engine.settings,
            message,
            session=session,
            narrowed=filter,
            limit=limit,
            budget=budget,
            as_of=as_of,
            fusion=fusion,
            brief=brief,
            feeling=feeling,
        )
        rehearse = (session is not None if rehearse is None else rehearse) and as_of is None

        def recalled() -> Coroutine[Any, Any, Recall | None]:
            return self._recalled(asked, rehearse=rehearse, within=within)

        try:
            # Given up after a while, whatever holds it up: the chat goes on (F16).
            return await self._engine.patience.spent_on(recalled) or self._nothing(message)
        except UnknownScope:
            return self._nothing(message)
        except TimeoutError:
            return self._nothing(message, "the store gives no answer")
        except (StoreError, SealError) as error:
            return self._nothing(message, str(error))
        except Exception as error:  # noqa: BLE001 - the chat goes on, whatever is wrong with memory (F16)
            _log.error("recall failed: %s", type(error).__name__)  # its words may be a user's
            return self._nothing(message, f"recall failed: {type(error).__name__}")

    async def remember(self, text: str, **details: Any) -> str:
        """Write a memory by hand; `details` are those of `Noted`. Returns its id."""
        return (await self.remember_all([Noted(text=text, **details)]))[0]

    async def remember_all(self, notes: Sequence[Noted]) -> list[str]:
        """Write memories by hand, all or none; returns the ids of those that were not there already.

        Raises:
            InvalidInput: one cannot be, see `Noted` and `Noted.check`.
        """
        now = from_micros(self._engine.store.now())
        for note in notes:
            note.check(self.character, now=now)
        return await self._noted(notes)

    async def write(
        self,
        diaries: Sequence[Diary],
        *,
        profile: Life | None = None,
        origin: Origin = Origin.AUTHORED,
        status: Status = Status.CONFIRMED,
    ) -> list[str]:
        """Write memories of a character's own past, all or none; one whose id is known already is changed.

        Args:
            diaries: what it remembers.
            profile: the character's, whose birthday gives ages and absolute days.
            origin: where they come from.
            status: candidates are not recalled before they are confirmed.

        Returns:
            The ids of the memories, in the order of the diaries.

        Raises:
            InvalidInput: the scope is a user's, or the past contradicts the rules or itself (K2 to K6).
        """
        author = self._engine.author
        return await self._written(
            lambda row: author.write(row, diaries, life=profile, origin=origin, status=status)
        )

    async def correct(self, memory: str, text: str) -> str:
        """Let a memory say something else from now on; returns the new one's id."""
        row = await self._known()
        made = await self._engine.run(lambda: self._engine.curator.correct(row, memory, text))
        self._engine.vectorise_soon(row)
        return made

    async def pin(self, memory: str) -> None:
        """Let a memory never fade."""
        await self._changed(lambda row: self._engine.curator.pin(row, memory))

    async def unpin(self, memory: str) -> None:
        """Let a memory fade again."""
        await self._changed(lambda row: self._engine.curator.pin(row, memory, pinned=False))

    async def forget(self, *memories: str) -> int:
        """Forget memories everywhere at once; they can be restored for 30 days."""
        return await self._changed(lambda row: self._engine.curator.forget(row, memories))

    async def restore(self, memory: str) -> None:
        """Bring a forgotten or faded memory back."""
        row = await self._known()
        await self._engine.run(lambda: self._engine.curator.restore(row, memory))
        self._engine.vectorise_soon(row)

    async def purge(self, *, now: bool = False) -> int:
        """Destroy what was forgotten more than 30 days ago, or everything that was forgotten."""
        row = await self._known()
        gone = await self._engine.run(lambda: self._engine.curator.purge(row, now=now))
        if gone:
            await self._engine.run(self._engine.store.database.scrub)
        return gone

    async def prune(self) -> Faded:
        """A cycle of forgetting by the calendar: what hardly holds any more fades, to be restored at will."""
        return await self._changed(self._engine.fader.cycle)

    async def reset(self) -> tuple[int, int]:
        """Delete all that this character has of this user, and nothing else (P15).

        Of a character alone it is its own past, with the records of discussions that it took part in; what
        others remember of those is theirs.

        Returns:
            How many memories and how many messages are gone.
        """
        row = await self._known()
        gone = await self._engine.run(lambda: self._reset(row))
        await self._engine.run(self._engine.store.database.scrub)
        return gone

    async def rename_person(self, person: str, name: str) -> Person:
        """Call a person so from now on, also in what is remembered; `person` is their id or present name.

        Raises:
            UnknownPerson: nobody of that id or name is known; the message lists near ones.
            InvalidInput: a blank name, or one that several people have.
        """
        return await self._changed(lambda row: self._engine.acquaintances.rename(row, person, name))

    async def merge_people(self, keep: str, other: str) -> Person:
        """Let two be one person, who keeps the first one's id and name. It cannot be undone.

        Each is named by id or present name. What they said, and what is remembered of it, stays as it was.

        Raises:
            UnknownPerson: one is not known; the message lists near ones.
            InvalidInput: they are one already, or a user and a character.
        """
        return await self._changed(lambda row: self._engine.acquaintances.merge(row, keep, other))

    async def export(self, *, described: bool = True) -> list[str]:
        """Everything of the scope as lines of JSON, which `restore_export` reads again (K12).

        Args:
            described: whether shared events come with their descriptions, which are for authors.
        """
        return await self._on_known(lambda row: list(dump(self._engine.store, row, described=described)))

    async def restore_export(self, export: Export) -> Recorded:
        """Write what an export holds; what is here already is left as it is.

        Returns:
            What came, over all sessions.
        """
        brought = partial(self._engine.recorder.sync, live=False, silence=export.silence)
        results = [
            await self._written(partial(brought, shown=messages, session=session))
            for session, messages in export.sessions.items()
        ]
        await self._engine.run(lambda: self._engine.author.shared.restore(export.events))
        notes = await self._noted(export.notes) if export.notes else []
        if results or notes:
            row = await self._known()
            await self._engine.run(lambda: self._engine.curator.mark(row, export))
        return Recorded(
            session="",
            added=sum(result.added for result in results),
            made=sum(result.made for result in results) + len(notes),
        )

    async def analyse(self, *, limit: int = 1_000_000_000) -> int:
        """Write terms that are missing, as after another analyser, up to a limit; returns how many."""
        row = await self._known()
        return await self._engine.run(lambda: self._engine.episodes.index_missing(row, limit=limit))

    async def vectorise(self, *, limit: int = 1_000_000_000) -> int:
        """Make vectors that are missing now, up to a limit; returns how many."""
        row = await self._known()
        return await self._engine.vectorise(row, limit=limit)

    async def tie(self) -> int:
        """Tie memories that nothing ties to others, as those of before there were links; returns how many.

        Those that say something similar are tied by the vectors that are there: make missing ones first.
        """
        row, engine = await self._known(), self._engine
        tied = await engine.run(lambda: self._tied(row))
        if engine.embedder is None:
            return tied
        thresholds = engine.embedder.thresholds
        return tied + await engine.run(lambda: similar_missing(engine.store, row, thresholds=thresholds))

    async def verify(self) -> Verified:
        """Compare the copies of vectors that an index holds with the store, and repair them.

        Raises:
            IndexUnavailable: the index cannot answer now.
        """
        row = await self._known()
        return await self._engine.run(lambda: verify(self._engine.store, row))

    async def _noted(self, notes: Sequence[Noted]) -> list[str]:
        return await self._written(lambda row: self._engine.curator.remember(row, notes))

    async def _recalled(self, question: Question, *, rehearse: bool, within: float | None) -> Recall | None:
        recall = partial(self._engine.recall, question=question, rehearse=rehearse, within=within)
        opened = self._engine.store.scopes.opened(self.user, self.character)
        if opened is not None:
            try:
                return await recall(opened)
            except UnknownScope:  # erased by another process, which may have begun it anew
                self._engine.store.drop_cache(opened)
        row = await self._row()
        if row is None and self.user is not None:  # they have never met, but the character may have a past
            row = await self._engine.recollection.past(self.character)
        return None if row is None else await recall(row)

    @staticmethod
    def _nothing(message: str, *degraded: str) -> Recall:
        return Recall(
            query="", reason="plain", standing=standing(language(message)), block="", degraded=degraded
        )

    def _tied(self, row: ScopeRow) -> int:
        with self._engine.store.write(row) as unit:
            return link_missing(unit)

    def _reset(self, row: ScopeRow) -> tuple[int, int]:
        with self._engine.store.write(row) as unit:
            if row.user is None:
                forget_talks(self._engine.store, unit)
            return unit.removal.reset()

    async def _changed(self, change: Callable[[ScopeRow], T]) -> T:
        """Change something in the scope, which has to be there."""
        row = await self._known()
        return await self._engine.run(lambda: change(row))

    async def _written(self, write: Callable[[ScopeRow], T]) -> T:
        """Write to the scope, which is made if need be; vectors and extraction follow."""

        def meet_and_write() -> tuple[ScopeRow, T]:
            row = self._engine.store.meet(self.user, self.character)
            return row, write(row)

        row, written = await self._engine.run(meet_and_write)
        self._engine.vectorise_soon(row)
        self._engine.worker.notice(row)
        return written

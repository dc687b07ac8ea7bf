"""`omoide chat`: talk with a character on a terminal, and see what it remembers while it does."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from omoide.cli import show
from omoide.cli.options import Character, New, Store, User, Where
from omoide.cli.running import INTERRUPTED, WRONG, settings_of, tell, with_store
from omoide.cli.whose import refuse_slips
from omoide.errors import InvalidInput, ModelUnavailable, OmoideError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence

    from omoide.bootstrap import Omoide
    from omoide.characters import Sheet
    from omoide.chat import Chat
    from omoide.config import Settings
    from omoide.recall.result import Recall, Recalled
    from omoide.scope import Scope

T = TypeVar("T")

_HELP = """\
/why        what came to mind at your last message, and why
/memories   the newest memories of you
/forget N   forget the memory with that number in the last list
/quit       end the conversation

Ctrl-C stops a reply that is under way, and at the prompt ends the conversation."""

_LISTED = 20
"""Memories that /memories shows."""

_PATIENCE = 3.0
"""Seconds after which a terminal is told what is waited for."""

app = typer.Typer()


@app.command(rich_help_panel="Talk")
def chat(
    *,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="NAME", help="Go on with this session; else a new one begins."),
    ] = None,
    user: User = None,
    character: Character = None,
    new: New = False,
    store: Store = None,
) -> None:
    """Talk with a character. `omoide characters` lists who is there; /help shows what else can be typed."""
    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    sheet = _sheet(where, settings)

    async def work(omoide: Omoide) -> int:
        talk = await _begun(omoide, where, sheet, session, new=new)
        interrupted = await _go_on(talk)
        _soon("one moment: what was said is still being read")
        return INTERRUPTED if interrupted else WRONG if talk.failed else 0

    if status := with_store(where, work, make=True, works=True, settings=settings):
        raise typer.Exit(status)


class _Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


class _Interrupts:
    """Lets Ctrl-C stop what is under way, and not the program, whose memory is to be closed in order."""

    def __init__(self) -> None:
        self._doing: asyncio.Task[Any] | None = None

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Catch it from here on, where the system lets a loop do so; elsewhere it ends the program."""
        loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
        try:
            loop.add_signal_handler(signal.SIGINT, self._stop)
        except (
            NotImplementedError,
            ValueError,
            RuntimeError,
        ):  # Windows, or a thread that is not the main one
            yield
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)

    async def over(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something that may be interrupted.

        Raises:
            _Interrupted: it was.
        """
        doing: asyncio.Task[T] = asyncio.create_task(work)
        self._doing = doing
        await asyncio.wait({doing})
        self._doing = None
        if doing.cancelled():
            raise _Interrupted
        return doing.result()

    def _stop(self) -> None:
        if self._doing is not None:
            self._doing.cancel()


@dataclass(slots=True)
class _Talk:
    """One conversation on the terminal: who with whom, and what was shown last."""

    chat: Chat
    scope: Scope
    sheet: Sheet
    user: str
    session: str
    recall: Recall | None = None
    listed: list[str] = field(default_factory=list)
    failed: bool = False


def _sheet(where: Where, settings: Settings) -> Sheet:
    """The character that is meant, once the user is named too."""
    from omoide.characters import Characters

    characters = Characters.of(settings)
    if not where.user:
        msg = "who are you? give --user, or set OMOIDE_USER"
        raise InvalidInput(msg)
    if where.character is None:
        known = ", ".join(sheet.id for sheet in characters.all())
        msg = f"who do you want to talk with? give --character; there are {known}"
        raise InvalidInput(msg)
    return characters.find(where.character)


async def _begun(omoide: Omoide, where: Where, sheet: Sheet, session: str | None, *, new: bool) -> _Talk:
    from omoide.characters import Characters
    from omoide.chat import NO_MODEL, Chat
    from omoide.domain.chat import Task

    if await omoide.models.model(Task.CHAT) is None:
        raise ModelUnavailable(NO_MODEL)
    user = where.user or ""
    scope = omoide.scope(user=user, character=sheet.name)
    if not new:
        await refuse_slips(omoide, [scope])
    talk = _Talk(
        chat=Chat(omoide, Characters.of(omoide.settings)),
        scope=scope,
        sheet=sheet,
        user=user,
        session=session or f"chat {datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
    )
    if show.on_terminal():
        show.say("/help shows what can be typed, /quit ends, Ctrl-C stops a reply", style="dim")
    if session is None and sheet.greeting(user):
        show.say(f"{sheet.called}: {sheet.greeting(user)}", style="magenta")
    return talk


async def _go_on(talk: _Talk) -> bool:
    """One line after the other, until there are no more; whether Ctrl-C at the prompt ended it."""
    interrupts = _Interrupts()
    with interrupts.caught():
        while True:
            try:
                line = await interrupts.over(_line())
            except _Interrupted:
                show.piece("\n")
                return True
            if line is None and show.on_terminal():
                show.piece("\n")
            if line is None or line.strip() == "/quit":
                return False
            try:
                await interrupts.over(_do(talk, line.strip()))
            except _Interrupted:
                show.say("\n  stopped", style="dim")
            except OmoideError as error:
                tell(str(error))
                talk.failed = True


async def _do(talk: _Talk, said: str) -> None:
    if said.startswith("/"):
        await _command(talk, *said[1:].split(maxsplit=1))
    elif said:
        await _say(talk, said)


def _soon(line: str) -> asyncio.TimerHandle:
    """Tell a terminal something in a while, unless that is cancelled."""

    def told() -> None:
        if show.on_terminal():
            show.say(f"  {line}", style="dim")

    return asyncio.get_running_loop().call_later(_PATIENCE, told)


async def _say(talk: _Talk, message: str) -> None:
    from omoide.chat import Failed, Token

    turn = talk.chat.turn(user=talk.user, character=talk.sheet.id, session=talk.session, message=message)
    begun = False
    async with aclosing(turn) as events, _waiting() as heard:
        async for event in events:
            heard()
            if isinstance(event, Token):
                show.piece(event.text if begun else f"{talk.sheet.called}: {event.text}")
                begun = True
                continue
            show.piece("\n" if begun else "")
            talk.recall = event.recall
            if isinstance(event, Failed):
                tell(event.message)
                talk.failed = True
            elif show.on_terminal():
                show.say(
                    f"  {event.emotion} · {show.counted(event.memories_used, 'memory')}",
                    style="dim",
                )


@asynccontextmanager
async def _waiting() -> AsyncIterator[Callable[[], None]]:
    """Tell what is waited for; call what it gives when that is there."""
    late = _soon("waiting for the model; Ctrl-C stops")
    try:
        yield late.cancel
    finally:
        late.cancel()


async def _command(talk: _Talk, name: str = "", rest: str = "") -> None:
    await talk.chat.settled()
    if name == "why":
        _why(talk)
    elif name == "memories":
        found = await talk.scope.memories(limit=_LISTED)
        _list(talk, [(memory.id, f"{show.happened(memory)}  {memory.text}") for memory in found])
    elif name == "forget":
        await _forget(talk, rest)
    elif name == "help":
        show.say(_HELP)
    else:
        tell(f"there is no command {'/' + name!r}; /help lists them")


def _why(talk: _Talk) -> None:
    recall = talk.recall
    if recall is None:
        show.say("Nothing was said yet.")
        return
    show.say(f"searched for: {recall.query or 'nothing'} ({recall.reason})", style="dim")
    for trouble in recall.degraded:
        tell(trouble)
    _list(talk, [(found.memory.id, _reason(found)) for found in recall.memories])


def _reason(found: Recalled) -> str:
    left_out = "" if found.in_block else " · no room in the block"
    return f"{show.happened(found.memory)}  {found.memory.text}\n{show.why_line(found.why)}{left_out}"


def _list(talk: _Talk, lines: Sequence[tuple[str, str]]) -> None:
    """Show memories under numbers that /forget takes."""
    talk.listed = [memory for memory, _ in lines]
    for number, (_, line) in enumerate(lines, 1):
        show.say(f"{number:>3}  {line}".replace("\n", "\n     "))
    if not lines:
        show.say("Nothing comes to mind.")


async def _forget(talk: _Talk, number: str) -> None:
    place = int(number) if number.isascii() and number.isdigit() else 0
    if not 1 <= place <= len(talk.listed):
        tell("forget which? /memories or /why numbers them, then /forget N")
        return
    await talk.scope.forget(talk.listed[place - 1])
    show.say("Forgotten.")


async def _line() -> str | None:
    """The next line that somebody types; None at the end.

    A thread waits for it, so that what is under way goes on meanwhile; Ctrl-C leaves it behind.
    """
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str | None] = loop.create_future()

    def came(line: str | None) -> None:
        if not typed.done():
            typed.set_result(line)

    def read() -> None:
        line = _read()
        with suppress(RuntimeError):  # everything is over already
            loop.call_soon_threadsafe(came, line)

    threading.Thread(target=read, daemon=True).start()
    return await typed


def _read() -> str | None:
    try:
        if show.on_terminal() and sys.stdin.isatty():
            return input("> ")
        return sys.stdin.readline() or None
    except (EOFError, UnicodeDecodeError, OSError):
        return None

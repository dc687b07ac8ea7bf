"""Erasing a user for good, and finishing erasures that something stopped (F10)."""

from __future__ import annotations

import logging
import shlex
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from omoide.errors import ErasureUnfinished, OmoideError, StoreError, UnknownScope
from omoide.stores.copies import catch_up
from omoide.stores.erasure import Erased, Erasure

if TYPE_CHECKING:
    from omoide.engine import Engine
    from omoide.stores.scopes import ShutScope

_log = logging.getLogger("omoide")


async def erase(engine: Engine, user: str | None) -> Erased:
    """Erase a user, or without a name whatever erasures have left: each step is done again where it may be.

    Raises:
        UnknownScope: nobody of that name was ever seen.
        ErasureUnfinished: they are shut, and rows are left.
        StoreError, SealError: nothing was done.
    """
    erasure = Erasure(engine.store)
    try:
        shut = await engine.run(lambda: erasure.shut(user))
    except StoreError as error:
        told = str(error)
        raise type(error)(told if "nothing was" in told else f"{told}. Nothing was erased") from error
    if user is not None and not shut:
        msg = f"no user is called {user!r}; nothing was erased"
        raise UnknownScope(msg)
    for one in shut:
        engine.meaning.vectoriser.forget(one.row)
    destroyed, memories, messages = await _finished(engine, erasure, shut, user=user)
    waits = await engine.run(lambda: erasure.copies_wait(shut))
    if waits:
        with suppress(OmoideError):  # a later call goes on
            await engine.run(lambda: catch_up(engine.store))
        waits = await engine.run(lambda: erasure.copies_wait(shut))
    scrubbed = await engine.run(engine.store.database.scrub)
    _log.info("erased a user: %d scopes, %d memories", len(shut), memories)
    return Erased(
        scopes=len(shut),
        memories=memories,
        messages=messages,
        key_destroyed=destroyed,
        scrubbed=scrubbed,
        copies_wait=waits,
    )


async def _finished(
    engine: Engine, erasure: Erasure, shut: list[ShutScope], *, user: str | None
) -> tuple[bool, int, int]:
    """Destroy keys and delete rows: whether there was a key, how many memories, how many messages."""
    keys = memories = messages = 0
    shown = "nothing of it is shown any more, but the key may still be there"
    try:
        for tag in dict.fromkeys(one.user_tag for one in shut):
            keys += await engine.run(partial(erasure.destroy_key, tag))
        shown = "the key is destroyed, so nothing of it can be read any more, but rows are left"
        for one in shut:
            gone = await engine.run(partial(erasure.delete, one))
            memories, messages = memories + gone[0], messages + gone[1]
    except OmoideError as error:
        whose = "what erasures have left" if user is None else repr(user)
        again = "omoide erase --unfinished" if user is None else f"omoide erase {shlex.quote(user)}"
        reason = str(error).partition("; nothing was changed")[0]
        msg = f"{whose} is not erased yet: {shown}. Say `{again}` again; what stopped it: {reason}"
        raise ErasureUnfinished(msg) from error
    return keys > 0, memories, messages

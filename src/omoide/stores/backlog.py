"""What a model still has to read, over all scopes of tenants: numbers only, for who watches the process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, func, select

from omoide.domain.model import MessageState, Role
from omoide.stores.fixed import Fixed
from omoide.stores.tables import messages, scopes, window_messages, windows
from omoide.stores.windows import WindowState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.database import Database

_READ: Final = (WindowState.DONE.value, WindowState.SKIPPED.value)

_TENANT: Final[BindParameter[str]] = bindparam("tenant")
_WINDOWS = Fixed(
    select(func.count(), func.count(windows.c.failure)).where(
        windows.c.tenant == _TENANT, windows.c.state.not_in(_READ)
    )
)
_BEHIND = Fixed(
    select(func.count()).where(scopes.c.tenant == _TENANT, scopes.c.revision > scopes.c.extracted)
)
_OLDEST = Fixed(
    select(func.min(messages.c.recorded_at))
    .join(scopes, scopes.c.id == messages.c.scope_id)
    .where(
        scopes.c.tenant == _TENANT,
        scopes.c.revision > scopes.c.extracted,
        messages.c.role.in_([Role.USER.value, Role.CHARACTER.value]),
        messages.c.state == MessageState.SETTLED.value,
        messages.c.text_sealed.is_not(None),
        ~select(window_messages.c.window_id)
        .join(windows, windows.c.id == window_messages.c.window_id)
        .where(window_messages.c.message_id == messages.c.id, windows.c.state.in_(_READ))
        .exists(),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Backlog:
    """What waits.

    Attributes:
        windows: windows that were begun, and wait for another try or are being read.
        failed: those of them that have failed at least once.
        scopes: scopes in which something changed since everything of them was read.
        oldest: when the oldest unread message was recorded, in microseconds since 1970; None if all is read.
    """

    windows: int
    failed: int
    scopes: int
    oldest: int | None

    def __add__(self, other: Backlog) -> Backlog:
        return Backlog(
            windows=self.windows + other.windows,
            failed=self.failed + other.failed,
            scopes=self.scopes + other.scopes,
            oldest=min((one for one in (self.oldest, other.oldest) if one is not None), default=None),
        )


def backlog(connection: Connection, *, tenant: str) -> Backlog:
    """What waits at this moment."""
    whose = {"tenant": tenant}
    waiting, failed = _WINDOWS.run(connection, whose)[0]
    oldest = _OLDEST.run(connection, whose)[0][0]
    return Backlog(
        windows=int(waiting),
        failed=int(failed),
        scopes=int(_BEHIND.run(connection, whose)[0][0]),
        oldest=None if oldest is None else int(oldest),
    )


def whole_backlog(database: Database, tenants: Iterable[str]) -> Backlog:
    """What waits for any of some tenants, each of which is asked about as itself."""
    found = Backlog(windows=0, failed=0, scopes=0, oldest=None)
    for tenant in tenants:
        with database.of(tenant).read() as connection:
            found += backlog(connection, tenant=tenant)
    return found

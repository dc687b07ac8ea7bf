"""Instants as whole microseconds since 1970, and the zones that they were reckoned in."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from omoide.domain.kinds import check_kind
from omoide.errors import InvalidInput

NO_TIME = -(2**63)
"""In place of a time that is unknown or never comes: below every time there is, also those before 1970."""

SAME_TIME = 600_000_000
"""Microseconds that the dates of one message may differ in two sources: ten minutes."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_YEARS = range(2, 9999)
"""Years whose days exist in every zone."""

_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


def check_time(at: datetime | None, *, name: str) -> None:
    """Raise `InvalidInput` for what is no time, has no zone, or no date in some zone; None passes."""
    check_kind(at, datetime, name=name)
    if at is not None and at.tzinfo is None:
        msg = f"{name} needs a zone, got {at!r}; add one, such as tzinfo=UTC"
        raise InvalidInput(msg)
    if at is not None and at.year not in _YEARS:
        msg = f"{name} lies in the years {_YEARS[0]} to {_YEARS[-1]}, got {at!r}"
        raise InvalidInput(msg)


def to_micros(at: datetime) -> int:
    """Microseconds since 1970 of an aware time; exact."""
    return (at - _EPOCH) // _MICROSECOND


@lru_cache(maxsize=4_096)
def from_micros(micros: int, zone: str | None = None) -> datetime:
    """The aware time in its zone, or in UTC where the zone is unknown."""
    at = _EPOCH + timedelta(0, 0, micros)
    return at.astimezone(zone_of(zone)) if zone else at


def zone_name(at: datetime) -> str:
    """The time's zone: its IANA name where it has one, its offset such as ``+09:00`` otherwise."""
    if isinstance(at.tzinfo, timezone):
        return _offset_name(at.tzinfo.utcoffset(None))
    key = getattr(at.tzinfo, "key", None)
    return key if isinstance(key, str) else _offset_name(at.utcoffset() or timedelta())


@lru_cache(maxsize=1_024)
def _offset_name(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


@lru_cache(maxsize=1_024)
def zone_of(name: str) -> tzinfo:
    """The zone of a name that `zone_name` gave, or of any IANA name.

    Raises:
        InvalidInput: no zone is called so.
    """
    offset = _OFFSET.fullmatch(name)
    if offset:
        sign, hours, minutes = offset.groups()
        span = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-span if sign == "-" else span)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        msg = f"no time zone is called {name!r}; give one such as 'Asia/Seoul' or '+09:00'"
        raise InvalidInput(msg) from error

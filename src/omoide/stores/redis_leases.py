"""Leases in Redis or Valkey, by the lock that redis-py itself brings (P3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.errors import InvalidInput, LeasesUnavailable, MissingExtra
from omoide.stores.leases import LIFE

if TYPE_CHECKING:
    from redis import Redis
    from redis.lock import Lock

    from omoide.stores.scopes import ScopeRow

_WAIT = 5.0
"""Seconds that a call to the server may take."""

_SIGN = 2.0
"""Seconds that it may take where somebody only asks how the server is."""


class RedisLeases:
    """Leases on a server: compare-and-delete and compare-and-prolong happen there, atomically.

    Args:
        url: such as ``redis://127.0.0.1:6379/0``.
        life: seconds that a lease lives unless it is renewed.

    Raises:
        MissingExtra: redis-py is not installed.
        InvalidInput: the URL is none of a Redis server.
    """

    def __init__(self, url: str, *, life: float = LIFE) -> None:
        try:
            from redis import Redis
        except ImportError as error:
            msg = "leases on a Redis server need an extra: pip install 'omoide[redis]'"
            raise MissingExtra(msg) from error
        try:
            self._client: Redis = Redis.from_url(url, socket_timeout=_WAIT, socket_connect_timeout=_WAIT)
        except ValueError:  # which may repeat a part of the password
            msg = "lease_url is no address of a Redis server; write it as 'redis://:password@host:6379/0'"
            raise InvalidInput(msg) from None
        self._url = url
        self._life = life

    def check(self) -> None:
        """See that leases can be had: by writing, for a replica that answers takes none.

        Raises:
            LeasesUnavailable: the server cannot be reached, or takes nothing.
        """
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError
        from redis.retry import Retry

        once = Retry(NoBackoff(), 0)
        with Redis.from_url(
            self._url, socket_timeout=_SIGN, socket_connect_timeout=_SIGN, retry=once
        ) as client:
            try:
                client.set("omoide:lease:check", b"", px=1_000)
            except RedisError as error:
                raise _out_of_reach(error) from error

    def take(self, scope: ScopeRow, token: str) -> bool:
        """Take the lease of a scope; False while somebody else holds it.

        Raises:
            LeasesUnavailable: the server cannot be reached.
        """
        from redis.exceptions import RedisError

        lock = self._lock(scope, token)
        try:
            return bool(lock.acquire(blocking=False, token=token))
        except RedisError as error:
            raise _out_of_reach(error) from error

    def renew(self, scope: ScopeRow, token: str) -> bool:
        """Prolong a lease; False if it is not held any more."""
        from redis.exceptions import LockError, RedisError

        try:
            return bool(self._lock(scope, token).reacquire())
        except LockError:
            return False
        except RedisError as error:
            raise _out_of_reach(error) from error

    def give_back(self, scope: ScopeRow, token: str) -> None:
        """Give a lease back, if it is still held."""
        from redis.exceptions import LockError, RedisError

        try:
            self._lock(scope, token).release()
        except LockError:
            return  # it had expired, and may be somebody else's by now
        except RedisError as error:
            raise _out_of_reach(error) from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _lock(self, scope: ScopeRow, token: str) -> Lock:
        lock: Lock = self._client.lock(
            f"omoide:lease:{scope.uid.hex()}", timeout=self._life, thread_local=False
        )
        lock.local.token = token.encode()
        return lock


def _out_of_reach(error: Exception) -> LeasesUnavailable:
    return LeasesUnavailable(
        f"the lease server cannot be asked ({type(error).__name__}), and nothing is extracted meanwhile; "
        "see that it runs and takes writes, and the setting lease_url"
    )

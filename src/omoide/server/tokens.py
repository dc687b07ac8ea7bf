"""Short-lived signed tokens, each for one user and character: what a browser or a game client may hold.

A token is a JSON Web Token, signed with HMAC-SHA256 under a key of its tenant's own out of the store's
keyring. Its header names the tenant, so that the key is found; its claims name tenant and store again, and
are believed only once the signature fits. Nothing is kept of a token: it ends by itself, or all of a tenant's
end at once when their key is made anew.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import jwt
from jwt.utils import base64url_decode, base64url_encode

from omoide.config import check_tenant
from omoide.domain.instants import from_micros
from omoide.domain.owners import owner_name
from omoide.domain.text import composed
from omoide.errors import InvalidInput, KeyMissing, TokenRefused
from omoide.server.access import Access
from omoide.stores.sealing import derive

if TYPE_CHECKING:
    from jwt.types import Options

    from omoide.stores.store import Store

MINUTES: Final = 15
"""How long a token holds where nothing is said."""

LONGEST: Final = 24 * 60
"""Minutes that a token holds at most."""

_ALGORITHM: Final = "HS256"
_KIND: Final = "omoide+jwt"
_ISSUER: Final = "omoide"
_OWNER: Final = "tokens"
"""The owner of a tenant's signing key in the keyring."""

_SKEW: Final = 60
"""Seconds by which the clocks of two replicas may differ."""

_CLAIMS: Final = ("iss", "aud", "sub", "chr", "tnt", "iat", "nbf", "exp", "jti")
_CHECKS: Final[Options] = {
    "require": list(_CLAIMS),
    "verify_exp": False,  # times are compared here, by the store's clock
    "verify_nbf": False,
    "verify_iat": False,
}
_ANEW: Final = "get a new one where this one came from (POST /api/tokens, or `omoide api-key token`)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A token, and when it ends."""

    text: str
    expires: datetime


class Tokens:
    """Issues the tokens of one tenant, and tells how far one reaches. All methods block.

    Args:
        store: the tenant's; its clock counts, and its keyring holds the key.
    """

    def __init__(self, store: Store) -> None:
        check_tenant(store.tenant)
        self._store = store

    def issue(self, *, user: str, character: str, minutes: float = MINUTES) -> Token:
        """Sign a token for a user and a character.

        Args:
            user: the one user that it reaches, who need not be known yet.
            character: the one character, by the name under which it remembers.
            minutes: how long it holds, from 1 to `LONGEST`.

        Raises:
            InvalidInput: nobody can be called so, or too short or too long a time.
        """
        user, character = owner_name(user, what="user"), owner_name(character, what="character")
        if not 1 <= minutes <= LONGEST:
            msg = f"a token holds from 1 to {LONGEST} minutes, got {minutes!r}; ask for a new one in time"
            raise InvalidInput(msg)
        now = self._now()
        expires = now + int(minutes * 60)
        claims = {
            "iss": _ISSUER,
            "aud": self._store.keyring.store_id,
            "sub": user,
            "chr": character,
            "tnt": self._store.tenant,
            "iat": now,
            "nbf": now,
            "exp": expires,
            "jti": uuid.uuid4().hex,
        }
        headers = {"typ": _KIND, "kid": self._store.tenant}
        text = jwt.encode(claims, self._key(create=True), algorithm=_ALGORITHM, headers=headers)
        return Token(text=text, expires=datetime.fromtimestamp(expires, UTC))

    def read(self, text: str) -> Access:
        """How far a token reaches.

        Raises:
            TokenRefused: it is forged, for another tenant or store, too old, or not yet valid; or its key was
                made anew since.
        """
        try:
            claims = jwt.decode(
                text,
                self._key(create=False),
                algorithms=[_ALGORITHM],
                audience=self._store.keyring.store_id,
                issuer=_ISSUER,
                options=_CHECKS,
            )
            _check_spelling(text)
        except KeyMissing:
            msg = f"the token was not signed here, or its key was made anew since; {_ANEW}"
            raise TokenRefused(msg) from None
        except jwt.PyJWTError:
            msg = f"the token is damaged, or was not signed for this server; {_ANEW}"
            raise TokenRefused(msg) from None
        self._check_times(claims)
        return self._access(claims)

    def revoke(self) -> None:
        """Make the tenant's signing key anew: every token that was signed with the old one is refused now."""
        self._store.keyring.forget(self._owner)
        self._key(create=True)

    def _check_times(self, claims: dict[str, Any]) -> None:
        begins, ends, now = claims["nbf"], claims["exp"], self._now()
        if not isinstance(begins, int) or not isinstance(ends, int):
            msg = f"the token has no times; {_ANEW}"
            raise TokenRefused(msg)
        if now >= ends:
            msg = f"the token ended {now - ends} seconds ago; {_ANEW}"
            raise TokenRefused(msg)
        if now + _SKEW < begins or ends - begins > LONGEST * 60:
            msg = f"the token holds only later, or for too long; see the clocks of the machines, and {_ANEW}"
            raise TokenRefused(msg)

    def _access(self, claims: dict[str, Any]) -> Access:
        user, character = claims["sub"], claims["chr"]
        if claims["tnt"] != self._store.tenant or not isinstance(character, str):
            msg = f"the token is another tenant's; {_ANEW}"
            raise TokenRefused(msg)
        return Access(
            label="token",
            tenant=self._store.tenant,
            users=frozenset({composed(user)}),
            characters=frozenset({composed(character)}),
            token=True,
        )

    @property
    def _owner(self) -> str:
        return f"{self._store.tenant}\x1f{_OWNER}"

    def _key(self, *, create: bool) -> bytes:
        return derive(self._store.keyring.data_key(self._owner, create=create), "signing of tokens")

    def _now(self) -> int:
        return int(from_micros(self._store.now()).timestamp())


def _check_spelling(text: str) -> None:
    """See that a token is spelled as it was issued: no padding, no stray sign, no bit that means nothing.

    Raises:
        DecodeError: it is another spelling of one.
    """
    for part in text.encode().split(b"."):
        if base64url_encode(base64url_decode(part)) != part:
            raise jwt.DecodeError


def is_token(text: str) -> bool:
    """Whether a text says of itself that it is a token of ours, of any tenant and whether it holds or not."""
    return tenant_named(text) is not None


def tenant_named(text: str) -> str | None:
    """The tenant that a token claims to be of; None for what is no token of ours. Nothing is believed yet."""
    try:
        header = jwt.get_unverified_header(text)
    except (jwt.PyJWTError, RecursionError):
        return None
    tenant = header.get("kid", "")
    return tenant if header.get("typ") == _KIND and isinstance(tenant, str) else None

"""API keys: who may reach which users and characters of which tenant.

Keys lie as hashes in a file of their own; they are random and long, so a plain hash keeps them. A key belongs
to one tenant, may be limited to users and to characters, and nothing in a request can widen it.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from omoide.config import check_tenant
from omoide.domain.owners import is_owner_name, owner_name
from omoide.domain.text import composed
from omoide.errors import Forbidden, InvalidInput, NotFound
from omoide.stores.keys.private_file import Stamp, locked, replace, stamp_of

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "omo_"
"""What every key begins with."""

BYTES = 32
"""Random bytes of a key; what stands behind the prefix is these in base64url."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """How far a request reaches.

    Attributes:
        label: the key's name for people; never the key.
        tenant: whose memory it reaches; none of another tenant's.
        users, characters: the only ones that it reaches; None means all of them.
        admin: whether it may set models, prompts and keys, and see all of its tenant.
        issue: whether it may issue tokens, each for one user and character that it reaches itself.
        token: whether it is such a token.
    """

    label: str
    tenant: str = ""
    users: frozenset[str] | None = None
    characters: frozenset[str] | None = None
    admin: bool = False
    issue: bool = False
    token: bool = False

    @property
    def name(self) -> str:
        """What tells it from those of all tenants: two tenants may use the same label."""
        whose = [*sorted(self.users or ()), *sorted(self.characters or ())] if self.token else []
        return "\x1f".join((self.tenant, self.label, *whose))

    @property
    def sees_causes(self) -> bool:
        """Whether errors may tell it of the operator's machines: addresses, paths, fingerprints of keys."""
        return self.admin and not self.token

    def check(self, user: str | None, character: str | None) -> None:
        """See that the key reaches these two.

        Raises:
            Forbidden: it does not.
        """
        for what, name, allowed in (
            ("user", user, self.users),
            ("character", character, self.characters),
        ):
            if allowed is not None and (name is None or composed(name) not in allowed):
                msg = f"the key {self.label!r} does not reach this {what}"
                raise Forbidden(msg)

    def check_issue(self) -> None:
        """See that the key may issue tokens.

        Raises:
            Forbidden: it may not.
        """
        if not (self.issue or self.admin):
            msg = (
                f"the key {self.label!r} may issue no tokens; `omoide api-key add --issue` makes one that may"
            )
            raise Forbidden(msg)

    def check_key(self) -> None:
        """See that it is no token: what takes a memory out whole or destroys it belongs in no browser.

        Raises:
            Forbidden: it is one.
        """
        if self.token:
            msg = "a token does not reach this; your own server does, with its key"
            raise Forbidden(msg)

    def check_whole(self, tenant: str) -> None:
        """See that the key may see figures of the whole server, whose own tenant is given.

        Raises:
            Forbidden: it may not.
        """
        if self.token or self.tenant != tenant:
            msg = f"the key {self.label!r} does not reach what concerns the whole server"
            raise Forbidden(msg)

    def check_admin(self) -> None:
        """See that the key may change what concerns its whole tenant.

        Raises:
            Forbidden: it may not.
        """
        if not self.admin:
            msg = f"the key {self.label!r} is no admin key; `omoide api-key add --admin` makes one"
            raise Forbidden(msg)


LOCAL = Access(label="local", admin=True)
"""Whoever sits at the machine itself, where no keys are set."""


@dataclass(slots=True)
class ApiKeys:
    """The keys in a file; what another process adds or removes is seen with the next request.

    Args:
        file: where they lie; it need not exist.
    """

    file: Path
    _stamp: Stamp | None = None
    _by_hash: dict[str, Access] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is any key."""
        return bool(self._read())

    def find(self, key: str) -> Access | None:
        """How far a key reaches; None if there is no such key."""
        return self._read().get(_hash(key))

    def all(self) -> list[Access]:
        """Every key, by tenant and label."""
        return sorted(self._read().values(), key=lambda access: access.name)

    def add(self, access: Access) -> str:
        """Make a key, and return it; it can never be shown again.

        Raises:
            InvalidInput: the label cannot be, or is taken within the tenant; or no tenant, user or character
                can be called so.
        """
        check_tenant(access.tenant)
        for what, names in (("user", access.users), ("character", access.characters)):
            for name in names or ():
                owner_name(name, what=what)
        with locked(self.file):
            known = dict(self._read())
            taken = access.name in (one.name for one in known.values())
            if taken or not is_owner_name(access.label):
                msg = (
                    f"a key needs a label of its own in one line, got {access.label!r}; "
                    "`omoide api-key list` shows those that there are"
                )
                raise InvalidInput(msg)
            key = PREFIX + secrets.token_urlsafe(BYTES)
            self._write({**known, _hash(key): access})
        return key

    def remove(self, label: str, *, tenant: str = "") -> None:
        """Remove a tenant's key; requests with it are refused from now on.

        Raises:
            NotFound: there is none of that label.
        """
        gone = Access(label=label, tenant=tenant).name
        with locked(self.file):
            known = self._read()
            left = {hashed: access for hashed, access in known.items() if access.name != gone}
            if len(left) == len(known):
                msg = f"no key is called {label!r}; `omoide api-key list` shows them"
                raise NotFound(msg)
            self._write(left)

    def _read(self) -> dict[str, Access]:
        try:
            stamp = stamp_of(self.file.stat())
            if stamp != self._stamp:
                entries = json.loads(self.file.read_text(encoding="utf-8"))
                self._by_hash = {entry["hash"]: _access(entry) for entry in entries}
                self._stamp = stamp
        except FileNotFoundError:
            self._stamp, self._by_hash = None, {}
        except (ValueError, KeyError, TypeError) as error:
            msg = "the file of API keys (the setting api_keys) is damaged; remove it and make new keys"
            raise InvalidInput(msg) from error
        return self._by_hash

    def _write(self, known: dict[str, Access]) -> None:
        entries = [{"hash": hashed, **fields_of(access)} for hashed, access in known.items()]
        replace(self.file, json.dumps(entries, ensure_ascii=False, indent=1).encode())


def fields_of(access: Access) -> dict[str, object]:
    """What a key is for, as it is written and shown."""
    return {
        "label": access.label,
        "tenant": access.tenant,
        "users": None if access.users is None else sorted(access.users),
        "characters": None if access.characters is None else sorted(access.characters),
        "admin": access.admin,
        "issue": access.issue,
    }


def _access(entry: dict[str, Any]) -> Access:
    users, characters = entry["users"], entry["characters"]
    return Access(
        label=entry["label"],
        tenant=entry.get("tenant", ""),  # a file of an earlier release names none
        users=None if users is None else frozenset(map(composed, users)),
        characters=None if characters is None else frozenset(map(composed, characters)),
        admin=bool(entry["admin"]),
        issue=bool(entry.get("issue", False)),
    )


def _hash(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

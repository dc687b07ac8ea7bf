"""Whose memory a request means: from its path, headers, body, model or key, in this order.

Models have an ``@`` in their names too, so what follows one is a character only where nothing else names one,
and only one that is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from omoide.domain.owners import is_owner_name
from omoide.domain.text import composed, unstorable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omoide.server.access import Access

_LONGEST = 512
_MACRO = re.compile(r"\{\{|<(?:user|bot|char)>", re.IGNORECASE)

_OURS = {"user": "x-omoide-user", "character": "x-omoide-character", "session": "x-omoide-session"}
_FOREIGN = {
    "user": (
        "x-openwebui-user-id",
        "x-openwebui-user-name",
        "x-litellm-end-user-id",
        "x-litellm-customer-id",
        "x-sm-user-id",
    ),
    "character": ("x-moltbot-agent-id", "x-openclaw-agent-id"),
    "session": ("x-openwebui-chat-id", "x-sm-conversation-id", "x-openclaw-session-key"),
}
"""Headers by which other programs tell who speaks; they count from configured peers only (ruling 27)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """Whose memory is meant, as far as a request tells.

    Attributes:
        user, character, session: their names.
        model: the model's own name, where a character's was behind it.
    """

    user: str | None = None
    character: str | None = None
    session: str | None = None
    model: str | None = None

    def filled(self, other: Identity) -> Identity:
        """This one, and what another one knows where it does not."""
        return Identity(
            user=self.user or other.user,
            character=self.character or other.character,
            session=self.session or other.session,
            model=self.model or other.model,
        )

    @property
    def complete(self) -> bool:
        """Whether user and character are both known."""
        return self.user is not None and self.character is not None


def named_in(path: bytes) -> Identity:
    """Whom a path names, as it was sent: ``/u/{user}/c/{character}/…``, or one of the two alone.

    A slash in a name is ``%2F``.
    """
    match path.split(b"/"):
        case [b"", b"u", user, b"c", character, *_]:
            return Identity(user=_decoded(user), character=_decoded(character))
        case [b"", b"u", user, *_]:
            return Identity(user=_decoded(user))
        case [b"", b"c", character, *_]:
            return Identity(character=_decoded(character))
    return Identity()


def beyond_names(path: bytes) -> str:
    """What comes after the names in a path, and after the version: where a request goes on the upstream."""
    match path.split(b"/"):
        case [b"", b"u", _, b"c", _, *rest] | [b"", b"u" | b"c", _, *rest] | [_, *rest]:
            return "/".join(part.decode("ascii") for part in (rest[1:] if rest[:1] == [b"v1"] else rest))
    return ""


def identify(
    *,
    path: Identity,
    headers: Mapping[str, str],
    body: Mapping[str, Any],
    trusted: bool,
    access: Access,
    fallback: Identity,
    known: Callable[[str | None, str], bool],
) -> Identity:
    """Whose memory a request means.

    Args:
        path: what stands in the path.
        headers: of the request, by names in small letters; values are percent-decoded.
        body: of the request; its `metadata`, `user` and `model` are looked at.
        trusted: whether identity headers of other programs count.
        access: a key that reaches one user or character only means these.
        fallback: what a deployment has set.
        known: whether there is a character of this name, for this user.
    """
    told = path.filled(_of_headers(headers, trusted=trusted)).filled(_of_body(body))
    rest = Identity(user=_one(access.users), character=_one(access.characters)).filled(fallback)
    behind = _of_model(body)
    if (
        told.character is None
        and behind.character is not None
        and known(told.user or rest.user, behind.character)
    ):
        told = told.filled(behind)
    return told.filled(rest)


def without_identity(body: Mapping[str, Any], *, model: str | None) -> dict[str, Any]:
    """The body as the upstream should see it: without our keys, and with the model's own name.

    Args:
        body: of the request.
        model: that name, where a character's was behind it.
    """
    kept = dict(body)
    metadata = kept.get("metadata")
    if isinstance(metadata, dict):
        rest = {key: value for key, value in metadata.items() if key not in _OURS}
        if rest:
            kept["metadata"] = rest
        else:
            del kept["metadata"]
    if model is not None:
        kept["model"] = model
    return kept


_LOST = "\ufffd"
"""What stands in place of bytes that are no UTF-8."""


def named(name: object) -> str | None:
    """A name, in the one form that it is known by; None for what is none.

    A value that still holds a macro of its client, ``{{user}}`` or ``<USER>``, is one that it did not fill.
    One that was not written in UTF-8 cannot be told from others like it, so it is none; nor is
    one with a control character, which would be somebody else's without it.
    """
    if not isinstance(name, str) or unstorable(name) is not None:
        return None
    made = composed(name.strip())
    if not is_owner_name(made) or _MACRO.search(made) or _LOST in made or len(made) > _LONGEST:
        return None
    return made


def _of_headers(headers: Mapping[str, str], *, trusted: bool) -> Identity:
    def first(*names: str) -> str | None:
        found = (named(unquote(headers[name])) for name in names if name in headers)
        return next((name for name in found if name is not None), None)

    own = Identity(**{what: first(name) for what, name in _OURS.items()})
    if not trusted:
        return own
    return own.filled(Identity(**{what: first(*names) for what, names in _FOREIGN.items()}))


def _of_body(body: Mapping[str, Any]) -> Identity:
    metadata = body.get("metadata")
    told = Identity()
    if isinstance(metadata, dict):
        told = Identity(**{what: named(metadata.get(what)) for what in _OURS})
    return replace(told, user=told.user or named(body.get("user")) or named(body.get("safety_identifier")))


def _of_model(body: Mapping[str, Any]) -> Identity:
    model = body.get("model")
    own, _, behind = model.rpartition("@") if isinstance(model, str) else ("", "", "")
    character = named(behind)
    return Identity(character=character, model=own) if own and character else Identity()


def _one(names: frozenset[str] | None) -> str | None:
    return next(iter(names)) if names is not None and len(names) == 1 else None


def _decoded(name: bytes) -> str | None:
    return named(unquote(name.decode("ascii")))

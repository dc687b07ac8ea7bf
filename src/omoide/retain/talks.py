"""Records of discussions without a character whose past is deleted: none of its words stay (P15)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from omoide.domain.model import Status
from omoide.stores.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Collection

    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_CUT = "what was said is gone: one who took part was reset"


def forget_talks(store: Store, unit: Unit) -> int:
    """Remove the record of every discussion that the scope's character took part in; returns how many.

    Of one in which memories of others still wait for an author, those stay, and nothing else of it.
    """
    written = unit.memories.ids(unit.memories.numbers(statuses=tuple(Status)))
    mine = frozenset(written.values())
    return Jobs(store).revise(unit.connection, lambda body: _without(body, unit.scope.character, mine))


def _without(body: str, character: str, memories: Collection[str]) -> str | None:
    """A record without a character; None where nothing of it is left. One of others stays as it is."""
    record = json.loads(body)
    ids = _ids_of(record, character, memories)
    if not ids:
        return body
    known = {account["character"]: account for account in record["accounts"]}
    accounts = [_account(known.get(one, {"character": one}), ids) for one in record["characters"]]
    if not any(account["outcome"] == Status.CANDIDATE for account in accounts):
        return None
    left = {**record, "accounts": accounts, "spoken": [], "cut": _CUT, "trouble": ""}
    return json.dumps(left, ensure_ascii=False)


def _ids_of(record: dict[str, Any], character: str, memories: Collection[str]) -> set[str]:
    """The ids under which a record knows the character: by its name, or by the memories that are its own."""
    named = dict(zip(record.get("names", ()), record["characters"], strict=False))
    found = {named[character]} if character in named else set()
    for account in record["accounts"]:
        if any(version["memory"] in memories for version in account["versions"]):
            found.add(account["character"])
    return found


def _account(account: dict[str, Any], ids: Collection[str]) -> dict[str, Any]:
    """What is left of an account: that of another while it waits, and of any other nothing but its end."""
    outcome = account.get("outcome")
    if account["character"] not in ids and outcome == Status.CANDIDATE:
        return account
    if account["character"] in ids or outcome is None:
        outcome = Status.REJECTED.value
    return {"character": account["character"], "outcome": outcome, "decided_because": _CUT}

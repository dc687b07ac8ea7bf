"""The sealed body of a memory: what it says, and whatever else of it must not lie open."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.domain.records import Draft
    from omoide.stores.scopes import ScopeRow


def sealed_body(scope: ScopeRow, draft: Draft, uid: bytes) -> bytes | None:
    """The body of a draft, sealed for its row; None where the words stand in the evidence alone."""
    if draft.text is None:
        return None
    past = draft.past
    body = {
        "text": draft.text,
        "place": draft.place,
        "keys": list(draft.keys),
        "external_id": draft.external_id,
        "source": None if past is None else past.source,
        "heard_when": None if past is None else past.heard_when,
        "basis": None if past is None else past.basis,
        "category": None if draft.category is None else draft.category.value,
        "terms": list(draft.terms),
        "details": [list(astuple(detail)) for detail in draft.details],
        "emotion": draft.emotion,
        "action": draft.action,
        "thought": draft.thought,
        "event": draft.event_name,
        "derived": list(draft.derived),
    }
    kept = {key: value for key, value in body.items() if value}
    return scope.sealer.seal_text(json.dumps(kept, ensure_ascii=False), row=uid)

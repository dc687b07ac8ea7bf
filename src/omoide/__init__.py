"""Omoide: long-term memory for AI characters.

from omoide import Omoide

async with Omoide.open("haru.db") as omoide:
    haru = omoide.scope(user="minjun", character="haru")
    await haru.observe(user="I love that game!", reply="Which one?", session="s1")
    recall = await haru.recall("What do you do for fun?")
    print(recall.prompt)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide as Omoide
    from omoide.config import Settings as Settings
    from omoide.domain.affect import Feeling as Feeling
    from omoide.domain.affect import Feelings as Feelings
    from omoide.domain.decay import Forgetting as Forgetting
    from omoide.domain.diary import Diary as Diary
    from omoide.domain.event import Event as Event
    from omoide.domain.event import EventSides as EventSides
    from omoide.domain.layer import Layer as Layer
    from omoide.domain.model import Kind as Kind
    from omoide.domain.model import Memory as Memory
    from omoide.domain.model import Message as Message
    from omoide.domain.model import Origin as Origin
    from omoide.domain.model import Past as Past
    from omoide.domain.model import Quote as Quote
    from omoide.domain.model import Role as Role
    from omoide.domain.model import Status as Status
    from omoide.domain.observation import Observation as Observation
    from omoide.domain.partial_date import PartialDate as PartialDate
    from omoide.domain.records import Person as Person
    from omoide.errors import OmoideError as OmoideError
    from omoide.recall.filters import Filter as Filter
    from omoide.recall.fuse import Fusion as Fusion
    from omoide.recall.matches import Matches as Matches
    from omoide.recall.result import Recall as Recall
    from omoide.recall.result import Recalled as Recalled
    from omoide.recall.result import Why as Why
    from omoide.retain.noted import Noted as Noted
    from omoide.retain.record import Recorded as Recorded
    from omoide.scope import Scope as Scope

_HOMES = {
    "Omoide": "bootstrap",
    "Settings": "config",
    "Feeling": "domain.affect",
    "Feelings": "domain.affect",
    "Forgetting": "domain.decay",
    "Diary": "domain.diary",
    "Observation": "domain.observation",
    **dict.fromkeys(("Event", "EventSides"), "domain.event"),
    **dict.fromkeys(
        ("Kind", "Memory", "Message", "Origin", "Past", "Quote", "Role", "Status"), "domain.model"
    ),
    "Layer": "domain.layer",
    "PartialDate": "domain.partial_date",
    "Person": "domain.records",
    "OmoideError": "errors",
    "Fusion": "recall.fuse",
    "Filter": "recall.filters",
    "Matches": "recall.matches",
    **dict.fromkeys(("Recall", "Recalled", "Why"), "recall.result"),
    "Noted": "retain.noted",
    "Recorded": "retain.record",
    "Scope": "scope",
}

__all__ = list(_HOMES)
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Loaded when first used, so that `omoide --help` starts without a database library.
    home = _HOMES.get(name)
    if home is None:
        msg = f"module 'omoide' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"omoide.{home}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

"""Small real parts for the tests of those who build on Omoide.

They do what their kind does, without a model or the time of day, and always in the same way. Replies out of
the ordinary for a `FakeModelServer` are in `omoide.testing.replies`.
"""

from __future__ import annotations

from omoide.testing.clock import FixedClock
from omoide.testing.embedders import FailingEmbedder, HangingEmbedder, WordEmbedder
from omoide.testing.models import ScriptedModel
from omoide.testing.replies import Reply
from omoide.testing.servers import Asked, FakeModelServer

__all__ = [
    "Asked",
    "FailingEmbedder",
    "FakeModelServer",
    "FixedClock",
    "HangingEmbedder",
    "Reply",
    "ScriptedModel",
    "WordEmbedder",
]

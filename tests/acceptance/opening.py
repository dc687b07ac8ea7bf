"""Opening stores in the acceptance tests: each with the same clock and key file, and an embedder of words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from omoide import Omoide
from omoide.testing import FixedClock, WordEmbedder
from postgres import place

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)
"""A Wednesday; noon in Seoul and Tokyo."""


DIMENSIONS = 2048
"""So many that two words are hardly ever alike by accident."""


def opened(folder: Path, **given: Any) -> AbstractAsyncContextManager[Omoide]:
    """The store of a folder, ``haru.db`` where it is a file."""
    given = {
        "embedder": WordEmbedder(DIMENSIONS),
        "clock": FixedClock(NOW),
        "zone": "Asia/Seoul",
        "master_key_file": folder / "master.key",
        **given,
    }
    return Omoide.open(place(folder, "haru.db"), **given)

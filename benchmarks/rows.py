"""Files of data with one JSON object on each line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one on each line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]

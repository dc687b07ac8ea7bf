"""What many tests of the server need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.testing import FakeModelServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def upstream() -> Iterator[FakeModelServer]:
    """A server of models, behind the proxy."""
    with FakeModelServer("그렇구나!") as fake:
        yield fake

"""The layers of a character's own past: how it knows a thing, and how sure it may be (K3)."""

from __future__ import annotations

from enum import StrEnum

from omoide.errors import InvalidInput


class Layer(StrEnum):
    """How a character knows a thing of its own past (K3): lived, told by somebody, or guessed."""

    DIRECT = "direct"
    HEARD = "heard"
    INFERRED = "inferred"


CONFIDENCE: dict[Layer | None, tuple[float, float]] = {
    Layer.DIRECT: (8.0, 10.0),
    Layer.HEARD: (5.0, 8.0),
    Layer.INFERRED: (3.0, 6.0),
    None: (1.0, 10.0),
}
"""The confidence each layer allows, both ends included; without a layer 1 to 10 (K3, ruling 17)."""


def check_confidence(value: float, layer: Layer | None = None) -> float:
    """Return the confidence if it lies within its layer's range; raise `InvalidInput` otherwise (K3)."""
    low, high = CONFIDENCE[layer]
    if not low <= value <= high:
        article = "an" if layer is Layer.INFERRED else "a"
        of = f"{article} {layer.value} memory" if layer else "a fact"
        msg = f"the confidence of {of} lies between {low:g} and {high:g}, got {value!r}"
        raise InvalidInput(msg)
    return value

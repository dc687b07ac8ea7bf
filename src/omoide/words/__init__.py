"""Text analysis for keyword search: which terms a text is found by."""

from __future__ import annotations

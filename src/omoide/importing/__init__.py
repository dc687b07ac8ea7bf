"""Files of other programs, and our own exports, on their way into memory."""

from __future__ import annotations

from omoide.importing.exports import is_export, read_exports
from omoide.importing.plan import Lore, Plan, Summary, Talk, Whose, carry_out, plan
from omoide.importing.report import ImportView

__all__ = [
    "ImportView",
    "Lore",
    "Plan",
    "Summary",
    "Talk",
    "Whose",
    "carry_out",
    "is_export",
    "plan",
    "read_exports",
]

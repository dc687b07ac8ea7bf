"""A character's life as plain files: read, checked, brought into a store, and written out again (K12)."""

from __future__ import annotations

from omoide.authoring.bringing import Carried, carry_in
from omoide.authoring.carry import Pasts, pasts, profiles_of, take_over, write_folder
from omoide.authoring.folder import Life, Lives, Placed, read_folder
from omoide.authoring.lint import errors, lint, namesakes
from omoide.authoring.problem import Problem

__all__ = [
    "Carried",
    "Life",
    "Lives",
    "Pasts",
    "Placed",
    "Problem",
    "carry_in",
    "errors",
    "lint",
    "namesakes",
    "pasts",
    "profiles_of",
    "read_folder",
    "take_over",
    "write_folder",
]

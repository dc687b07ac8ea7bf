"""Characters as files: a folder each, with a profile and a prompt, or with an imported card (H3)."""

from __future__ import annotations

from omoide.characters.folder import Characters
from omoide.characters.profile import Profile
from omoide.characters.sheet import Sheet

__all__ = ["Characters", "Profile", "Sheet"]

"""``python -m omoide.cli``."""

from __future__ import annotations

from omoide.cli import main

main()

"""The factory: characters talk, and what each remembers of it is judged before it counts (K9, K10)."""

from __future__ import annotations

from omoide.factory.factory import Candidate, Factory, Job
from omoide.factory.record import Discussion, Limits, Outcome
from omoide.stores.jobs import JobState

__all__ = ["Candidate", "Discussion", "Factory", "Job", "JobState", "Limits", "Outcome"]

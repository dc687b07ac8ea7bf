"""Discussions and candidates as JSON, for the command line and the server alike."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from omoide.factory.answers import Dangers, DiaryAnswer, Marks
from omoide.factory.record import Discussion
from omoide.views import View

if TYPE_CHECKING:
    from omoide.factory.factory import Candidate, Job


class JobView(View):
    """A discussion as it stands."""

    id: str
    state: str
    created_at: datetime
    updated_at: datetime
    discussion: Discussion

    @classmethod
    def of(cls, job: Job) -> JobView:
        """The view of a job."""
        return cls(
            id=job.id,
            state=job.state.value,
            created_at=job.created_at,
            updated_at=job.updated_at,
            discussion=job.discussion,
        )


class CandidateView(View):
    """A memory that waits for an author, with what judge and safety check say."""

    memory: str
    job: str
    topic: str
    character: str
    diary: DiaryAnswer | None
    marks: Marks | None
    dangers: Dangers | None
    because: str

    @classmethod
    def of(cls, candidate: Candidate) -> CandidateView:
        """The view of a candidate."""
        return cls(
            memory=candidate.memory,
            job=candidate.job,
            topic=candidate.topic,
            character=candidate.character,
            diary=candidate.version.diary,
            marks=candidate.version.marks,
            dangers=candidate.version.dangers,
            because=candidate.because,
        )

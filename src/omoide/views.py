"""Values as JSON for other programs: one shape for the command line and the server alike."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from omoide.domain.affect import Feelings
    from omoide.domain.model import Memory, Past, Plan, Quote
    from omoide.domain.observation import Observation
    from omoide.models.choices import ModelChoice, PromptChoice
    from omoide.recall.result import Hit, Recall, Recalled, Why


class View(BaseModel):
    """A value as JSON."""

    def fields(self) -> dict[str, Any]:
        """Its fields, as plain values."""
        return self.model_dump(mode="json")


class QuoteView(View):
    """A message that a memory rests on, with the words that matter there."""

    message: str
    speaker: str
    role: str
    quote: str
    at: datetime | None

    @classmethod
    def of(cls, quote: Quote) -> QuoteView:
        """The view of a quote."""
        return cls(
            message=quote.message,
            speaker=quote.speaker,
            role=quote.role.value,
            quote=quote.quote,
            at=quote.at,
        )


class PlanView(View):
    """Whose a plan is, by when, and where it stands."""

    who: str
    due: datetime | None
    precision: str | None
    condition: str | None
    state: str

    @classmethod
    def of(cls, plan: Plan) -> PlanView:
        """The view of a plan."""
        return cls(
            who=plan.who,
            due=plan.due,
            precision=None if plan.precision is None else plan.precision.value,
            condition=plan.condition,
            state=plan.state.value,
        )


class PastView(View):
    """How a character knows a thing of its own past."""

    layer: str
    confidence: float
    source: str | None
    heard_when: str | None
    basis: str | None
    age: float | None
    absolute_day: int | None

    @classmethod
    def of(cls, past: Past) -> PastView:
        """The view of how a thing is known."""
        return cls(
            layer=past.layer.value,
            confidence=past.confidence,
            source=past.source,
            heard_when=past.heard_when,
            basis=past.basis,
            age=past.age,
            absolute_day=past.absolute_day,
        )


class ObservationView(View):
    """What a character saw of another, and guesses of their feelings."""

    person: str
    behaviour: str
    feeling: str | None
    basis: str | None
    confidence: float

    @classmethod
    def of(cls, seen: Observation) -> ObservationView:
        """The view of an observation."""
        return cls(
            person=seen.person,
            behaviour=seen.behaviour,
            feeling=seen.feeling,
            basis=seen.basis,
            confidence=seen.confidence,
        )


class MemoryView(View):
    """One thing remembered."""

    id: str
    kind: str
    origin: str
    status: str
    text: str
    at: datetime | None
    importance: float
    confidence: float | None
    confirmed: int
    pinned: bool
    session: str | None
    place: str | None
    keys: list[str]
    subject: str | None
    mode: str
    category: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    plan: PlanView | None
    involved: list[str]
    told: list[str]
    past: PastView | None
    day: str | None
    emotion: str | None
    action: str | None
    thought: str | None
    scores: dict[str, float]
    event: str | None
    observations: list[ObservationView]
    recorded_at: datetime
    evidence: list[QuoteView]

    @classmethod
    def of(cls, memory: Memory) -> MemoryView:
        """The view of a memory."""
        return cls(**_memory(memory))


class HitView(View):
    """Where a memory stood in one list: its rank from 0, and its score there."""

    rank: int
    score: float


class LedView(View):
    """A step on the way to a memory that others lead to; no memory where the message's own feeling does."""

    kind: str
    memory: str | None
    weight: float


class WhyView(View):
    """Why a memory was recalled."""

    meaning: HitView | None
    words: HitView | None
    decay: float
    score: float
    slot: str
    links: list[LedView]
    mood: str | None

    @classmethod
    def of(cls, why: Why) -> WhyView:
        """The view of a reason."""
        return cls(
            meaning=_hit(why.meaning),
            words=_hit(why.words),
            decay=round(why.decay, 6),
            score=round(why.score, 6),
            slot=why.slot.value,
            links=[
                LedView(kind=led.kind.value, memory=led.memory, weight=round(led.weight, 4))
                for led in why.links
            ],
            mood=why.mood,
        )


class RecalledView(MemoryView):
    """A memory and the reason for it; `own` where it is of the character's own past."""

    in_block: bool
    own: bool
    why: WhyView

    @classmethod
    def of_recalled(cls, recalled: Recalled) -> RecalledView:
        """The view of a recalled memory."""
        why = WhyView.of(recalled.why)
        return cls(**_memory(recalled.memory), in_block=recalled.in_block, own=recalled.own, why=why)


class FeelingsView(View):
    """Somebody's feelings over some days."""

    dominant: str
    intensity: float
    counts: dict[str, int]
    hard_days: list[str]

    @classmethod
    def of(cls, feelings: Feelings) -> FeelingsView:
        """The view of a summary."""
        return cls(
            dominant=feelings.dominant,
            intensity=round(feelings.intensity, 3),
            counts=feelings.counts,
            hard_days=[day.isoformat() for day in feelings.hard_days],
        )


class RecallView(View):
    """What comes to mind at a message."""

    query: str
    reason: str
    standing: str
    block: str
    prompt: str
    memories: list[RecalledView]
    in_block: int
    feelings: FeelingsView | None
    degraded: list[str]
    timing_ms: dict[str, float]

    @classmethod
    def of(cls, recall: Recall) -> RecallView:
        """The view of a recall."""
        return cls(
            query=recall.query,
            reason=recall.reason,
            standing=recall.standing,
            block=recall.block,
            prompt=recall.prompt,
            memories=[RecalledView.of_recalled(found) for found in recall.memories],
            in_block=recall.in_block,
            feelings=None if recall.feelings is None else FeelingsView.of(recall.feelings),
            degraded=list(recall.degraded),
            timing_ms={phase: round(spent, 3) for phase, spent in recall.timing_ms.items()},
        )


class ModelChoiceView(View):
    """The model of a task as it is set now; `set_by` is ``row``, ``default``, ``settings`` or ``none``."""

    task: str
    set_by: str
    trouble: str
    model: str | None = None
    provider: str | None = None
    url: str | None = None
    output: str | None = None
    key_env: str | None = None
    seconds: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None

    @classmethod
    def of(cls, choice: ModelChoice) -> ModelChoiceView:
        """The view of a choice."""
        found = choice.endpoint
        if found is None:
            return cls(task=choice.task, set_by=choice.source, trouble=choice.trouble)
        return cls(
            task=choice.task,
            set_by=choice.source,
            trouble=choice.trouble,
            model=found.model,
            provider=found.provider,
            url=found.address,
            output=found.output,
            key_env=found.key_env,
            seconds=found.seconds,
            temperature=found.temperature,
            max_tokens=found.max_tokens,
        )


class PromptChoiceView(View):
    """A prompt as it holds now; version 0 is the built-in one."""

    prompt: str
    language: str
    version: int
    body: str

    @classmethod
    def of(cls, choice: PromptChoice) -> PromptChoiceView:
        """The view of a choice."""
        return cls(prompt=choice.name, language=choice.language, version=choice.version, body=choice.body)


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "origin": memory.origin.value,
        "status": memory.status.value,
        "text": memory.text,
        "at": memory.at,
        "importance": round(memory.importance, 3),
        "confidence": memory.confidence,
        "confirmed": memory.confirmed,
        "pinned": memory.pinned,
        "session": memory.session,
        "place": memory.place,
        "keys": list(memory.keys),
        "subject": memory.subject,
        "mode": memory.mode.value,
        "category": None if memory.category is None else memory.category.value,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "plan": None if memory.plan is None else PlanView.of(memory.plan),
        "involved": list(memory.involved),
        "told": list(memory.told),
        "past": None if memory.past is None else PastView.of(memory.past),
        "day": None if memory.day is None else str(memory.day),
        "emotion": memory.emotion,
        "action": memory.action,
        "thought": memory.thought,
        "scores": {name: round(value, 3) for name, value in memory.scores.items()},
        "event": memory.event,
        "observations": [ObservationView.of(seen) for seen in memory.observations],
        "recorded_at": memory.recorded_at,
        "evidence": [QuoteView.of(quote) for quote in memory.evidence],
    }


def _hit(hit: Hit | None) -> HitView | None:
    return None if hit is None else HitView(rank=hit.rank, score=round(hit.score, 6))

"""Traces for OpenTelemetry by its conventions for generative AI; without its packages nothing happens.

Traces hold what was called, by whom, how long it took and what it cost. Words stand in them only where
``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` is true. The conventions are still in development, so
every name of theirs that is used stands here.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from omoide.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from opentelemetry.trace import Span
    from opentelemetry.util.types import AnyValue

    from omoide.domain.chat import Turn, Usage

    Values: TypeAlias = Mapping[str, str | int | float | bool]

OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
MODEL: Final = "gen_ai.request.model"
CONVERSATION: Final = "gen_ai.conversation.id"
WORKFLOW: Final = "gen_ai.workflow.name"
AGENT: Final = "gen_ai.agent.id"
AGENT_NAME: Final = "gen_ai.agent.name"
OUTPUT_TYPE: Final = "gen_ai.output.type"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
SYSTEM: Final = "gen_ai.system_instructions"
INPUT: Final = "gen_ai.input.messages"
OUTPUT: Final = "gen_ai.output.messages"
EVALUATION: Final = "gen_ai.evaluation.result"
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
EVALUATION_SCORE: Final = "gen_ai.evaluation.score.value"
EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"
EVALUATION_WHY: Final = "gen_ai.evaluation.explanation"
ERROR: Final = "error.type"
STEP: Final = "omoide.step"
OUTCOME: Final = "omoide.outcome"

CHAT: Final = "chat"
INVOKE_AGENT: Final = "invoke_agent"
INVOKE_WORKFLOW: Final = "invoke_workflow"

_CONTENT: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class Traced:
    """What is under way, as a trace sees it.

    Args:
        span: the span; None where nothing is traced.
    """

    def __init__(self, span: Span | None) -> None:
        self._span = span

    def tell(self, values: Values) -> None:
        """Add attributes."""
        if self._span is not None:
            self._span.set_attributes(dict(values))

    def cost(self, usage: Usage) -> None:
        """Tell what it cost."""
        self.tell({INPUT_TOKENS: usage.prompt, OUTPUT_TOKENS: usage.answer})

    def shown(self, turns: Sequence[Turn]) -> None:
        """Tell what a model was shown, where words may stand in traces."""
        if self._span is None or not captures():
            return
        system = [{"type": "text", "content": turn.text} for turn in turns if turn.role == "system"]
        said = [_message(turn.role, turn.text) for turn in turns if turn.role != "system"]
        self.tell({SYSTEM: _json(system), INPUT: _json(said)})

    def said(self, text: str) -> None:
        """Tell what a model answered, where words may stand in traces."""
        if self._span is not None and captures():
            self.tell({OUTPUT: _json([{**_message("assistant", text), "finish_reason": "stop"}])})

    def judged(self, name: str, score: float, *, label: str, why: str = "") -> None:
        """Tell a score, and the reason where words may stand in traces."""
        if self._span is None:
            return
        told: dict[str, AnyValue] = {EVALUATION_NAME: name, EVALUATION_SCORE: score, EVALUATION_LABEL: label}
        if why and captures():
            told[EVALUATION_WHY] = why
        self._span.add_event(EVALUATION, told)


def captures() -> bool:
    """Whether words may stand in traces."""
    return os.environ.get(_CONTENT, "").strip().lower() in {"true", "1", "yes"}


@contextmanager
def span(
    name: str, *, operation: str, client: bool = False, values: Values | None = None
) -> Iterator[Traced]:
    """Trace what happens inside.

    Args:
        name: the span's name, which names what is done and never whom it is about.
        operation: what kind of work it is.
        client: whether another program does it.
        values: attributes that are known from the beginning.
    """
    try:
        from opentelemetry import trace
    except ImportError:
        yield Traced(None)
        return
    kind = trace.SpanKind.CLIENT if client else trace.SpanKind.INTERNAL
    attributes = {OPERATION: operation, **(values or {})}
    tracer = trace.get_tracer("omoide")
    # An error's words may name what a trace should not: only its kind is told.
    with tracer.start_as_current_span(
        name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as started:
        try:
            yield Traced(started)
        except BaseException as error:
            started.set_attribute(ERROR, type(error).__name__)
            started.set_status(trace.StatusCode.ERROR)
            raise


@contextmanager
def exporting() -> Iterator[None]:
    """Send traces by OTLP where the variables of OpenTelemetry name an endpoint, until the end of the block.

    Raises:
        MissingExtra: an endpoint is named, and the extra ``otel`` is not installed.
    """
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        yield
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        msg = f"traces need {error.name!r}; pip install 'omoide[otel]', or unset {_ENDPOINTS[0]}"
        raise MissingExtra(msg) from error
    named = Resource.create({} if os.environ.get("OTEL_SERVICE_NAME") else {SERVICE_NAME: "omoide"})
    provider = TracerProvider(resource=named)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        provider.shutdown()


def _message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

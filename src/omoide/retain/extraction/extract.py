"""One window, from what was said to what is remembered: one call, nothing on trust, all or nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.chat import Task, Usage
from omoide.domain.model import Kind
from omoide.domain.poison import is_refusal
from omoide.domain.text import fold
from omoide.errors import EmbedderError, ModelRefused, UnreadableAnswer
from omoide.retain.embed import embeddable
from omoide.retain.extraction.apply import Writing
from omoide.retain.extraction.endings import lasting
from omoide.retain.extraction.ground import ground
from omoide.retain.extraction.grounded import Grounded, Reason
from omoide.retain.extraction.look import Nearby, nearby, read_view
from omoide.retain.extraction.prompt import NAME, build
from omoide.retain.extraction.reconcile import reconcile
from omoide.retain.extraction.schema import Reading
from omoide.retain.extraction.scoring import WORTH, exchanges_of, score_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.chat import ChatModel, ChatModels
    from omoide.domain.redaction import Redaction
    from omoide.domain.windows import Window
    from omoide.prompts.templates import Templates
    from omoide.retain.embed import DocumentEmbedder, Run
    from omoide.retain.episodes import Episodes
    from omoide.retain.extraction.grounded import Item
    from omoide.retain.extraction.reconcile import Decision
    from omoide.retain.extraction.view import Line, View
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

_TRIES = 3
"""Attempts after which even an answer of nothing that was said closes the window: some talk gives nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """What came of one window.

    Attributes:
        kept: how many were kept, by kind; also what was confirmed, replaced, felt, and names.
        dropped: how many items were dropped, by reason.
        usage: what reading it cost.
        scoring: what scoring its exchanges cost, where a model does that.
        parts: tokens of the prompt's parts, as we estimate them.
        prompt_version: the wording that was used.
    """

    kept: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    scoring: Usage = field(default_factory=Usage)
    parts: Mapping[str, int] = field(default_factory=dict)
    prompt_version: str = ""


class Extractor:
    """Reads windows.

    Args:
        store: where they are.
        templates: the prompts.
        episodes: makes what is written findable by words.
        redact: takes out what is never kept.
        zone: of users that told none.
        run: runs a blocking function off the event loop.
        embedder: finds what is known and near; without one, words do.
        scorers: where a model scores each exchange, so that facts are drawn from weighty ones only (H8, H11):
            which one does, by its task; the reading one where none is set. None leaves it to the rule.
        spent: is told what each answer has cost as soon as it is there, whatever comes of it.
    """

    def __init__(
        self,
        store: Store,
        templates: Templates,
        *,
        episodes: Episodes,
        redact: Redaction,
        zone: str,
        run: Run,
        embedder: DocumentEmbedder | None = None,
        scorers: ChatModels | None = None,
        spent: Callable[[Task, Usage], None] = lambda _task, _usage: None,
    ) -> None:
        self._store = store
        self._templates = templates
        self._episodes = episodes
        self._redact = redact
        self._zone = zone
        self._run = run
        self._embedder = embedder
        self._scorers = scorers
        self._spent = spent

    async def extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> Extracted:
        """Read a window, and write what comes of it in one transaction with the window's closing.

        Raises:
            ModelError: the model gave nothing that can be used; nothing was written, and the window waits.
            Superseded: the window was taken over, or its messages have changed; nothing was written.
        """
        view = await self._run(lambda: self._view(scope, window))
        if not view.lines:
            return await self._run(lambda: self._skip(scope, window, view))
        vectors = await self._vectors([line.text for line in view.lines])
        view, near = await self._run(lambda: nearby(self._store, scope, view, vectors))
        prompt = await self._run(lambda: build(view, self._templates))
        version = await self._run(lambda: self._templates.version(NAME, view.language))
        scorer = await self._scorer(model)  # before anything is spent, for it may not be to be had
        answer = await model.answer(prompt.turns, Reading)
        self._spent(Task.EXTRACTION, answer.usage)
        _check(answer.value, names=view.names.values())
        scores, spent = await self._scores(view, scorer)
        told = await self._run(lambda: ground(answer.value, view, redact=self._redact))
        if window.attempts < _TRIES and _tells_of_something_else(answer.value, told):
            msg = "nothing in the answer was said in the window; it may be an error, or a refusal"
            raise UnreadableAnswer(msg)
        grounded = _weighty(told, scores)
        likenesses = await self._likenesses(grounded.items, near)
        decisions, nothing = reconcile(
            grounded.items,
            near.known,
            alike=lambda item, known: (id(item), known.number) in likenesses,
        )
        decisions = lasting(decisions, language=view.language)
        return await self._run(
            lambda: self._write(
                scope,
                window,
                view,
                grounded,
                decisions,
                scores=scores,
                found=Extracted(
                    dropped=Counter(grounded.dropped)
                    + Counter(reason.value for reason in nothing)
                    + Counter({Reason.LONG.value: sum(line.skipped != 0 for line in view.lines)}),
                    usage=answer.usage,
                    scoring=spent,
                    parts=prompt.parts,
                    prompt_version=version,
                ),
            )
        )

    def _view(self, scope: ScopeRow, window: Window) -> View:
        with self._store.read(scope) as unit:
            return read_view(unit, window, zone=self._zone)

    def _skip(self, scope: ScopeRow, window: Window, view: View) -> Extracted:
        version = self._templates.version(NAME, view.language)
        with self._store.write(scope) as unit:
            unit.windows.close(window, skipped=True, prompt_version=version)
        return Extracted(prompt_version=version)

    def _write(
        self,
        scope: ScopeRow,
        window: Window,
        view: View,
        grounded: Grounded,
        decisions: Sequence[Decision],
        *,
        scores: Sequence[tuple[Sequence[Line], float]],
        found: Extracted,
    ) -> Extracted:
        with self._store.write(scope) as unit:
            writing = Writing(unit, view, self._episodes)
            writing.all(window, grounded, decisions, prompt_version=found.prompt_version)
            writing.weigh(scores)
        return Extracted(
            kept=dict(writing.kept),
            dropped=dict(Counter(found.dropped) + writing.dropped),
            usage=found.usage,
            scoring=found.scoring,
            parts=found.parts,
            prompt_version=found.prompt_version,
        )

    async def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Vectors of texts; None where there are none to be had now."""
        if self._embedder is None or not texts:
            return None
        try:
            return await self._embedder.embed_documents([embeddable(text) for text in texts])
        except EmbedderError:
            return None

    async def _likenesses(self, items: Sequence[Item], near: Nearby) -> set[tuple[int, int]]:
        """Which items an embedder takes for the same as something known."""
        vectors = await self._vectors([item.text for item in items])
        if vectors is None or self._embedder is None:
            return set()
        same = self._embedder.thresholds.same
        return {
            (id(item), number)
            for item, vector in zip(items, vectors, strict=True)
            for number, known in near.vectors.items()
            if float(np.dot(vector, known)) >= same
        }

    async def _scorer(self, model: ChatModel) -> ChatModel | None:
        """The model that scores: that of the task, if one is set (P4), or else the one that reads."""
        return None if self._scorers is None else await self._scorers.model(Task.SCORING) or model

    async def _scores(
        self, view: View, scorer: ChatModel | None
    ) -> tuple[list[tuple[Sequence[Line], float]], Usage]:
        """How weighty each exchange is, where a model is to say so."""
        spent = Usage()
        scores: list[tuple[Sequence[Line], float]] = []
        if scorer is None:
            return scores, spent
        for lines in exchanges_of(view.lines):
            score, usage = await score_turn(lines, scorer, self._templates, language=view.language)
            self._spent(Task.SCORING, usage)
            scores.append((lines, score))
            spent += usage
        return scores, spent


def _check(reading: Reading, *, names: Iterable[str]) -> None:
    """See that the model did its work.

    A summary that tells of somebody may tell of a refusal: a character may decline too.

    Raises:
        ModelRefused: it declined, in the place of the summary.
    """
    if not is_refusal(reading.summary):
        return
    told = fold(reading.summary)
    of_them = any(fold(name) in told for name in names)
    if not (of_them and (reading.facts or reading.plans or reading.details)):
        msg = "the model declined to read a window; another model, or another prompt, may not"
        raise ModelRefused(msg)


def _tells_of_something_else(reading: Reading, told: Grounded) -> bool:
    """Whether an answer is no more than a summary of what nobody said, as a server in trouble gives (F09)."""
    given = reading.facts or reading.plans or reading.guidance or reading.people or reading.feelings
    return not (given or reading.relationship or told.summary) and Reason.UNSUPPORTED in told.dropped


def _weighty(grounded: Grounded, scores: Sequence[tuple[Sequence[Line], float]]) -> Grounded:
    """Facts of light exchanges are left out, where exchanges are scored (H11)."""
    if not scores:
        return grounded
    light = {line.m for lines, score in scores if score < WORTH for line in lines}
    kept = tuple(
        item
        for item in grounded.items
        if item.kind is not Kind.FACT or any(one.line.m not in light for one in item.cited)
    )
    dropped = Counter(grounded.dropped)
    dropped[Reason.UNLIKELY] += len(grounded.items) - len(kept)
    return replace(grounded, items=kept, dropped=+dropped)

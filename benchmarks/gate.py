"""Fit the gate of the local embedding space from the lines in `benchmarks/topics/`.

    python -m benchmarks.gate [--loss 0.02]

First a logistic regression on the vectors of messages gives the direction; then a second one, on held-out
scores of the first, weighs it against the likeness of the nearest memory and the form of the message. The bar
is set so that at most the given share of the training messages whose memory would be found is lost. Writes
the gate into the package, and prints what it does on its own training files; `benchmarks/emptiness.py`
measures it on others.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.rows import read
from omoide.models.local import LocalEmbedder
from omoide.recall.names import cut_names
from omoide.recall.phrasing import cut_frame, phrased
from omoide.recall.requests import is_request

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TOPICS = Path(__file__).parent / "topics"
GATE = Path(__file__).parent.parent / "src/omoide/models/gates/multilingual-e5-small-q4.npz"
FOUND_WITHIN = 12
SLACK = 0.8
"""Log-odds that a message may lack if it does not have the form of a request."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message: its file, its vector, whether it is about a life, and what is nearest to it."""

    file: str
    vector: Floats
    on: bool
    request: bool
    likeness: float = np.nan
    found: bool = False


def main() -> None:
    """Fit, write, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--loss", type=float, default=0.02, help="share of findable messages that may be lost"
    )
    options = parser.parse_args()
    lines = asyncio.run(embedded())
    with_memories = [line for line in lines if not np.isnan(line.likeness)]
    held_out = scores_held_out(lines, with_memories)
    direction, offset = fit_direction(lines)
    weights, bar = fit_weights(with_memories, held_out, loss=options.loss)
    GATE.parent.mkdir(exist_ok=True)
    constant = weights[0] * offset + weights[-1] - bar + SLACK
    np.savez(
        GATE,
        direction=(weights[0] * direction).astype(np.float32),
        weights=np.array([constant, weights[1], weights[2] - SLACK], dtype=np.float32),
    )
    off = [place for place, line in enumerate(with_memories) if not line.on]
    empty = (features(with_memories, held_out) @ weights)[off] < bar
    print(f"{len(lines)} messages; {empty.mean():.0%} of the off-topic training messages stay empty")


async def embedded() -> list[Line]:
    """All lines of the training files, embedded."""
    embedder = LocalEmbedder()
    lines: list[Line] = []
    for path in sorted(TOPICS.glob("*.jsonl")):
        rows = read(path)
        lines += await embed(path.name, rows, embedder)
    await embedder.aclose()
    return lines


async def embed(name: str, rows: list[dict[str, Any]], embedder: LocalEmbedder) -> list[Line]:
    """The messages of one file; with the likeness of the nearest memory, where it holds memories."""
    header = rows[0] if "user" in rows[0] and "id" not in rows[0] else {}
    names = [header[role] for role in ("user", "character") if role in header]
    memories = [row for row in rows if "id" in row]
    spoken = [row for row in rows if "on" in row or "off" in row]
    messages = [row.get("on") or row["off"] for row in spoken]
    queries = np.stack([await embedder.embed_query(cut_frame(cut_names(text, names))) for text in messages])
    texts = [f"{names[0]}: {row['user']}\n{names[1]}: {row['reply']}" for row in memories]
    kept = await embedder.embed_documents(texts)
    near = queries @ kept.T if memories else np.full((len(queries), 1), np.nan)
    lines = []
    for row, text, query, cosines in zip(spoken, messages, queries, near, strict=True):
        nearest = (
            {memories[place]["id"] for place in np.argsort(-cosines)[:FOUND_WITHIN]} if memories else set()
        )
        lines.append(
            Line(
                file=name,
                vector=query.astype(np.float64),
                on="on" in row,
                request=is_request(text, phrased(text)),
                likeness=float(cosines.max()),
                found=bool(nearest & set(row.get("expects", ()))),
            )
        )
    return lines


def fit_direction(lines: list[Line]) -> tuple[Floats, float]:
    """The direction and the constant that tell messages about a life from others."""
    vectors = np.stack([line.vector for line in lines])
    middle = vectors.mean(axis=0)
    table = np.hstack([vectors - middle, np.ones((len(lines), 1))])
    fitted = logistic(table, np.array([line.on for line in lines]), ridge=0.1)
    return fitted[:-1], float(fitted[-1] - fitted[:-1] @ middle)


def scores_held_out(lines: list[Line], scored: list[Line]) -> Floats:
    """What a direction fitted without a message's own file says of it."""
    scores = np.zeros(len(scored))
    for name in {line.file for line in scored}:
        direction, offset = fit_direction([line for line in lines if line.file != name])
        for place, line in enumerate(scored):
            if line.file == name:
                scores[place] = line.vector @ direction + offset
    return scores


def features(lines: list[Line], scores: Floats) -> Floats:
    """Score, likeness, form and a constant: a row a message."""
    return np.array(
        [[score, line.likeness, line.request, 1.0] for line, score in zip(lines, scores, strict=True)]
    )


def fit_weights(lines: list[Line], scores: Floats, *, loss: float) -> tuple[Floats, float]:
    """The weights of the second step, and the bar."""
    table = features(lines, scores)
    deviations = np.array([*table[:, :-1].std(axis=0), 1.0])
    use = [place for place, line in enumerate(lines) if line.found or not line.on]
    on = np.array([lines[place].on for place in use])
    weights = logistic(table[use] / deviations, on, ridge=1.0) / deviations
    found = np.sort([row @ weights for row, line in zip(table, lines, strict=True) if line.found])
    return weights, float(found[int(len(found) * loss)])


def logistic(table: Floats, truth: NDArray[np.bool_], *, ridge: float, steps: int = 60) -> Floats:
    """Logistic regression by Newton's method; the last column is the constant and is not held back."""
    weights = np.zeros(table.shape[1])
    held = np.full(table.shape[1], ridge)
    held[-1] = 1e-3
    for _ in range(steps):
        odds = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        curve = (table * (odds * (1 - odds) + 1e-6)[:, None]).T @ table + np.diag(held)
        weights += np.linalg.solve(curve, table.T @ (truth - odds) - held * weights)
    return weights


if __name__ == "__main__":
    main()

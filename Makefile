# Every target sets up what it needs in .venv, with the exact versions of constraints/.
# `make help` lists the targets.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BASE   := $(VENV)/.base
DEV    := $(VENV)/.dev
BENCH  := $(VENV)/.bench
DOCS   := $(VENV)/.docs
WORKERS ?= 2
LATEST :=

# The locked versions for the Python in the environment (its file, or none), as pip wants them.
VERSION = $(shell $(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
LOCK    = $(if $(LATEST),,$(wildcard constraints/py$(subst .,,$(VERSION)).txt))
INSTALL = $(BIN)/python -m pip install -q --disable-pip-version-check \
          $(if $(LOCK),-c $(LOCK)) $(if $(LATEST),--upgrade --upgrade-strategy eager)
# What builds navproof is locked, too: it is taken from the environment, not fetched for each build.
EDITABLE = $(INSTALL) --no-build-isolation -e

.DEFAULT_GOAL := help
.PHONY: help demo test test-latest test-fuzz test-docs docs lint format bench lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "navproof needs Python >= 3.11; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(BASE): pyproject.toml $(wildcard constraints/*.txt) $(VENV)/.venv
	@echo "Installing navproof into $(VENV) ..."
	@$(if $(LOCK)$(LATEST),,echo "Python $(VERSION) has no file in constraints/: taking the newest versions that pyproject.toml allows.")
	@$(INSTALL) pip
	@$(INSTALL) 'hatchling>=1.25' editables
	@$(EDITABLE) .
	@touch $@

$(DEV): $(BASE)
	@echo "Installing the development tools into $(VENV) ..."
	@$(EDITABLE) '.[dev]'
	@touch $@

$(BENCH): $(BASE)
	@echo "Installing the peers of the benchmarks into $(VENV) ..."
	@$(EDITABLE) '.[dev,bench]'
	@touch $@

$(DOCS): $(BASE)
	@echo "Installing the documentation's tools into $(VENV) ..."
	@$(EDITABLE) '.[docs]'
	@touch $@

demo: $(BASE) ## run two agents clean and corrupted and write runs/demo/report.html
	@$(BIN)/navproof run --agent frontier,mlfm --suite demo --workers $(WORKERS) -o runs/demo --report

# Everything is run, whatever fails; $$failed keeps what did.
LINT = failed=""; \
  $(BIN)/ruff check . || failed="$$failed, ruff check"; \
  $(BIN)/ruff format --check . || failed="$$failed, ruff format"; \
  $(BIN)/mypy || failed="$$failed, mypy"; \
  if [ -n "$$failed" ]; then lint="failed ($${failed\#, })"; else lint=passed; fi

lint: $(DEV) ## ruff and mypy
	@$(LINT); echo "lint: $$lint"; [ -z "$$failed" ]

# two processes whose linear algebra takes all cores wait for each other
test: export OPENBLAS_NUM_THREADS = 1
test: $(DEV) ## lint and all tests; both are run, and both must pass
	@$(LINT); \
	$(BIN)/pytest -n 2 --dist loadscope && tests=passed || tests="failed (pytest: $$?)"; \
	echo; echo "lint:  $$lint"; echo "tests: $$tests"; \
	[ "$$lint, $$tests" = "passed, passed" ]

test-latest: ## the same with the newest releases that pyproject.toml allows, in .venv-latest
	@rm -f .venv-latest/.base
	@$(MAKE) --no-print-directory test VENV=.venv-latest LATEST=yes

test-fuzz: $(DEV) ## give 10,000 damaged files of every kind to navproof (half an hour on 2 cores)
	$(BIN)/python tests/fuzz/fuzz_run.py --count 10000

test-docs: $(DEV) ## run every command and every example of the documentation
	$(BIN)/pytest tests/docs --all-docs

docs: $(DOCS) ## write the documentation site to site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html, or serve it with: $(BIN)/mkdocs serve"

format: $(DEV) ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH) ## all benchmarks; renders and corruptions with peers (QUICK=1: seconds each)
	@for bench in benchmarks/bench_*.py; do \
	  echo; echo "== $$bench"; $(BIN)/python $$bench $(if $(QUICK),--quick) || failed="$$failed $$bench"; \
	done; \
	[ -z "$$failed" ] || { echo; echo "failed:$$failed"; exit 1; }

lock: ## write constraints/ anew, with the newest releases that pyproject.toml allows
	@$(PYTHON) scripts/lock.py

clean: ## remove the virtual environments, the runs and the site
	rm -rf $(VENV) .venv-latest runs site

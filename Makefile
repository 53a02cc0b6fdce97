# Every target sets up what it needs in .venv. `make help` lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BASE   := $(VENV)/.base
DEV    := $(VENV)/.dev
BENCH  := $(VENV)/.bench
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "navproof needs Python >= 3.11; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(BASE): pyproject.toml $(VENV)/.venv
	@echo "Installing navproof into $(VENV) ..."
	@$(BIN)/pip install -q --disable-pip-version-check -e .
	@touch $@

$(DEV): $(BASE)
	@echo "Installing the development tools into $(VENV) ..."
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

$(BENCH): $(DEV)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[bench]'
	@touch $@

demo: $(BASE) ## run two agents clean and corrupted and write runs/demo/report.html
	@$(BIN)/navproof run --agent frontier,mlfm --suite demo --workers $(WORKERS) -o runs/demo --report

lint: $(DEV) ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# two processes whose linear algebra takes all cores wait for each other
test: export OPENBLAS_NUM_THREADS = 1
test: lint ## lint, then all tests
	$(BIN)/pytest -n 2 --dist loadscope

format: $(DEV) ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH) ## all benchmarks; renders and corruptions with peers
	$(BIN)/python benchmarks/bench_render.py
	$(BIN)/python benchmarks/bench_step.py
	$(BIN)/python benchmarks/bench_geodesic.py
	$(BIN)/python benchmarks/bench_world.py
	$(BIN)/python benchmarks/bench_words.py
	$(BIN)/python benchmarks/bench_perception.py
	$(BIN)/python benchmarks/bench_mapping.py
	$(BIN)/python benchmarks/bench_search.py
	$(BIN)/python benchmarks/bench_corruptions.py
	$(BIN)/python benchmarks/bench_sensors.py
	$(BIN)/python benchmarks/bench_robots.py
	$(BIN)/python benchmarks/bench_people.py
	$(BIN)/python benchmarks/bench_physics.py

clean: ## remove the virtual environment and the runs
	rm -rf $(VENV) runs

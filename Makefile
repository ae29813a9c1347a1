# Needs Python 3.11 or newer, git and make; everything else goes into .venv. uv is used when it is there.

BIN := .venv/bin
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
say = @printf '\n== %s\n'

# The working tree's packages must be found through the installation, as a user's are.
unexport PYTHONPATH

.NOTPARALLEL:
.PHONY: demo test lint types directions schemas wheel older cover docs bench compiled fuzz clean

demo: .venv/stamp
	@$(BIN)/spyrium demo

test: lint types directions docs wheel older cover

lint: .venv/stamp
	$(say) 'ruff: every rule, the exceptions in pyproject.toml'
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: .venv/stamp
	$(say) 'mypy: strict, over package, command line, tests and benchmarks'
	@$(BIN)/mypy

directions: .venv/stamp
	$(say) 'import-linter: who may import whom'
	@$(BIN)/lint-imports --no-logo --no-cache

schemas: .venv/stamp
	$(say) 'schemas: made from the types and compared'
	@$(BIN)/python -m pytest -q tests/test_schemas.py

docs: .venv/stamp
	$(say) 'docs: pages built offline; a dead link, or a page that no index lists, is an error'
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --nitpicky --quiet --fresh-env docs dist/docs

wheel: .venv/stamp
	$(say) 'wheel: built, and used without the tree and without the tools'
	@$(BIN)/python -m tests.checks.wheel

cover: .venv/stamp
	$(say) 'pytest: warnings are errors, branches are counted; a file of tests to each processor'
	@$(BIN)/python -m pytest -n auto --dist loadfile --cov --cov-report=
	@$(BIN)/coverage report --fail-under=97
	$(say) 'coverage of the rules and of the log'
	@$(BIN)/coverage report --include='spyrium_log/titles/*,spyrium_log/log/*' --fail-under=98

# The other DuckDB that people have. It lies before the one of the environment.
OLDER := .venv/older
ASKING := tests/readmodel tests/analysis tests/cli/test_ask.py tests/cli/test_index.py tests/cli/test_query.py
# What is asked of the order of updates, whichever DuckDB they go into.
ORDERS := --ignore=tests/readmodel/test_histories.py --ignore=tests/readmodel/test_large_archives.py

$(OLDER)/stamp: .venv/stamp
	@rm -rf $(OLDER)
	@if command -v uv >/dev/null \
		&& uv pip install --quiet --python $(BIN)/python --target $(OLDER) 'duckdb==1.5.*'; then :; else \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(OLDER) 'duckdb==1.5.*'; fi
	@touch $@

older: $(OLDER)/stamp
	$(say) 'DuckDB 1.5: tables, questions and reports once more'
	@PYTHONPATH=$(OLDER) $(BIN)/python -c "import duckdb; print('duckdb', duckdb.__version__); \
		assert duckdb.__version__.startswith('1.5.')"
	@PYTHONPATH=$(OLDER) $(BIN)/python -m pytest -n auto --dist loadfile -q $(ORDERS) $(ASKING)

bench: .venv/stamp
	@$(BIN)/python -m benchmarks

# needs a C compiler; nothing else here does
compiled: .venv/stamp
	$(say) 'compiled: the optional build, and game by game that it says what the sources say'
	@$(BIN)/python -m tests.compiled 1000

fuzz: .venv/stamp
	@$(BIN)/python -m tests.campaign

clean:
	rm -rf .venv dist .coverage htmlcov .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# uv does not read pip's configuration: where only that one names an index, pip is asked instead.
.venv/stamp: pyproject.toml
	$(say) 'environment: .venv'
	@if command -v uv >/dev/null \
		&& { test -x $(BIN)/python || uv venv --quiet --python '>=3.11' .venv; } \
		&& uv pip install --quiet --python $(BIN)/python --editable . --group dev --group docs --group bench; then :; else \
		test -n "$(PYTHON)" || { echo 'make: no Python 3.11 or newer found' >&2; exit 1; }; \
		test -x $(BIN)/pip || { rm -rf .venv && "$(PYTHON)" -m venv .venv; } || exit 1; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' \
		&& $(BIN)/python -m pip install --quiet --editable . --group dev --group docs --group bench; fi
	@touch $@

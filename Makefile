# Needs Python 3.11 or newer, bash, git and make; everything else goes into .venv. uv is used when it is there.

BIN := .venv/bin
# The oldest Python that is here; the tests run on the newest, too.
PYTHON ?= $(shell tests/checks/pythons | head -n 1)
NEWEST ?= $(shell tests/checks/pythons | tail -n 1)
say = @printf '\n== %s\n'

# The working tree's packages must be found through the installation, as a user's are.
unexport PYTHONPATH

.NOTPARALLEL:
.PHONY: demo test lint types directions schemas wheel newest long cover docs bench compiled fuzz lock clean

demo: .venv/stamp
	@$(BIN)/spyrium demo

test: lint types directions docs wheel newest long cover

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

# Tests of many games or of whole processes. Counting branches slows them down, and finds none that the others leave out.
UNCOUNTED := tests/test_docs.py tests/test_defects.py tests/test_laws.py tests/test_benchmarks.py tests/edit/test_amend_laws.py \
	tests/founders/test_laws.py tests/founders/test_oracle.py tests/founders/test_altered.py tests/founders/test_evening.py \
	tests/founders/test_roads_before_tiles.py tests/spyrium/test_oracle.py tests/spyrium/test_prices.py \
	tests/spyrium/test_altered.py tests/spyrium/test_conservation.py tests/analysis/test_confounder.py \
	tests/analysis/test_placebos.py \
	tests/readmodel/test_histories.py tests/readmodel/test_large_archives.py tests/cli/test_bombs.py tests/cli/test_work.py \
	tests/cli/test_hostile_words.py tests/cli/test_killed.py tests/cli/test_killed_commands.py

# A file of tests to each processor, in the order of the call: the longest of UNCOUNTED first, the others by name.
SPREAD := -n auto --dist loadfile --no-loadscope-reorder --durations=20

long: .venv/stamp
	$(say) 'pytest: laws, campaigns and whole processes'
	@$(BIN)/python -m pytest $(SPREAD) $(UNCOUNTED)

cover: .venv/stamp
	$(say) 'pytest: all the others, with their branches counted; warnings are errors'
	@$(BIN)/python -m pytest $(SPREAD) --cov --cov-report= $(addprefix --ignore=,$(UNCOUNTED))
	@$(BIN)/coverage report --fail-under=97
	$(say) 'coverage of the rules and of the log'
	@$(BIN)/coverage report --include='spyrium_log/titles/*,spyrium_log/log/*' --fail-under=98

# The other end of what is supported: the newest Python, with the DuckDB before.
SECOND := .venv/newest
# What asks the database, and what reads, writes and replays; not what is slow and asks neither of them anything new.
ON_NEWEST := tests/test_examples.py tests/test_play.py tests/log tests/store tests/entry tests/exchange tests/readmodel \
	tests/analysis/test_oracle.py tests/analysis/test_reports.py tests/cli/test_tree.py tests/cli/test_query.py \
	--ignore=tests/readmodel/test_histories.py --ignore=tests/readmodel/test_large_archives.py \
	--ignore=tests/readmodel/test_verification.py --ignore=tests/exchange/test_importer.py
OLDER_DUCKDB := duckdb==1.5.6

$(SECOND)/stamp: .venv/stamp
	@grep -v '^duckdb==' constraints.txt >.venv/constraints.txt
	@tests/checks/environment $(SECOND) "$(NEWEST)" --constraint .venv/constraints.txt --editable . --group test '$(OLDER_DUCKDB)'
	@touch $@

newest: $(SECOND)/stamp
	$(say) 'the newest Python that is here, with DuckDB 1.5'
	@$(SECOND)/bin/python -c "import duckdb, sys; here = '%d.%d' % sys.version_info[:2]; \
		print('Python', here, 'with duckdb', duckdb.__version__); assert duckdb.__version__.startswith('1.5.')"
	@test "$$($(BIN)/python -V)" != "$$($(SECOND)/bin/python -V)" || echo 'There is one Python here: no other was tried.'
	@$(SECOND)/bin/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -q $(ON_NEWEST)

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

.venv/stamp: pyproject.toml constraints.txt
	$(say) 'environment: .venv'
	@tests/checks/environment .venv "$(PYTHON)" --constraint constraints.txt --editable . --group dev
	@touch $@

# Exact versions of everything, so that a run can be repeated while warnings are errors. `make lock` looks for newer ones.
lock:
	@rm -rf .venv/unlocked
	@tests/checks/environment .venv/unlocked "$(PYTHON)" --editable . --group dev
	@{ echo '# Made by `make lock`.'; .venv/unlocked/bin/python -m pip freeze --exclude-editable; } >constraints.txt
	@rm -rf .venv/unlocked

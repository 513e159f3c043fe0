# Two commands set everything up: `make demo` and `make test`. Both need Python >= 3.11 and make, nothing else.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PREPARED := $(VENV)/.prepared
ENVIRONMENT := $(VENV)/.environment-installed
TEST_TOOLS := $(VENV)/.test-installed
DOCS_TOOLS := $(VENV)/.docs-installed
DEV_TOOLS := $(VENV)/.dev-installed
BENCHMARK_TOOLS := $(VENV)/.benchmark-tools-installed
REQUIREMENTS := pyproject.toml constraints.txt
INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet $(PIP_OPTIONS) --constraint constraints.txt
# Two processes by default: tests and pages are sized for two cores. One thread in each, so that they do not fight over the cores.
TEST_PROCESSES ?= 2
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
# Python keeps what it compiled, since the tests start many processes, which would compile everything again.
KEEP_COMPILED := PYTHONDONTWRITEBYTECODE=

.PHONY: tools demo test slow portable mutants certificates gpu lint site pages benchmarks details clean help
.DELETE_ON_ERROR:

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed 's/:.*## /\t/' | expand -t 14

demo: $(ENVIRONMENT) ## derive the two-point theory, train, fit, compare; writes a report and prints where it is
	@$(BIN)/closedform demo

test: $(TEST_TOOLS) ## the fast test suite
	@$(ONE_THREAD) $(KEEP_COMPILED) $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal --quiet --durations 5

slow: $(TEST_TOOLS) ## the slow tests
	@$(ONE_THREAD) $(KEEP_COMPILED) $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist worksteal -m "slow and not gpu" --durations=10

portable: $(TEST_TOOLS) ## the fast tests under several instruction sets (SETTINGS="oldest avx2", TESTS=tests/theory)
	@TEST_PROCESSES=$(TEST_PROCESSES) $(BIN)/python tests/portable/run.py $(if $(SETTINGS),--settings $(SETTINGS) --) $(TESTS)

mutants: $(TEST_TOOLS) ## plant small errors, see which no test notices (SAMPLE=300 MUTANTS_SEED=1 PART=1/2 ONLY=theory/two_point)
	@$(ONE_THREAD) $(BIN)/python tests/mutants/run.py --sample $(or $(SAMPLE),300) --seed $(or $(MUTANTS_SEED),1) --part $(or $(PART),1/1) --only "$(ONLY)"

certificates: $(TEST_TOOLS) ## try all steps with Coq, which must be installed, and wrong ones; verdicts into theory/certificates.json
	@$(ONE_THREAD) $(BIN)/closedform certify --out docs/_build/certificates --record
	@$(ONE_THREAD) $(BIN)/closedform certify --ledger --record
	@$(ONE_THREAD) $(BIN)/python -m tests.bridge.certify.planted

gpu: $(TEST_TOOLS) ## the tests that need a CUDA device
	@$(BIN)/python -m pytest -m gpu -rs

tools: ## what the tests, lint, site and pages need, installed at once, which takes half as long as one after the other
	@test -e $(TEST_TOOLS) || { $(MAKE) --silent $(PREPARED) && \
	  $(INSTALL) --no-build-isolation --editable ".[all,dev,docs]" && \
	  touch $(ENVIRONMENT) $(TEST_TOOLS) $(DEV_TOOLS) $(DOCS_TOOLS); }
	@$(MAKE) --silent $(TEST_TOOLS) $(DEV_TOOLS) $(DOCS_TOOLS)

lint: $(DEV_TOOLS) ## rules of style, formatting, types, import rule
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

site: $(DOCS_TOOLS) ## the site as it is published, with executed tutorials and the ledgers, into docs/_build/html
	@$(ONE_THREAD) $(BIN)/python -m sphinx -j $(TEST_PROCESSES) -W --keep-going -q -b html docs docs/_build/html
	@echo "site: docs/_build/html/index.html"

pages: $(DOCS_TOOLS) ## the site without what takes long: verdicts of the ledgers, tutorials, navigation; into docs/_build/pages
	@$(BIN)/python -m sphinx -j $(TEST_PROCESSES) -W --keep-going -q -t pages -b html docs docs/_build/pages
	@echo "pages: docs/_build/pages/index.html"

benchmarks: $(BENCHMARK_TOOLS) ## side by side with what one would use instead, into docs/benchmarks.md (BESIDE=1 keeps earlier runs)
	@$(BIN)/python benchmarks/table.py $(if $(BESIDE),--beside)

details: $(TEST_TOOLS) ## the programs of benchmarks/ that look at one subject each, which takes much longer
	@set -e; for file in $$(grep -l '^if __name__' benchmarks/*.py | grep -v table.py); do \
	  case $$file in *_on_gpu.py) $(BIN)/python -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' || continue;; esac; \
	  echo "== $$file"; $(ONE_THREAD) $(BIN)/python $$file; done

clean: ## everything that these commands made, the environment included
	rm -rf $(VENV) build dist docs/_build docs/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# The stamp is older than pyproject.toml or constraints.txt only when these changed: a second run installs nothing.
# The build backend comes first and without isolation, so that constraints.txt pins it, too.
$(PREPARED): $(REQUIREMENTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "closedform needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing into $(VENV) (once; most of the time goes into downloading torch) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(INSTALL) hatchling editables
	@touch $@

$(ENVIRONMENT): $(PREPARED)
	@$(INSTALL) --no-build-isolation --editable ".[all]"
	@touch $@

$(TEST_TOOLS): $(PREPARED)
	@$(INSTALL) --no-build-isolation --editable ".[all,test]"
	@touch $(ENVIRONMENT) $@

$(DOCS_TOOLS): $(PREPARED)
	@$(INSTALL) --no-build-isolation --editable ".[all,docs]"
	@touch $@

$(DEV_TOOLS): $(PREPARED)
	@$(INSTALL) --no-build-isolation --editable ".[all,dev]"
	@touch $@

$(BENCHMARK_TOOLS): $(PREPARED)
	@$(INSTALL) --no-build-isolation --editable ".[all,benchmarks]"
	@touch $@

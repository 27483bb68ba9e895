# make demo   answers a question about the snapshot in examples/, no cluster needed
# make test   passes the tests
# Both make their own virtual environment; they need nothing but Python 3.11 or later.

VENV ?= .venv
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$python; break; fi; done)
INSTALL = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint cover fuzz audit lock locked docs site package-test release-dry-run clean

demo: $(VENV)/bin/kubectl-kueue
	@$(VENV)/bin/kubectl-kueue explain workload train-big --namespace team-a --snapshot examples/snapshot.json

test: $(VENV)/bin/pytest
	@$(VENV)/bin/python -m pytest

lint: $(VENV)/bin/ruff
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

cover: $(VENV)/bin/pytest
	@$(VENV)/bin/python -m pytest --cov --cov-report=term

# Looks for inputs that crash a reader: tests/fuzzing, so many seconds for each target.
FUZZ_SECONDS ?= 60
fuzz: $(VENV)/.fuzz
	@$(VENV)/bin/python -m tests.fuzzing all $(FUZZ_SECONDS)

# Known vulnerabilities of what CI and releases install, then bandit over what they run. --strict: a package that
# cannot be looked up fails it, as pip-audit otherwise skips it and says that nothing was found.
audit: $(VENV)/bin/pip-audit
	@$(VENV)/bin/bandit --quiet --recursive --configfile pyproject.toml kubectl_kueue krew
	@for lock in ci package release wheel; do \
		$(VENV)/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements/$$lock.txt || { \
		echo "make audit: requirements/$$lock.txt is not known to be clean. The line above names a package with a known" \
		"vulnerability, or one that could not be looked up: pip-audit asks https://pypi.org/pypi/NAME/VERSION/json, and" \
		"without network, or from a mirror that has no such pages, nothing was audited." >&2; exit 1; }; \
	done

# What CI and releases install, anew, with hashes: the newest that pyproject.toml allows. ci: dependencies, tests and
# linters; package: dependencies and what makes archives for krew; release: what makes the rest; wheel: dependencies alone.
COMPILE = $(VENV)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml

lock: $(VENV)/bin/uv
	@$(COMPILE) --group test --group lint --group build --output-file requirements/ci.txt
	@$(COMPILE) --group package --output-file requirements/package.txt
	@$(COMPILE) --group release --output-file requirements/release.txt
	@$(COMPILE) --output-file requirements/wheel.txt

# An environment of exactly what requirements/ci.txt names, for the other targets to find; nothing else is fetched.
locked:
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --require-hashes --no-deps --requirement requirements/ci.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(VENV)/bin/kubectl-kueue
	@touch $(VENV)/bin/pytest $(VENV)/bin/ruff

# What is generated in docs/ and man/, made anew from the commands and the snapshot in examples/.
docs: $(VENV)/bin/kubectl-kueue
	@$(VENV)/bin/python -m docs.scripts

site: $(VENV)/bin/properdocs
	@$(VENV)/bin/properdocs build --quiet

# Builds wheel and krew's archive and installs them with pipx, uv and krew: ten minutes.
package-test: $(VENV)/bin/pytest
	@KUEUE_PACKAGING_TESTS=1 $(VENV)/bin/python -m pytest tests/packaging

# Everything of a release but the upload, in dist/.
release-dry-run: $(VENV)/bin/pyproject-build
	@$(VENV)/bin/python krew/release.py

clean:
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage build dist

# A script of the environment stands for what was installed with it; a newer pyproject.toml installs again.
# Dependency groups need pip 25.1, so pip comes first.

$(VENV)/bin/kubectl-kueue: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Installing into $(VENV), once ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/bin/pytest: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --group test
	@touch $@

$(VENV)/bin/ruff: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --group lint
	@touch $@

$(VENV)/bin/properdocs: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --group docs
	@touch $@

$(VENV)/bin/pyproject-build: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --group release
	@touch $@

$(VENV)/.fuzz: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --group fuzz
	@touch $@

$(VENV)/bin/pip-audit: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --group audit
	@touch $@

$(VENV)/bin/uv: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --group lock
	@touch $@

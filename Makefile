# make demo   answers a question about the snapshot in examples/, no cluster needed
# make test   passes the tests
# Both make their own virtual environment; they need nothing but Python 3.11 or later.

VENV ?= .venv
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$python; break; fi; done)
INSTALL = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint cover audit lock docs site package-test release-dry-run clean

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

# Known vulnerabilities of what CI installs. --strict: a package that cannot be looked up fails it, as pip-audit
# otherwise skips it and says that nothing was found.
audit: $(VENV)/bin/pip-audit
	@$(VENV)/bin/pip-audit --strict --requirement requirements/ci.txt --no-deps --disable-pip

# The versions that CI installs, anew: the newest that pyproject.toml allows.
lock: $(VENV)/bin/pytest $(VENV)/bin/ruff
	@{ grep '^#' requirements/ci.txt; $(VENV)/bin/python -m pip freeze --exclude-editable | grep -v '^pip-audit'; } > requirements/ci.new
	@mv requirements/ci.new requirements/ci.txt

$(VENV)/bin/pip-audit: $(VENV)/bin/kubectl-kueue
	@$(INSTALL) 'pip-audit>=2.9,<3'
	@touch $@

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

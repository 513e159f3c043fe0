"""The ledgers together: every paper has one, labels are unique, one paper does not import the others."""

import subprocess
import sys

import pytest

import theory
from theory.catalogue import LEDGERS

LIST = "import sys, theory; theory.equations('{}'); print(*(m for m in sys.modules if m.startswith('theory.papers.')))"


def test_all_five_papers_have_a_ledger():
    assert {entry.paper for entry in theory.equations()} == set(LEDGERS)
    assert len(LEDGERS) == 5


def test_one_paper_is_read_without_the_others():
    command = [sys.executable, "-c", LIST.format("paccolat2021")]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "paccolat2021" in loaded
    assert "zavatoneveth2023" not in loaded


def test_an_unknown_paper_is_named():
    with pytest.raises(ValueError, match="nobody1999"):
        theory.equations("nobody1999")
    with pytest.raises(ValueError, match="vanrossem2024"):
        theory.errata("nobody1999")

"""What the verdicts of a ledger rest on: its text, its programs and the theory, but none of the other ledgers."""

import re
import time
from pathlib import Path

import pytest

import theory
from theory.core.proof import store
from theory.ledger import LEDGERS

FILES = ("../closedform/a.py", "core/b.py", "one/c.py", "papers/p/ledger.txt", "papers/p/d.py", "papers/q/e.py")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    root = tmp_path / "theory"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    monkeypatch.setattr(store, "_CORE", root / "core")
    monkeypatch.setattr(store, "GROUND", tmp_path / "closedform")
    yield root
    store.paper_digest.cache_clear()


def digest(monkeypatch, package, started):
    monkeypatch.setattr(store, "_STARTED", started)
    store.paper_digest.cache_clear()
    return store.paper_digest(package)


def test_a_ledger_rests_on_its_files_and_on_the_theory_without_other_ledgers(tree, monkeypatch):
    before, changing = digest(monkeypatch, "theory.papers.p", time.time() + 60), set()
    for name in FILES:
        (tree / name).write_text("changed")
        if digest(monkeypatch, "theory.papers.p", time.time() + 60) != before:
            changing.add(name)
        (tree / name).write_text("")
    assert changing == set(FILES) - {"papers/q/e.py"}


def test_what_is_not_known_is_not_hashed(tree, monkeypatch):
    assert digest(monkeypatch, "somebody.else", time.time() + 60) is None
    assert digest(monkeypatch, "theory.papers.p", time.time() - 3600) is None


@pytest.mark.parametrize("paper", theory.ledgers())
def test_no_ledger_imports_another_one(paper):
    folder = Path(store.__file__).parents[2] / "papers" / LEDGERS.targets[paper].rpartition(".")[2]
    text = " ".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert set(re.findall(r"theory\.papers\.(\w+)", text)) <= {paper}

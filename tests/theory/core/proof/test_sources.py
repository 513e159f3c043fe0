"""What the verdicts of a ledger rest on: its text, its programs and the theory, but none of the other ledgers."""

import re
import time
from pathlib import Path

import pytest

import theory
from theory.core.proof import store
from theory.ledger import LEDGERS

FILES = ("../closedform/a.py", "core/b.py", "one/c.py", "../papers/p/ledger/ledger.txt", "../papers/p/ledger/d.py",
         "../papers/p/studies/f.py", "../papers/q/ledger/e.py")  # fmt: skip


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
    before, changing = digest(monkeypatch, "papers.p.ledger", time.time() + 60), set()
    for name in FILES:
        (tree / name).write_text("changed")
        if digest(monkeypatch, "papers.p.ledger", time.time() + 60) != before:
            changing.add(name)
        (tree / name).write_text("")
    assert changing == set(FILES) - {"../papers/p/studies/f.py", "../papers/q/ledger/e.py"}


def test_what_is_not_known_is_not_hashed(tree, monkeypatch):
    assert digest(monkeypatch, "somebody.else", time.time() + 60) is None
    assert digest(monkeypatch, "papers.p.ledger", time.time() - 3600) is None


@pytest.mark.parametrize("paper", theory.ledgers())
def test_no_ledger_imports_another_one(paper):
    folder = Path(store.__file__).parents[3].joinpath(*LEDGERS.targets[paper].split("."))
    text = " ".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert set(re.findall(r"papers\.(\w+)\.ledger", text)) <= {paper}

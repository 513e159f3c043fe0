"""What a module of the theory rests on: its file, all that it imports, core and ground floor; not the other papers."""

import time

import pytest

from theory.core.proof import imports, sources

FILES = {
    "../closedform/b.py": "",
    "__init__.py": "",
    "core/a.py": "",
    "one/__init__.py": "",
    "one/x.py": "from theory.two import y\n",
    "one/z.py": "",
    "two/__init__.py": "FORMS = {}\n",
    "two/y.py": "import numpy\n",
    "papers/__init__.py": "",
    "papers/p/__init__.py": "from theory.papers.p import e, f\n",
    "papers/p/e.py": "def program():\n    from theory.one.x import value\n",
    "papers/p/f.py": "from theory.papers.p.paper import PAPER\nfrom theory.one import FORMS\n",
    "papers/p/paper.py": "",
    "papers/p/measurements.json": "{}",
    "papers/q/__init__.py": "from . import g\n",
    "papers/q/g.py": "from theory.papers.p.e import program\nimport theory\n",
}
ALWAYS = {"../closedform/b.py", "core/a.py"}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    root = tmp_path / "theory"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name, folder in (("_ROOT", root), ("_PAPERS", root / "papers"), ("_CORE", root / "core")):
        monkeypatch.setattr(imports, name, folder)
    monkeypatch.setattr(sources, "GROUND", tmp_path / "closedform")
    forget(monkeypatch)
    yield root
    forget(monkeypatch)


def forget(monkeypatch):
    monkeypatch.setattr(sources, "_STARTED", time.time())
    for remembered in (imports._common, imports._imported, imports._resolved):
        remembered.cache_clear()


def changing(tree, monkeypatch, read):
    """The files whose change changes what ``read`` returns."""
    before, found = read(), set()
    assert before is not None
    for name, text in FILES.items():
        (tree / name).write_text(f"{text} ")
        forget(monkeypatch)
        if read() != before:
            found.add(name)
        (tree / name).write_text(text)
    forget(monkeypatch)
    assert read() == before
    return found


@pytest.mark.parametrize(
    ("module", "files"),
    [
        ("theory.papers.p.paper", {*ALWAYS, "papers/p/paper.py"}),
        ("theory.papers.p.e", {*ALWAYS, "papers/p/e.py", "one/x.py", "two/y.py"}),
        # an attribute of a package may come from any of its modules
        ("theory.papers.p.f",
         {*ALWAYS, "papers/p/f.py", "papers/p/paper.py", "one/__init__.py", "one/x.py", "one/z.py", "two/y.py"}),
        ("theory.papers.q.g",
         {name for name in FILES if not name.startswith("papers/")} | {"papers/q/g.py", "papers/p/e.py"}),
    ],
)  # fmt: skip
def test_a_module_rests_on_what_it_imports(tree, monkeypatch, module, files):
    assert changing(tree, monkeypatch, lambda: imports.module_digest(module)) == files


def test_a_ledger_rests_on_the_theory_and_on_the_papers_that_it_mentions(tree, monkeypatch):
    assert changing(tree, monkeypatch, lambda: imports.paper_digest("theory.papers.p")) == {
        name for name in FILES if not name.startswith("papers/") or name.startswith("papers/p/")
    }
    own = changing(tree, monkeypatch, lambda: imports.paper_digest("theory.papers.q"))
    assert own == set(FILES) - {"papers/__init__.py"}


def test_what_is_not_known_is_not_hashed(tree, monkeypatch):
    assert imports.module_digest("somebody.else") is None
    assert imports.paper_digest("somebody.else") is None
    monkeypatch.setattr(sources, "_STARTED", time.time() - 3600)
    assert imports.module_digest("theory.papers.p.e") is None
    assert imports.paper_digest("theory.papers.p") is None


def test_one_digest_of_several():
    assert imports.digest_of_all(["a", "a"]) == "a"
    assert imports.digest_of_all(["a", "b"]) == imports.digest_of_all(["b", "a"]) != "a"
    assert imports.digest_of_all(["a", None]) is None
    assert imports.digest_of_all([]) is None

"""Tests that the reference begins with the public names of a package, where they are defined and what they do."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"


@pytest.fixture
def names(monkeypatch):
    """docs/_extensions/public_names.py, which is in no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("public_names")


def test_names_are_found_where_they_are_defined_with_their_first_sentence(
    names, monkeypatch, tmp_path
):
    monkeypatch.setattr(names, "ROOT", tmp_path)
    inner = tmp_path / "top" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "top" / "__init__.pyi").write_text(
        "from . import module\nfrom .module import one as one\nfrom .module import CONSTANT as CONSTANT\n"
        "from .inner import two as renamed\n"
    )
    (tmp_path / "top" / "module.py").write_text(
        'CONSTANT = 1\ndef one():\n    """Do one\n    thing.\n\n    More."""\n'
    )
    (inner / "__init__.pyi").write_text("from .deep import Two as two\n")
    (inner / "__init__.py").write_text("")
    (inner / "deep.py").write_text('class Two:\n    """Be two."""\n')
    assert names.public_names("top") == [
        ("one", "top.module.one", "Do one thing."),
        ("renamed", "top.inner.deep.Two", "Be two."),
    ]
    assert names.public_names("top.module") == []
    page = "\n".join(names.reference({"top": ["top.inner"]}))
    assert ":py:obj:`one <top.module.one>`" in page
    assert "   api/top.inner" in page


@pytest.mark.parametrize("package", ["theory.geometry", "bridge"])
def test_every_public_function_has_a_line_that_leads_to_it(names, package):
    """The stubs are read without importing; here, the objects themselves say where they are defined."""
    listed = names.public_names(package)
    offered = importlib.import_module(package)
    assert listed
    for name, place, sentence in listed:
        thing = getattr(offered, name)
        assert place == f"{thing.__module__}.{thing.__qualname__}"
        assert sentence.split(".")[0] in " ".join(thing.__doc__.split())

"""Tests of the progress bar: on stderr, silent on request, and absent for short tasks."""

from __future__ import annotations

from functools import partial

import pytest

from empirics.training import progress


@pytest.fixture(autouse=True)
def not_disabled(monkeypatch):
    """The environment of the tests may ask for silence."""
    monkeypatch.setattr(progress, "tqdm", partial(progress.tqdm, disable=False))


def test_shown_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.0)
    with progress.bar("learning", 3, "epoch", initial=1) as shown:
        shown.update(2)
        assert shown.n == 3
    said = capsys.readouterr()
    assert "learning" in said.err
    assert not said.out


def test_silent_where_asked(capsys, monkeypatch):
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.0)
    assert list(progress.bar("learning", 3, "epoch", progress=False, over=range(3))) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


def test_silent_where_quick(capsys):
    assert list(progress.bar("learning", 3, "epoch", over=range(3))) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")

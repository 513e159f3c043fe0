"""Tests of the progress bar: on stderr, silent on request, and absent for short tasks."""

from __future__ import annotations

from functools import partial

import pytest

from empirics.training import progress


@pytest.fixture(autouse=True)
def not_disabled(monkeypatch):
    """The environment of the tests may ask for silence."""
    monkeypatch.setattr(progress, "tqdm", partial(progress.tqdm, disable=False))
    monkeypatch.delenv("TQDM_DISABLE", raising=False)


def test_shown_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
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


def test_plain_lines_where_there_is_no_terminal(capsys, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    with progress.bar("learning", 100, "epoch", initial=10) as shown:
        for _ in range(9):
            clock[0] += 20.0
            shown.update(10)
        assert shown.n == 100
    assert capsys.readouterr().err.splitlines() == [
        "learning: 40 of 100 epochs, 120 s left",
        "learning: 70 of 100 epochs, 60 s left",
        "learning: 100 of 100 epochs, 0 s left",
    ]


def test_plain_lines_never_go_backwards(capsys, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    shown = progress.bar("learning", 100, "epoch")
    for count in (50, -20, 10):
        clock[0] += 60.0
        shown.update(count)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_plain_lines_of_a_percentage(capsys, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    shown = progress.bar("flow", 100, "% fitted")
    clock[0] += 60.0
    shown.update(50)
    assert capsys.readouterr().err == "flow: 50 of 100 % fitted, 60 s left\n"

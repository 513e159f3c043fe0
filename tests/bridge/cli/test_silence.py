"""The line that says that a command works, where it has been silent for a second."""

import io
import sys
import time

import pytest

from bridge.cli import silence


class Terminal(io.StringIO):
    def isatty(self):
        return True


def a_terminal(monkeypatch):
    streams = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    monkeypatch.setattr(silence, "SECONDS", 0.02)
    return streams  # within a test, since pytest sets its own for each of its phases


def test_a_silent_command_says_that_it_works(monkeypatch):
    terminal = a_terminal(monkeypatch)
    with silence.never_silent("show"):
        time.sleep(0.2)
    assert terminal[1].getvalue() == "closedform show: working\n"
    assert (sys.stdout, sys.stderr) == terminal


@pytest.mark.parametrize("which", ["stdout", "stderr"])
def test_a_command_that_has_said_something_is_not_interrupted(monkeypatch, which):
    terminal = a_terminal(monkeypatch)
    with silence.never_silent("show"):
        print("a formula", file=getattr(sys, which))
        time.sleep(0.2)
    assert "working" not in terminal[1].getvalue()


def test_a_short_command_and_one_without_a_terminal_say_nothing(monkeypatch):
    terminal = a_terminal(monkeypatch)
    with silence.never_silent("list"):
        pass
    time.sleep(0.1)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with silence.never_silent("list"):
        time.sleep(0.1)
    assert not terminal[1].getvalue()
    assert not sys.stderr.getvalue()

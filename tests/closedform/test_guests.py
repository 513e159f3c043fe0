"""Guests: whatever they do, the house stands, the error is named with its place, and Ctrl-C stays the user's."""

from __future__ import annotations

import signal
import threading

import pytest

from closedform import guests as visits
from closedform.guests import GuestError, visit

LIMIT = 0.2  # seconds
WHO = "the distribution theirs: its subject 'their'"
ENDLESS = (
    "while True:\n    pass",
    "import time\ntime.sleep(1000)",
    "while True:\n    try:\n        1 / 0\n    except Exception:\n        pass",
    "n = 0\nwhile n < 2:\n    try:\n        while True:\n            pass\n    except BaseException:\n        n += 1",
)


def run(code: str, limit: float | None = None) -> None:
    """Run code as that of a guest, as a file of its own."""
    with visit(WHO, "theirs.module", limit):
        exec(compile(code, "theirs/module.py", "exec"), {"__name__": "theirs.module"})


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys\nsys.exit(7)", r"SystemExit: 7 \(theirs/module.py, line 2\)"),
        ("raise KeyboardInterrupt", r"KeyboardInterrupt \(theirs/module.py, line 1\)"),
        ("raise GeneratorExit", "GeneratorExit"),
        (
            "class E(BaseException):\n    pass\nraise E('a\\nb')",
            r"E: a b \(theirs/module.py, line 3\)",
        ),
        ("class E(Exception):\n    __str__ = None\nraise E", r"E \(theirs"),
        (
            "def f():\n    import absent_package\nf()",
            r"ModuleNotFoundError: .*absent_package.*line 2",
        ),
        ("import json\njson.loads('[')", r"JSONDecodeError: .*\(theirs/module.py, line 2\)"),
        ("exec('1 +')", r"SyntaxError: invalid syntax \(<string>, line 1\)"),
        ("def f():\n    f()\nf()", "RecursionError: .*line 2"),
    ],
)
def test_whatever_a_guest_raises_is_named_with_its_place(code, words):
    with pytest.raises(GuestError, match=f"^{WHO} raises {words}"):
        run(code)


def test_what_a_guest_prints_goes_to_stderr(capfd):
    run("import os, sys\nprint('one')\nos.system('echo two')\nsys.stdout = None")
    print("ours")
    printed = capfd.readouterr()
    assert printed.out == "ours\n"
    assert sorted(printed.err.split()) == ["one", "two"]


@pytest.mark.parametrize("code", ENDLESS)
def test_a_guest_that_does_not_come_back_is_interrupted(code):
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(
        GuestError, match=f"takes more than {LIMIT} s.*CLOSEDFORM_GUEST_SECONDS allows more"
    ):
        run(code, LIMIT)
    assert signal.getsignal(signal.SIGALRM) is before


def test_a_guest_is_interrupted_in_any_thread_and_where_the_alarm_is_taken():
    caught = []

    def work():
        with pytest.raises(GuestError, match="takes more than") as error:
            run(ENDLESS[0], LIMIT)
        caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    work()
    signal.signal(signal.SIGALRM, before)
    assert len(caught) == 2


def test_a_visit_in_a_visit_leaves_the_error_and_the_limit_as_they_are():
    with (
        pytest.raises(GuestError, match=f"^another takes more than {LIMIT} s"),
        visit("another", "theirs", LIMIT),
    ):
        run(ENDLESS[1])
    with pytest.raises(GuestError, match=f"^{WHO} raises ValueError"), visit("another", "theirs"):
        run("raise ValueError")


def test_the_limit_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv(visits.VARIABLE, "0.1")
    with pytest.raises(GuestError, match=r"takes more than 0.1 s"):
        run(ENDLESS[0], 1000)
    for text in ("soon", "0"):
        monkeypatch.setenv(visits.VARIABLE, text)
        with pytest.raises(
            ValueError, match=f"CLOSEDFORM_GUEST_SECONDS: got '{text}', needs a positive number"
        ):
            run("", 1000)


@pytest.fixture
def python_interrupts():
    """Ctrl-C raises KeyboardInterrupt, whatever an imported package (dask_jobqueue) made of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    "code", [*ENDLESS[:2], "import time\ntry:\n    time.sleep(1000)\nexcept:\n    pass"]
)
def test_ctrl_c_in_a_guest_is_the_users(code, python_interrupts):
    before = signal.getsignal(signal.SIGINT)
    press = threading.Timer(
        LIMIT, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)
    )
    press.start()
    with pytest.raises(KeyboardInterrupt):
        run(code, 60)
    assert signal.getsignal(signal.SIGINT) is before

"""Ctrl-C, which a terminal sends to every process of a command: one line that says how to go on, and exit code 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.optional import needs

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
COMMAND = "import sys; from bridge.cli import main; sys.exit(main())"
NETWORK = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(20, 600), torch.nn.ReLU(), torch.nn.Linear(600, 600), torch.nn.Tanh())
inputs = torch.randn(2000, 20)
print("begun", flush=True)
"""
SECONDS = 120


def heard() -> None:
    """Let the process hear Ctrl-C, which tests in the background of a shell ignore, and so all that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def pressed(words, folder: Path, begun, more=0.0) -> tuple[int, str]:
    """Start a command in a group of its own, wait until ``begun()`` and some seconds more, and signal all of it.

    Returns:
        Its exit code and what all of its processes wrote to stderr.
    """
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "CLOSEDFORM_CACHE": str(folder / "cache"), "TQDM_DISABLE": "1", "PYTHONUNBUFFERED": "1",
    }  # fmt: skip
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words], cwd=folder, env=environment, stdout=out, stderr=err,
            start_new_session=True, preexec_fn=heard,
        )  # fmt: skip
        try:
            end = time.monotonic() + SECONDS
            while not begun() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(more)
            assert process.poll() is None, (folder / "err").read_text(encoding="utf-8")
            os.killpg(process.pid, signal.SIGINT)
            process.wait(SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return process.returncode, (folder / "err").read_text(encoding="utf-8")


def require_one_line(answer: tuple[int, str], how_to_go_on: str) -> None:
    code, errors = answer
    assert code == 130
    assert errors.count("\n") == 1
    assert errors.startswith("closedform: interrupted")
    assert how_to_go_on in errors


def verdicts(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").rglob("*") if path.is_file()]


@pytest.mark.slow
def test_check_with_workers_keeps_finished_verdicts(tmp_path):
    """A worker that heard the signal would print a traceback, too."""
    words = ["check", "two_point", "--processes", "2"]
    require_one_line(
        pressed(words, tmp_path, lambda: verdicts(tmp_path)), "finished verdicts are kept"
    )
    assert verdicts(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_check_goes_on_from_finished_verdicts(tmp_path, monkeypatch, capsys, processes):
    from theory import form_check

    printed = tmp_path / "out"
    words = ["check", "two_point", "--processes", str(processes)]

    def begun():
        return printed.exists() and printed.read_text(encoding="utf-8").count("two_point.") > 2

    require_one_line(pressed(words, tmp_path, begun), "finished verdicts are kept")
    names = [
        line
        for line in printed.read_text(encoding="utf-8").splitlines()
        if line.startswith("two_point.")
    ]
    monkeypatch.setenv("CLOSEDFORM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(
        form_check, "_verdicts", lambda form: pytest.fail(f"{form.name} is decided again")
    )
    assert all(checked.holds for checked in form_check.check_all(names[:2], 1))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "campaign"])
def test_runs(tmp_path, command):
    words = f"{command} two-point-initial-weights --scale paper --out {tmp_path / 'runs'}".split()
    begun = lambda: any((tmp_path / "runs").rglob("study-*.json"))  # noqa: E731
    require_one_line(pressed(words, tmp_path, begun, more=3.0), "finished runs are kept")


@pytest.mark.slow
@needs("distributed", "cluster")
def test_runs_on_workers(tmp_path):
    words = "run two-point-initial-weights --scale paper --workers 2"
    words = f"{words} --out {tmp_path / 'runs'}".split()
    begun = lambda: "workers; dashboard" in (tmp_path / "err").read_text(encoding="utf-8")  # noqa: E731
    code, errors = pressed(words, tmp_path, begun, more=3.0)
    assert code == 130
    assert "Traceback" not in errors
    assert "finished runs are kept" in errors.splitlines()[-1]


@pytest.mark.slow
def test_a_map(tmp_path):
    words = "validity two_point.final_distance --over gain=0.6:1.4"
    words = f"{words} --out {tmp_path / 'map'}".split()
    begun = lambda: (tmp_path / "map" / "validity.jsonl").exists()  # noqa: E731
    require_one_line(pressed(words, tmp_path, begun), "finished networks are kept")


@pytest.mark.slow
def test_a_dossier(tmp_path):
    (tmp_path / "network.py").write_text(NETWORK, encoding="utf-8")
    begun = lambda: "begun" in (tmp_path / "out").read_text(encoding="utf-8")  # noqa: E731
    words = ["dossier", "network.py", "--points", "1500", "--out", "report"]
    require_one_line(pressed(words, tmp_path, begun, more=1.0), "nothing is kept")

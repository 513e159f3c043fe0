"""Tests of the script with which a shell completes commands and options."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.command import COMPLETION
from bridge.cli.completion import SHELLS

ASK = """
COMP_WORDS=({words}); COMP_CWORD={last}
_closedform_completion closedform
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_of_the_shell(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert COMPLETION in script
    if shutil.which(shell):
        assert (
            subprocess.run([shell, "-n"], input=script, encoding="utf-8", check=False).returncode
            == 0
        )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("closedform ev", "eval"),
        ("closedform list --mea", "--meanings"),
        ("closedform val", "validity"),
    ],
)
def test_bash_completes(words, completed, capsys, tmp_path, monkeypatch):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out + ASK.format(words=words, last=len(words.split()) - 1)
    program = tmp_path / "closedform"
    program.write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from bridge.cli import main; main()'\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[3]))
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == completed.split()


def test_another_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "tcsh" in capsys.readouterr().err

"""Tests of the script with which a shell completes commands and options."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from bridge.cli import commands, main

ASK = """
COMP_WORDS=({words}); COMP_CWORD={last}
_shtab_closedform
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize("shell", commands.SHELLS)
def test_the_script_has_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    _, names = commands.build()
    assert [name for name in names if name not in script] == []
    assert all(option in script for option in ("meanings", "fresh", "digits", "laptop"))
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, encoding="utf-8", check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "completed"), [("closedform ev", "eval evidence"), ("closedform list --mea", "--meanings")]
)
def test_bash_completes(words, completed, capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out + ASK.format(words=words, last=len(words.split()) - 1)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == completed.split()


def test_another_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "tcsh" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("line", "completed"), [("ev", ["eval", "evidence"]), ("list --mea", ["--meanings"])])
def test_fish_completes(line, completed, capsys):
    assert main(["completion", "fish"]) == 0
    script = capsys.readouterr().out + f"\ncomplete -C 'closedform {line}'\n"
    done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert [found.split("\t")[0] for found in done.stdout.splitlines()] == completed

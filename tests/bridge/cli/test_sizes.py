"""Tests that sizes and rates that no machine can use give one line on stderr, before anything is trained."""

from __future__ import annotations

import re

import pytest

from bridge.cli import main


@pytest.mark.parametrize(
    ("option", "value", "needs"),
    [
        ("seeds", "99999999999", "needs an integer from 1 to 1000000"),
        ("epochs", "1" + "0" * 30, "needs an integer from 1 to 1000000000"),
        ("first-seed", "1" + "0" * 30, "needs an integer from 0 to"),
        ("learning-rate", "1e300", r"needs a number in \(0, 1e\+200\]"),
    ],
)
def test_what_is_too_large_is_refused(option, value, needs, tmp_path, capsys):
    assert main(["run", "two-point", f"--{option}", value, "--out", str(tmp_path / "out")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.match(f"closedform: {option.replace('-', '_')}: got .*, {needs}", lines[0])
    assert not (tmp_path / "out").exists()


def test_memory_that_runs_out_is_one_line(monkeypatch, capsys):
    from bridge.cli import formulas

    def exhausted(**_):
        raise RuntimeError(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 199999999980 bytes"
        )

    monkeypatch.setattr(formulas.run_list, "callback", exhausted)
    assert main(["list"]) == 2
    assert (
        capsys.readouterr().err
        == "closedform: memory ran out; choose smaller sizes or fewer seeds\n"
    )


def test_another_runtime_error_is_a_defect_and_shows_its_traceback(monkeypatch):
    from bridge.cli import formulas

    def defective(**_):
        raise RuntimeError("a defect")

    monkeypatch.setattr(formulas.run_list, "callback", defective)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["list"])

"""No guest takes a command down: what it raises, takes or prints leaves what others bring as it is."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.metadata import EntryPoint

import pytest

from bridge.cli import command, main

FORMS = 'FORMS = {"saxe.weight": "guest_saxe.forms:weight"}\n'
FITS = 'FITS = {"saxe": "guest_saxe.fit:fit"}'
GUESTS = {
    "exit": {"__init__.py": "import sys\nsys.exit(7)"},
    "interrupt": {"__init__.py": "raise KeyboardInterrupt"},
    "print": {"__init__.py": "print('noise')", "theory.py": ""},
    "syntax": {"theory.py": "FORMS = {"},
    "taken form": {"theory.py": 'FORMS = {"two_point.loss": "guest_saxe.forms:weight"}'},
    "taken subject": {"theory.py": FORMS},
    "exit in a family": {
        "theory.py": 'FAMILIES = {"saxe.x": "guest_saxe.forms:x"}',
        "forms.py": "raise SystemExit(3)",
    },
}


@pytest.fixture
def ours(capsys):
    assert main(["list"]) == 0
    return capsys.readouterr().out


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", GUESTS)
def test_commands_work_beside_any_guest(ours, guests, capsys, case):
    guests("two_point" if case == "taken subject" else "saxe", "guest_saxe", GUESTS[case])
    with (
        nullcontext()
        if case == "print"
        else pytest.warns(RuntimeWarning, match="dist-of-guest_saxe.*left out")
    ):
        assert main(["list"]) == 0
    assert capsys.readouterr().out == ours
    assert main(["show", "two_point.loss"]) == 0
    assert "two_point.loss" in capsys.readouterr().out


def test_unreadable_metadata_of_one_distribution_leave_the_other_guests(guests, capsys):
    guests("saxe", "guest_saxe", {"theory.py": FORMS, "forms.py": "raise SystemExit(3)"})
    guests("broken", "guest_broken", {})
    (guests.folder / "guest_broken-1.0.dist-info" / "entry_points.txt").write_bytes(b"\xd2")
    with pytest.warns(
        RuntimeWarning,
        match="dist-of-guest_broken: its metadata raises UnicodeDecodeError.*left out",
    ):
        assert main(["list"]) == 0
    assert "saxe.weight" in capsys.readouterr().out


def test_an_error_in_a_module_of_a_guest_names_file_and_line(guests, capsys):
    guests(
        "saxe",
        "guest_saxe",
        {"theory.py": FORMS, "forms.py": "import sympy\nweight = sympy.no_such_name"},
    )
    assert main(["show", "saxe.weight"]) == 2
    words = capsys.readouterr().err
    assert words.startswith(
        "closedform: the distribution dist-of-guest_saxe: its closed form 'saxe.weight' raises "
    )
    assert "forms.py, line 2)" in words


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(guests, capsys):
    missing = "raise ModuleNotFoundError('no torch', name='torch')"
    guests("saxe", "guest_saxe", {"theory.py": FORMS, "forms.py": missing})
    assert main(["show", "saxe.weight"]) == 2
    assert (
        "this command needs torch, which is not installed: pip install" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return {}[file]", "'x.csv'"),
        ("raise SystemExit(1)", "SystemExit: 1"),
        ("import numpy; return numpy.zeros(3).mean(2)", "out of bounds"),
    ],
)
def test_what_a_line_of_a_guest_raises_names_it(guests, capsys, body, words):
    guests("saxe", "guest_saxe", {"bridge.py": FITS, "fit.py": f"def fit(file: str):\n    {body}"})
    assert main(["fit", "saxe", "x.csv"]) == 2
    printed = capsys.readouterr().err
    assert words.strip("'") in printed
    assert "fit.py, line 2" in printed


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("guest_number:MISSING", "raises AttributeError"),
        ("guest_number:NUMBER", "is of the type int, needs a command"),
    ],
)
def test_a_command_that_cannot_be_loaded_is_named_and_left_out(
    monkeypatch, tmp_path, capsys, value, problem
):
    (tmp_path / "guest_number.py").write_text("NUMBER = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("learn", value, command.GROUP)
    monkeypatch.setattr(command, "_announced", lambda: {"learn": entry})
    assert main(["learn"]) == 2
    assert f"the command learn, announced as {value}, {problem}" in capsys.readouterr().err
    with pytest.warns(RuntimeWarning, match=f"{problem}.*left out"):
        assert main(["--help"]) == 0
    assert "learn" not in capsys.readouterr().out.partition("Commands:")[2]


def test_a_command_of_another_distribution_runs(monkeypatch, tmp_path, capsys):
    (tmp_path / "guest_learn.py").write_text(
        "import click\n@click.command()\n@click.argument('name')\n"
        "def learn(name):\n    print('learnt', name)\n    return 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("learn", "guest_learn:learn", command.GROUP)
    monkeypatch.setattr(command, "_announced", lambda: {"learn": entry})
    assert main(["learn", "x"]) == 3
    assert capsys.readouterr().out == "learnt x\n"

"""Every command where packages are missing: it works, or says in one sentence what it needs before it does a thing."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import click
import pytest

from bridge.cli.command import commands
from closedform.missing import EXTRAS, message

# Imports nothing that is not installed with the light core, whatever is installed here, and runs commands one by one.
PROGRAM = """
import contextlib, io, json, os, sys
from importlib.machinery import PathFinder

hidden, commands = json.load(sys.stdin)

class Visible(PathFinder):
    @classmethod
    def find_spec(cls, name, *others):
        return None if name.partition(".")[0] in hidden else super().find_spec(name, *others)

sys.meta_path[sys.meta_path.index(PathFinder)] = Visible
from bridge.cli import main
for words in commands:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = main(words)
    print(json.dumps([status, out.getvalue(), err.getvalue(), os.listdir()]))
"""
FORM, VALUES = (
    "two_point.final_distance",
    ["dh2_0=0.3", "dy2_0=0.2", "tau_h=2", "tau_y=3", "dx2=0.7", "target2=1.3"],
)
EXTRA = {name for names in EXTRAS.values() for name in names}
OWN, NETWORK, TABLE = "own.py", "network.py", "table.csv"  # need not be there
WORK = {
    "list": ["list"],
    "list with meanings": ["list", "--meanings", "final_distance"],
    "show": ["show", FORM, "--steps"],
    "find": ["find", "ricci"],
    "eval": ["eval", FORM, *VALUES, "--digits", "20"],
    "check": ["check", FORM],
    "check of the ledger": ["check", "--ledger", "cheong2025", "(1.2)"],
    "errata": ["errata", "cheong2025"],
    "cite": ["cite", "cheong2025", "(1.2)"],
    "new": ["new", "subject", "deep_linear", "--out", "made"],
    "experiments": ["experiments"],
    "options of a study": ["run", "geometry-bayesian", "--options"],
    "options of an experiment": ["run", "two-point", "--options"],
    "options of a fit": ["fit", "two-point", "--options"],
    "figures": ["figures", "cheong2025"],
    "plan": ["plan", "1c"],
    "evidence": ["record", "--evidence"],
    "completion": ["completion", "bash"],
}
READING = "reading the names and meanings of all formulas, functions and equations, once\n"
LONG = {
    "list with meanings",  # builds all closed forms
    *(
        "find",
        "evidence",
        "check of the ledger",
        "cite",
        "errata",
        "figures",
        "plan",
    ),  # read all ledgers
}  # seconds each
NEED = {
    "explore": (["explore", FORM], "bridge"),
    "run": (["run", "two-point-adam", "--scale", "smoke"], "empirics"),
    "run of a file": (["run", OWN], "empirics"),
    "run on workers": (["run", "two-point-adam", "--workers", "2"], "empirics,cluster"),
    "campaign": (["campaign", "--dry-run"], "all"),
    "validity": (["validity"], "all"),
    "width-check": (["width-check", OWN], "all"),
    "fit": (["fit", "two-point", TABLE], "bridge"),
    "report": (["report", "."], "bridge"),
    "report with a file": (["report", ".", OWN], "all"),
    "record": (["record", "."], "all"),
    "dossier": (["dossier", NETWORK], "all"),
    "demo": (["demo"], "all"),
}


def outcomes(commands, hidden, folder):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps([sorted(hidden), commands]), cwd=folder,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """The status, output, errors and files of every command where no extra is installed."""
    commands = {case: words for case, words in WORK.items() if case not in LONG}
    commands |= {case: words for case, (words, _) in NEED.items()}
    found = outcomes([*commands.values()], EXTRA, tmp_path_factory.mktemp("light"))
    return dict(zip(commands, found, strict=True))


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[pytest.mark.slow] * (c in LONG)) for c in WORK]
)
def test_the_light_core_is_enough(case, light, tmp_path):
    status, out, err, _ = (
        light[case] if case in light else outcomes([WORK[case]], EXTRA, tmp_path)[0]
    )
    assert status == 0
    assert err in ("", READING)
    assert out.strip()


@pytest.mark.parametrize("case", NEED)
def test_what_is_missing_is_said_first(case, light):
    status, out, err, files = light[case]
    words, extras = NEED[case]
    assert (status, out, files) == (2, "", ["made"])
    command = rf"pip install '\.\[{extras}\]' in a clone of closedform, or else pip install 'closedform\[{extras}\]'"
    assert re.fullmatch(
        rf"closedform: {words[0]}.* needs .*, which are not installed: {command}\n", err
    )


def test_every_command_is_tried():
    needs_coq = {"certify"}  # tests/bridge/certify
    tried = {words[0] for words in WORK.values()} | {words[0] for words, _ in NEED.values()}
    assert tried | needs_coq == set(commands.list_commands(click.Context(commands)))


@pytest.mark.slow
def test_an_extra_is_enough_for_its_commands(tmp_path):
    """Pages and fits need nothing of the extra `empirics`."""
    (tmp_path / TABLE).write_text(
        "t,dh2,dy2,w\n" + "".join(f"{t},{1 - 0.9**t},{t / 20},-0.1\n" for t in range(20))
    )
    fit = ["fit", "two-point", TABLE, "--dx2", "1", "--target2", "1"]
    only_training = {*EXTRAS["empirics"]} - {*EXTRAS["bridge"]}
    assert [one[0] for one in outcomes([["explore", FORM], fit], only_training, tmp_path)] == [
        0,
        0,
    ]


def test_few_extras_are_named():
    assert "'.[empirics]'" in message("it", ["xarray", "torch"])
    assert "'.[gpytorch]'" in message("it", ["torch", "gpytorch"])
    assert message("it", ["jax"]).startswith(
        "it needs jax, which is not installed: pip install '.[jax]' in a clone"
    )
    assert "needs torch, torchvision and tqdm, which are" in message(
        "it", ["torch", "torchvision", "tqdm"]
    )

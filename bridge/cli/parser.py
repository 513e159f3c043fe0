"""The grammar of the command line. Nothing but the standard library is imported to parse it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from bridge.report.provenance import version
from theory.core.suggestions import unknown

DESCRIPTION = "Closed forms for neural networks: derived, checked, and held against measurements."
OUT = "closedform-runs"
DEMO_OUT = "closedform-demo"
DOSSIER_OUT = "closedform-dossier"
SCALES = ("smoke", "laptop", "paper")
OPEN = ("run", "fit")  # their further arguments are those of what they run, read once that is known
OF_FAMILIES = ("show", "eval")  # their further options are the parameters of a family, such as --activation
OWN_OPTIONS = ("--help", "--latex", "--digits")  # of these two commands

Command = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises what it has to complain about, instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise ValueError with what is wrong and where the usage is."""
        raise ValueError(f"{message} (see `{self.prog} --help`)")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The chosen command as ``.run`` and its arguments.

    Raises:
        ValueError: for anything that is not a command or an argument of it.
    """
    parser, commands = build()
    if not arguments:
        parser.print_help()
        raise SystemExit(0)
    first = arguments[0]
    if not first.startswith("-") and first not in commands:
        raise ValueError(unknown("command", first, commands))
    parameters: dict[str, str] = {}
    if first in OF_FAMILIES:
        arguments, parameters = family_parameters(arguments)
    chosen, rest = parser.parse_known_args(arguments)
    chosen.parameters = parameters
    if rest and first not in OPEN:
        raise ValueError(f"closedform {first}: unknown argument {rest[0]!r} (see `closedform {first} --help`)")
    chosen.rest = rest
    return chosen


def family_parameters(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments without the parameters of a family, and these: ``--activation tanh`` or ``--activation=tanh``.

    Raises:
        ValueError: for a parameter without a value, or one that is given twice.
    """
    left: list[str] = []
    parameters: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        if not option.startswith("--") or option in OWN_OPTIONS:
            left.append(f"{option}{equals}{value}")
            continue
        if not equals:
            if not rest or rest[0].startswith("--"):
                raise ValueError(f"option {option} needs a value")
            value = rest.pop(0)
        name = option.removeprefix("--").replace("-", "_")
        if name in parameters:
            raise ValueError(f"option {option} is given twice")
        parameters[name] = value
    return left, parameters


def build() -> tuple[Parser, tuple[str, ...]]:
    """The parser and the names of its commands."""
    parser = Parser(prog="closedform", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"closedform {version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    def command(name: str, module: str, text: str) -> Parser:
        each = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        each.set_defaults(run=_later(f"bridge.cli.{module}", f"run_{name}"))
        assert isinstance(each, Parser)
        return each

    each = command("list", "formulas", "names of all closed forms, and of families with what they take")
    each.add_argument("words", metavar="WORD", nargs="*", help="only names with all these words in them")
    each.add_argument("--meanings", action="store_true", help="with one sentence each (builds them: slower)")

    each = command("show", "formulas", "a closed form: formula, arguments, assumptions, steps, sources")
    each.usage = "closedform show NAME [--latex] [--activation ACTIVATION] [--depth DEPTH] [...]"
    each.add_argument("name", metavar="NAME", help="a closed form, or a family with the parameters that it takes")
    each.add_argument("--latex", action="store_true", help="nothing but its LaTeX")

    each = command("eval", "formulas", "the value of a closed form")
    each.usage = "closedform eval NAME key=value ... [--digits N] [--activation ACTIVATION] [--depth DEPTH] [...]"
    each.add_argument("name", metavar="NAME", help="a closed form, or a family with the parameters that it takes")
    each.add_argument("values", metavar="key=value", nargs="*", help="one for each argument, e.g. tau_h=2 dx2=7/10")
    each.add_argument("--digits", type=_positive, metavar="N", help="N correct digits instead of float64")

    each = command("check", "formulas", "check every step of the derivations; exit code 1 if one does not hold")
    each.add_argument("names", metavar="NAME", nargs="*", help="closed forms or subjects; all if none is given")
    each.add_argument("--fresh", action="store_true", help="decide again what was decided before, and remember it")
    each.add_argument("--no-cache", action="store_true", help="decide everything again and remember nothing")
    each.add_argument("--processes", type=_positive, metavar="N", help="how many work at a time (default: all cores)")

    each = command("errata", "formulas", "printed equations that are wrong, or right only under a condition")
    each.add_argument("paper", metavar="PAPER", nargs="?")

    each = command("new", "new_subject", "write the skeleton of a distribution that adds a subject of your own")
    each.add_argument("kind", choices=("subject",), metavar="subject")
    each.add_argument("name", metavar="NAME", help="lower-case words joined by underscores, such as deep_linear")
    each.add_argument("--out", metavar="DIR", help="the folder of the distribution (default: ./closedform-NAME)")

    command("experiments", "runs", "what `closedform run` can run")

    each = command("run", "runs", "train the networks of an experiment and keep their traces")
    each.add_argument("experiment", metavar="EXPERIMENT")
    each.add_argument("--scale", choices=SCALES, help="how large (default: laptop)")
    each.add_argument("--out", metavar="DIR", default=OUT, help=f"where the traces go (default: ./{OUT})")
    each.add_argument("--resume", action="store_true", help="keep the traces that are already there")
    each.add_argument("--options", action="store_true", help="list the options of its Config and leave")

    each = command("fit", "results", "fit the theory to a table or trace")
    each.usage = "closedform fit NAME FILE [--plot PNG] [further options of this fit]"
    each.add_argument("name", metavar="NAME", help="what to fit, such as two-point; FILE is a table as CSV or netCDF")
    each.add_argument("--plot", metavar="PNG", help="draw the theory over the measurement into this file")
    each.add_argument("--options", action="store_true", help="say what FILE needs, list the further options, and leave")

    each = command("report", "results", "fit everything in a folder of traces and write its report.html")
    each.add_argument("directory", metavar="DIR")

    each = command("dossier", "results", "everything that can be said about a network of your own")
    each.add_argument("file", metavar="FILE", help="a Python script that defines model, inputs, labels (and layers)")
    each.add_argument("--points", type=_positive, metavar="N", default=100, help="points of the costly parts")
    each.add_argument("--out", metavar="DIR", default=DOSSIER_OUT, help=f"where it goes (default: ./{DOSSIER_OUT})")

    each = command("demo", "results", "derive and check the two-point theory, train networks, fit, compare, report")
    each.add_argument("--out", metavar="DIR", default=DEMO_OUT, help=f"where everything goes (default: ./{DEMO_OUT})")
    each.add_argument("--scale", choices=SCALES, default="laptop", help="how large (default: laptop)")
    each.set_defaults(run=_later("bridge.demo", "run_demo"))  # it stands above the commands, which it uses
    return parser, tuple(commands.choices)


def _later(module: str, name: str) -> Command:
    """A command that imports its module when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        function: Any = getattr(import_module(module), name)
        status: int = function(arguments)
        return status

    return run


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needs a whole number, at least 1")
    return value

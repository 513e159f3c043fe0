"""The words after ``closedform`` in a shell, parsed without importing anything but the standard library."""

import argparse
import difflib
from collections.abc import Sequence

from bridge.cli.commands import build
from closedform.suggestions import unknown

OPEN = ("run", "fit")  # commands with further options that depend on the experiment or fit
OF_FAMILIES = ("show", "eval", "cite", "explore")  # whose further options are parameters of a family: --activation
# Options of these commands themselves, which are not parameters of a family.
OWN_OPTIONS = ("--help", "--latex", "--steps", "--tree", "--code", "--digits", "--out")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the words after ``closedform`` in a shell; the chosen command itself is the attribute ``run``."""
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
        raise ValueError(f"{first}: unknown argument {rest[0]!r} (see `closedform {first} --help`)")
    chosen.rest = rest
    return chosen


def family_parameters(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments without ``--activation tanh`` or ``--activation=tanh``, and these parameters by name."""
    others: list[str] = []
    parameters: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        if not option.startswith("--") or option in OWN_OPTIONS:
            others.append(f"{option}{equals}{value}")
            continue
        if not equals:
            if not rest or rest[0].startswith("--"):
                raise ValueError(_without_value(option))
            value = rest.pop(0)
        name = option.removeprefix("--").replace("-", "_")
        if name in parameters:
            raise ValueError(f"option {option}: got two values, needs one")
        parameters[name] = value
    return others, parameters


def _without_value(option: str) -> str:
    """Return what is wrong with an option that no value follows: it is misspelt, or a parameter of a family."""
    if difflib.get_close_matches(option, OWN_OPTIONS, n=1):
        return unknown("option", option, OWN_OPTIONS)
    return f"option {option}: got nothing, needs a value"

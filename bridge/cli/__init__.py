"""The command line, ``closedform``.

Each command imports only the packages that it needs. Invalid input gives one line on stderr instead of a traceback;
the environment variable ``CLOSEDFORM_TRACEBACK=1`` restores the traceback. Exit codes: 0 for success, 1 if a check does
not hold, 2 for invalid input, 130 for an interruption.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import TextIOWrapper
from typing import TypeGuard, cast

from bridge.cli.commands import build
from closedform.foreign_text import VisibleStream, visible
from closedform.guests import GuestError, steps
from closedform.missing import EXTRAS, MissingPackageError, message
from closedform.subjects import place_in_a_guest
from closedform.suggestions import UnknownNameError, unknown

__all__ = ["main"]

OPEN = ("run", "fit")  # commands with further options that depend on the experiment or fit
OF_FAMILIES = ("show", "eval", "cite", "explore")  # whose further options are parameters of a family: --activation
# Options of these commands themselves, which are not parameters of a family.
OWN_OPTIONS = ("--help", "--latex", "--steps", "--tree", "--code", "--digits", "--out")
# What the user does after Ctrl-C, of commands that keep something.
HOW_TO_GO_ON = {
    **dict.fromkeys(("run", "campaign", "demo"), "finished runs are kept, and the same command goes on from here"),
    "check": "finished verdicts are kept unless --no-cache is given, and the same command goes on from here",
    "validity": "with --over, finished networks are kept in its folder, and the same command goes on from here",
    "dossier": "nothing is kept; the same command begins again, and --points or a budget in FILE makes it shorter",
}
SYMPY_CACHE = "50000"  # results that sympy remembers of each function; with its 1000 all checks take a quarter longer

# Errors that the packages raise for invalid input. Any other error is a defect and shows its traceback.
USER_ERRORS = (
    *(ValueError, TypeError, KeyError, OSError, ModuleNotFoundError),
    *(ArithmeticError, NotImplementedError, MemoryError, RuntimeError),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default that of this process, and return its exit code."""
    os.environ.setdefault("SYMPY_CACHE_SIZE", SYMPY_CACHE)  # read when sympy is imported
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without τ and ² shows question marks instead of failing
            stream.reconfigure(errors="replace")
    chosen = None
    try:
        chosen = parse(words)
        with redirect_stdout(cast(TextIOWrapper, VisibleStream(sys.stdout))):  # labels may hold escape sequences
            status: int = chosen.run(chosen)
        sys.stdout.flush()
        return status
    except SystemExit as exit_:
        if chosen is None:  # --help and --version
            return exit_.code if isinstance(exit_.code, int) else 2
        step = steps(exit_)[-1]
        place = f"{step.tb_frame.f_code.co_filename}, line {step.tb_lineno}"
        print(f"closedform: {place}: SystemExit: {visible(exit_)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interruption:
        advice = HOW_TO_GO_ON.get(words[0] if words else "", "give the same command again")
        print(f"closedform: {str(interruption) or 'interrupted'}; {advice}", file=sys.stderr)
        return 128 + getattr(interruption, "number", 2)
    except BrokenPipeError:  # `closedform list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except USER_ERRORS as error:
        if os.environ.get("CLOSEDFORM_TRACEBACK") or not _is_user_error(error):
            raise
        print(f"closedform: {visible(_one_line(error))}{place_in_a_guest(error)}", file=sys.stderr)
        return 2


def _is_user_error(error: Exception) -> bool:
    """Return whether the user can correct the error.

    A package that no extra installs, a key that no message of ours names, and a RuntimeError are defects.
    """
    if isinstance(error, ModuleNotFoundError):
        return _is_missing(error)
    if isinstance(error, KeyError) and not isinstance(error, UnknownNameError):
        return bool(place_in_a_guest(error))
    if isinstance(error, RuntimeError) and not isinstance(error, NotImplementedError):
        return _is_out_of_memory(error)
    return True


def _is_out_of_memory(error: Exception) -> bool:
    """Return whether memory ran out, for which torch raises a plain RuntimeError on the CPU."""
    return isinstance(error, MemoryError) or "allocate memory" in str(error)


def _is_missing(error: BaseException | None) -> TypeGuard[ModuleNotFoundError]:
    """Return whether the error says that a package of an extra is not installed."""
    return isinstance(error, ModuleNotFoundError) and any(_package(error) in packages for packages in EXTRAS.values())


def _package(error: ModuleNotFoundError) -> str:
    return (error.name or "").split(".")[0]


def _one_line(error: BaseException) -> str:
    if isinstance(error, GuestError) and _is_missing(error.__cause__):
        return f"{error}; {_one_line(error.__cause__)}"
    if isinstance(error, ModuleNotFoundError):
        return str(error) if isinstance(error, MissingPackageError) else message("this command", [_package(error)])
    if isinstance(error, (MemoryError, RuntimeError)) and _is_out_of_memory(error):
        return "memory ran out; choose smaller sizes or fewer seeds"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    # str of a KeyError, as a guest raises it, is the repr of its argument
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return " ".join(text.split()) or type(error).__name__


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
                if difflib.get_close_matches(option, OWN_OPTIONS, n=1):  # misspelt, and no parameter of a family
                    raise ValueError(unknown("option", option, OWN_OPTIONS))
                raise ValueError(f"option {option}: got nothing, needs a value")
            value = rest.pop(0)
        name = option.removeprefix("--").replace("-", "_")
        if name in parameters:
            raise ValueError(f"option {option}: got two values, needs one")
        parameters[name] = value
    return others, parameters

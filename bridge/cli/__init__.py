"""The command line, ``closedform``.

Each command imports only the packages that it needs. Invalid input gives one line on stderr instead of a traceback;
the environment variable ``CLOSEDFORM_TRACEBACK=1`` restores the traceback. Exit codes: 0 for success, 1 if a check does
not hold, 2 for invalid input, 130 for an interruption.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import TextIOWrapper
from typing import TypeGuard, cast

import click
from click.shell_completion import shell_complete

from bridge.cli.command import AGAIN, COMPLETION, commands, parse
from bridge.cli.silence import never_silent
from closedform.foreign_text import VisibleStream, visible
from closedform.guests import GuestError, steps
from closedform.missing import EXTRAS, MissingPackageError, message
from closedform.subjects import place_in_a_guest
from closedform.suggestions import UnknownNameError

__all__ = ["main"]

# Results that sympy remembers of each function; with its 1000 all checks take a quarter longer.
SYMPY_CACHE = "50000"

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
        # a terminal without τ and ² shows question marks instead of failing
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if COMPLETION in os.environ:
        return shell_complete(commands, {}, "closedform", COMPLETION, os.environ[COMPLETION])
    how_to_go_on = AGAIN
    try:
        context = parse(words)
        how_to_go_on = getattr(context.command, "how_to_go_on", AGAIN)
        name = context.info_name or ""
        # labels may hold escape sequences
        with (
            context,
            never_silent(name),
            redirect_stdout(cast(TextIOWrapper, VisibleStream(sys.stdout))),
        ):
            status: int = context.command.invoke(context)
        sys.stdout.flush()
        return status
    except click.exceptions.Exit as exit_:  # --help and --version
        return exit_.exit_code
    except click.UsageError as error:
        where = "closedform" if error.ctx is None else error.ctx.command_path
        print(
            f"closedform: {visible(error.format_message())} (see `{where} --help`)",
            file=sys.stderr,
        )
        return 2
    except SystemExit as exit_:  # of a user's file
        step = steps(exit_)[-1]
        place = f"{step.tb_frame.f_code.co_filename}, line {step.tb_lineno}"
        print(f"closedform: {place}: SystemExit: {visible(exit_)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interruption:
        print(f"closedform: {str(interruption) or 'interrupted'}; {how_to_go_on}", file=sys.stderr)
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
    return isinstance(error, ModuleNotFoundError) and any(
        _package(error) in packages for packages in EXTRAS.values()
    )


def _package(error: ModuleNotFoundError) -> str:
    return (error.name or "").split(".")[0]


def _one_line(error: BaseException) -> str:
    if isinstance(error, GuestError) and _is_missing(error.__cause__):
        return f"{error}; {_one_line(error.__cause__)}"
    if isinstance(error, ModuleNotFoundError):
        return (
            str(error)
            if isinstance(error, MissingPackageError)
            else message("this command", [_package(error)])
        )
    if isinstance(error, (MemoryError, RuntimeError)) and _is_out_of_memory(error):
        return "memory ran out; choose smaller sizes or fewer seeds"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    # str of a KeyError, as a guest raises it, is the repr of its argument
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return " ".join(text.split()) or type(error).__name__

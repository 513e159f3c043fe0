"""The command line, ``closedform``: each command imports only what it needs; bad input is one line, not a traceback.

Exit codes: 0 fine; 1 a check does not hold; 2 bad input; 130 interrupted. ``CLOSEDFORM_TRACEBACK=1`` shows where an
error came from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

__all__ = ["main"]

EXTRAS = {
    "torch": "empirics",
    "tqdm": "empirics",
    "jaxtyping": "empirics",
    "xarray": "bridge",
    "h5netcdf": "bridge",
    "h5py": "bridge",
    "pandas": "bridge",
    "matplotlib": "bridge",
    "jinja2": "bridge",
    "ziamath": "bridge",
}


# What the packages raise for input that they cannot use; anything else is a defect and shows its traceback.
USER_ERRORS = (ValueError, TypeError, KeyError, OSError, ModuleNotFoundError, ArithmeticError, NotImplementedError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; ``arguments`` as after ``closedform`` in a shell, default those of this process."""
    from bridge.cli.parser import parse

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without τ and ² shows a question mark, not an error
            stream.reconfigure(errors="replace")
    try:
        chosen = parse(list(sys.argv[1:] if arguments is None else arguments))
        status: int = chosen.run(chosen)
        sys.stdout.flush()
        return status
    except SystemExit as leaving:  # --help and --version
        return leaving.code if isinstance(leaving.code, int) else 2
    except KeyboardInterrupt:
        print("closedform: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `closedform list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except USER_ERRORS as problem:
        if os.environ.get("CLOSEDFORM_TRACEBACK") or not _user_can_help(problem):
            raise
        print(f"closedform: {_one_line(problem)}", file=sys.stderr)
        return 2


def _user_can_help(problem: Exception) -> bool:
    """A package that no extra installs is missing by our mistake."""
    return not isinstance(problem, ModuleNotFoundError) or _package(problem) in EXTRAS


def _package(problem: ModuleNotFoundError) -> str:
    return (problem.name or "").split(".")[0]


def _one_line(problem: Exception) -> str:
    if isinstance(problem, ModuleNotFoundError):
        return f"this command needs {_package(problem)}: pip install 'closedform[{EXTRAS[_package(problem)]}]'"
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror
    # str of a KeyError is the repr of its argument
    text = str(problem.args[0]) if isinstance(problem, KeyError) and problem.args else str(problem)
    return " ".join(text.split()) or type(problem).__name__

"""The command that writes a script with which a shell completes commands and options: completion."""

from __future__ import annotations

import argparse

PATHS = (
    "DIR",
    "FILE",
    "FILE.py",
    "PNG",
    "PAGE.html",
)  # arguments that are completed with the names of files and folders


def run_completion(arguments: argparse.Namespace) -> int:
    """Print the script for a shell."""
    print(script(arguments.shell))
    return 0


def script(shell: str) -> str:
    """Return the script that completes ``closedform`` in a shell.

    Args:
        shell: ``"bash"`` or ``"zsh"``.

    Raises:
        ValueError: for another shell.
    """
    import shtab

    from bridge.cli.parser import SHELLS, build
    from closedform.checks import one_of

    one_of("shell", shell, SHELLS)
    parser, commands = build()
    subparsers = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for command in commands:
        for action in subparsers.choices[command]._actions:
            if action.metavar in PATHS:
                action.complete = shtab.FILE
    return str(shtab.complete(parser, shell))

"""The command that writes a script with which a shell completes commands and options: completion."""

from __future__ import annotations

import argparse

PATHS = ("DIR", "FILE", "FILE.py", "PNG", "PAGE.html")  # arguments that are names of files and folders


def run_completion(arguments: argparse.Namespace) -> int:
    """Print the script that completes ``closedform`` in a shell."""
    import shtab

    from bridge.cli.commands import build

    parser, commands = build()
    subparsers = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for command in commands:
        for action in subparsers.choices[command]._actions:
            if action.metavar in PATHS:
                action.complete = shtab.FILE
    print(shtab.complete(parser, arguments.shell))
    return 0

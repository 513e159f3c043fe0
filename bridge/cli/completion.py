"""The command that prints the script with which a shell completes commands and options: completion."""

import click
from click.shell_completion import get_completion_class

from bridge.cli.command import COMPLETION, command, commands

SHELLS = ("bash", "zsh", "fish")


@command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def run_completion(shell: str) -> int:
    """Print the script for completion in a shell.

    A SHELL that evaluates it when it starts completes commands, options and names of files.
    """
    completion = get_completion_class(shell)
    assert completion is not None
    print(completion(commands, {}, "closedform", COMPLETION).source())
    return 0

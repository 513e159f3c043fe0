"""How commands are declared and found: their options stand above the function that uses them.

A command is the function ``run_NAME`` of a module, decorated by :func:`command`. ``MODULES`` has those of this room.
Every other command is an entry point of the group ``closedform.commands``: those of parts of this distribution that
nothing else needs, and those of other distributions. A module is imported when its command is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import click

from closedform import guests, version
from closedform.suggestions import unknown

GROUP = "closedform.commands"
DESCRIPTION = "Closed forms for neural networks: derived, checked, and compared with measurements."
START = "Start with `closedform list` or `closedform demo`; `closedform COMMAND --help` explains a command."
MODULES = {
    **dict.fromkeys(("find", "list", "show", "eval", "check"), "formulas"),
    "errata": "errata_command",
    "cite": "cite",
    **dict.fromkeys(("experiments", "run"), "runs"),
    **dict.fromkeys(("fit", "report", "dossier"), "results"),
    **dict.fromkeys(("figures", "plan", "record"), "figures"),
    "new": "new",
    "demo": "demo",
    "completion": "completion",
}  # in this room
COMPLETION = "_CLOSEDFORM_COMPLETE"  # a variable, set by the script of `closedform completion`
AGAIN = "give the same command again"
RUNS_ARE_KEPT = "finished runs are kept, and the same command goes on from here"
OUT = "closedform-runs"
SCALES = ("smoke", "laptop", "paper")
# names are completed by the shell, and what is there is checked by the commands
FILE = click.Path()


class Count(click.ParamType):  # type: ignore[type-arg]
    """A number of things, at least one."""

    name = "integer"

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> int:
        """Return the number; a usage error says what was wrong."""
        number = int(value) if str(value).isdecimal() else 0
        if number < 1:
            self.fail(f"got {value!r}, needs an integer of at least 1", parameter, context)
        return number


COUNT = Count()


class Command(click.Command):
    """A command that knows what its user does after Ctrl-C."""

    def __init__(self, *arguments: Any, how_to_go_on: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.how_to_go_on = how_to_go_on


def command(
    name: str, further: str = "", how_to_go_on: str = AGAIN
) -> Callable[[Callable[..., int]], Command]:
    """Return a decorator that makes a function with options the command ``name``; its docstring is the help text.

    Args:
        name: of the command in a shell.
        further: how the usage shows options that are not declared, such as the parameters of a family; they are the
            attribute ``args`` of the context. Default: there are none, and other words are refused.
        how_to_go_on: what is kept after Ctrl-C and what the user does then. Default: the same command again.
    """
    is_open = bool(further)
    return click.command(
        name,
        cls=Command,
        how_to_go_on=how_to_go_on,
        context_settings={"ignore_unknown_options": is_open, "allow_extra_args": is_open},
        options_metavar=" ".join(filter(None, (further, "[OPTIONS]"))),
    )


class Commands(click.Group):
    """All commands, of which only those that are asked for are imported."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands, this package's own first."""
        return [*MODULES, *sorted(_announced())]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command by its name for a list of commands, or None; one that cannot be loaded is left out."""
        try:
            return loaded(name)
        except guests.GuestError as error:
            guests.leave_out(error)
            return None


def loaded(name: str) -> click.Command | None:
    """Return the command with this name, or None.

    Raises:
        GuestError: if the entry point of another distribution cannot be loaded, or is no command.
    """
    if name in MODULES:
        own: click.Command = getattr(import_module(f"bridge.cli.{MODULES[name]}"), f"run_{name}")
        return own
    if name not in _announced():
        return None
    entry = _announced()[name]
    who = f"the command {name}, announced as {entry.value},"
    with guests.visit(who, entry.module):
        announced = entry.load()
    if not isinstance(announced, click.Command):
        raise guests.GuestError(
            f"{who} is of the type {type(announced).__name__}, needs a command of click"
        )
    return announced


@cache
def _announced() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@click.version_option(
    version(), message="closedform %(version)s", help="Show the version and exit."
)
@click.group(
    "closedform", cls=Commands, help=DESCRIPTION, epilog=START, invoke_without_command=True
)
@click.pass_context
def commands(context: click.Context) -> int:
    """Print the list of commands, if none is given."""
    print(context.get_help())
    return 0


def parse(words: list[str]) -> click.Context:
    """Return the context of the command that words after ``closedform`` name, with its options; nothing is run.

    Raises:
        ValueError: for an unknown command, with the names that are similar.
        click.UsageError: for options or arguments that the command does not take.
        click.exceptions.Exit: after ``--help`` and ``--version``.
    """
    if not words or words[0].startswith("-"):
        return commands.make_context("closedform", words)
    group = click.Context(commands, info_name="closedform")
    chosen = loaded(words[0])
    if chosen is None:
        raise ValueError(unknown("command", words[0], commands.list_commands(group)))
    return chosen.make_context(words[0], words[1:], parent=group)

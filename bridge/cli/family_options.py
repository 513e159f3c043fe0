"""The parameters of a family of closed forms on the command line: ``--activation tanh --depth 2``."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import click

from closedform.suggestions import unknown

PARAMETERS = "[--PARAMETER VALUE]..."  # in the usage of a command


def split(context: click.Context, name: str) -> tuple[str, list[str], dict[str, str]]:
    """Return the name of a form or family, the other words of a command, and the parameters of the family by name.

    Args:
        context: of a command whose options may stand anywhere, so that what it took for the name may be an option.
        name: what the command took for the name.

    Raises:
        ValueError: for an option without a value or with two, or that is hardly a parameter but a misspelt option.
    """
    own = [
        option
        for parameter in context.command.params
        for option in parameter.opts
        if option.startswith("--")
    ]
    words: list[str] = []
    parameters: dict[str, str] = {}
    rest = [name, *context.args]
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        if not option.startswith("--"):
            words.append(f"{option}{equals}{value}")
            continue
        if not equals:
            if not rest or rest[0].startswith("--"):
                if difflib.get_close_matches(option, own, n=1):
                    raise ValueError(unknown("option", option, own))
                raise ValueError(f"option {option}: got nothing, needs a value")
            value = rest.pop(0)
        parameter = option.removeprefix("--").replace("-", "_")
        if parameter in parameters:
            raise ValueError(f"option {option}: got two values, needs one")
        parameters[parameter] = value
    if not words:
        raise click.MissingParameter(ctx=context, param_hint="NAME", param_type="argument")
    return words[0], words[1:], parameters


def single(context: click.Context, name: str) -> tuple[str, dict[str, str]]:
    """Return the name and the parameters as :func:`split`, for a command without other words."""
    name, words, parameters = split(context, name)
    no_words(context, words)
    return name, parameters


def no_words(context: click.Context, words: Sequence[str]) -> None:
    """Raise an error of usage for the first word that a command does not take."""
    if words:
        raise click.UsageError(f"unknown argument {words[0]!r}", context)

"""Tests that every help text fits a terminal of 80 columns and explains every word that the command takes."""

from __future__ import annotations

import re

import click

from bridge.cli.command import commands

WIDTH = 80
NAMES = commands.list_commands(click.Context(commands))


def test_a_help_text_fits_and_explains_every_argument(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for command in (commands, *(commands.get_command(click.Context(commands), n) for n in NAMES)):
        text = command.get_help(click.Context(command, info_name="closedform"))
        assert max(map(len, text.splitlines())) <= WIDTH, command.name
        assert "..." not in text.partition("Commands:")[2], "a first sentence is too long"
        explanation = text.partition("\n")[2]  # without the usage
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (command.name, parameter.name)
            else:
                words = re.findall("[A-Z]{2,}", parameter.metavar or "SHELL")
                assert all(word in explanation for word in words), command.name

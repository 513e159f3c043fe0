"""Tests that every help text fits a terminal of 80 columns and explains every word that the command takes."""

from __future__ import annotations

import argparse

import pytest

from bridge.cli.commands import build

WIDTH = 80
PARSER, NAMES = build()
(COMMANDS,) = (action for action in PARSER._actions if isinstance(action, argparse._SubParsersAction))


@pytest.fixture(autouse=True)
def columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.mark.parametrize("name", [None, *NAMES])
def test_a_help_text_fits_and_explains_every_argument(name):
    parser = COMMANDS.choices[name] if name else PARSER
    assert max(map(len, parser.format_help().splitlines())) <= WIDTH
    for action in parser._actions:
        assert action is COMMANDS or action.help, action.dest

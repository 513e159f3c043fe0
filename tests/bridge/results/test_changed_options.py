"""Tests of changed options as words of a command."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from bridge.cli import options
from bridge.results.record import as_options

CHANGED = {"seeds": 20, "depths": (0.5, 7.0), "is_fast": True, "some_text": "a b", "none_left": ()}


@dataclass
class Config:
    seeds: int = 1
    depths: tuple[float, ...] = (1.0,)
    is_fast: bool = False
    some_text: str = ""
    none_left: tuple[int, ...] = (1,)


def test_the_command_line_reads_the_options_as_they_were():
    text = as_options(CHANGED)
    assert text.startswith(" --seeds 20 --depths 0.5,7.0 --is-fast True ")
    assert options.parse(Config, shlex.split(text)) == CHANGED
    assert as_options({}) == ""

"""The warnings of the fits of several seeds, in which those that differ only in their numbers are one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bridge.results.analysis import seeds_named

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")  # but not the 2 of dh2
OF_A_SEED = re.compile(r"seed (\S+): (.*)", re.DOTALL)


def together(warnings: Iterable[str]) -> list[str]:
    """Return the warnings ``"seed 3: ..."`` with one line for each kind, which names its seeds and ranges of numbers.

    Warnings that are not of a seed stay as they are.
    """
    return [f"{seeds_named(seeds)}: {text}" if seeds else text for seeds, text in kinds(warnings)]


def kinds(warnings: Iterable[str]) -> list[tuple[list[str], str]]:
    """Return the seeds and the text of each kind of warning ``"seed 3: ..."``, with ranges of its numbers.

    The seeds of a warning that is not of a seed are none.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for warning in warnings:
        of_seed = OF_A_SEED.fullmatch(warning)
        seed, text = of_seed.groups() if of_seed else ("", warning)
        groups.setdefault(NUMBER.sub("#", text) if seed else text, []).append((seed, text))
    return [
        ([seed for seed, _ in group if seed], _with_ranges([text for _, text in group])) for group in groups.values()
    ]


def _with_ranges(texts: list[str]) -> str:
    """Return the first text with ``lowest to highest`` for every number in which the texts differ."""
    ranges = []
    for column in zip(*map(NUMBER.findall, texts), strict=True):
        low, high = min(column, key=float), max(column, key=float)
        ranges.append(low if float(low) == float(high) else f"{low} to {high}")
    numbers = iter(ranges)
    return NUMBER.sub(lambda _: next(numbers), texts[0])

"""One line of the table of expectations and verdicts at the top of a dossier."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from bridge.results.analysis import Table, table_of

CHANCE = "too blunt to say"
SMALLEST, LARGEST = 1e-3, 1e6  # between which a number is written without a power of ten
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Expectation:
    """An expectation, what was measured, and the verdict."""

    sentence: str  # what is expected, one clause
    measured: str  # the number, with its name
    interval: str  # its 95 % interval, in words
    compared: str  # a prediction, or the value without class information
    verdict: str  # "yes", "no", "agrees", "disagrees" or "too blunt to say"


def called(layer: str) -> str:
    """Return a layer's name for a sentence, with the word "layer" before one that is only a number."""
    return f"layer {layer}" if layer[:1].isdigit() else layer


def counted(used: int, points: int) -> str:
    """Return how many of the points a number comes from, such as "17 of 50 points"."""
    return f"{used} points" if used == points else f"{used} of {points} points"


def numeral(value: float, digits: int = 3) -> str:
    """Return a number for a sentence, such as "1,270", "−0.37" or "7.1×10⁻⁵"."""
    if value == 0 or SMALLEST <= abs(value) < LARGEST or not math.isfinite(value):
        text = f"{float(f'{value:.{digits}g}'):,.10g}"
    else:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return text.replace("-", "−")


def interval_text(low: float | None, high: float | None, digits: int = 3) -> str:
    """Return the text of an interval, or a dash without one."""
    return (
        "–"
        if low is None or high is None
        else f"{numeral(low, digits)} to {numeral(high, digits)}"
    )


def table(expectations: Iterable[Expectation]) -> Table:
    """Return the table of all expectations."""
    caption = "Yes or no: the interval excludes the value compared with, and lies on the expected or on the other side."
    return table_of(
        "verdicts", "Expectations and verdicts", caption, expectations,
        (
            ("expectation", lambda one: one.sentence),
            ("verdict", lambda one: one.verdict),
            ("measured", lambda one: one.measured),
            ("95 %", lambda one: one.interval),
            ("compared with", lambda one: one.compared),
        ),
    )  # fmt: skip

r"""Appendix G.3: experiments on CIFAR-10 with labels."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from theory.core import Check, Claim, Given
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close

SMALLEST32 = {"normal": float(np.finfo(np.float32).tiny), "subnormal": float(np.finfo(np.float32).smallest_subnormal)}
BATCHES, RECORDS = {"train": 5, "test": 1}, 10_000
"""Files of the published data set and images in each."""


def counts_images(claim: Claim) -> tuple[Check, ...]:
    """The files of the data set."""

    def agrees(part: str) -> bool:
        return bool(claim[part] == BATCHES[part] * RECORDS)

    return tuple(Check(part, partial(agrees, part), "files of the data set") for part in BATCHES)


def is_the_range(claim: Claim) -> tuple[Check, ...]:
    """The entropy is largest for equal probabilities and smallest for a certain class."""

    def entropy(probabilities: list[float]) -> float:
        return -sum(p * math.log(p) for p in probabilities if p) / math.log(float(claim["base"]))

    classes = int(claim["classes"])
    return (
        Check("largest", lambda: is_close(entropy([1 / classes] * classes), float(claim["high"])), "equal chances"),
        Check("smallest", lambda: bool(abs(entropy([1.0]) - float(claim["low"])) < 1e-12), "a certain class"),
    )


def is_the_order_of_magnitude(statement: Any) -> tuple[Check, ...]:
    """Of the smallest number of the kind that the condition names, or of all numbers; powers of ten are rounded."""
    claim = statement.statement if isinstance(statement, Given) else statement
    kind = statement.condition["kind"] if isinstance(statement, Given) else "subnormal"
    order = round(math.log10(SMALLEST32[kind]))
    return (Check("order of magnitude", lambda: claim["power"] == order, "machine constants"),)


PROGRAMS: Programs = {
    "G.3 images": Program(
        counts_images,
        lambda: [RECORDS * BATCHES["train"], RECORDS * BATCHES["test"]],
        value=lambda claim: [float(claim["train"]), float(claim["test"])],
    ),
    "G.3 entropy": is_the_range,
    "G.3 range of float32": Program(
        is_the_order_of_magnitude,
        lambda: float(np.round(np.log10(SMALLEST32["subnormal"]))),
        value=lambda claim: float(claim["power"]),
    ),
}

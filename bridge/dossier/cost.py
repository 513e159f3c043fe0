"""What a measurement costs: one point is measured first, and the number of points follows from the time it took."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def seconds(measure: Callable[[], Any], budget: float) -> float:
    """Return the time of one call, without that of loading and compiling if a second call fits into the budget.

    Args:
        measure: the function to call.
        budget: time for the whole measurement, in seconds.
    """
    for _ in range(2):
        began = time.perf_counter()
        measure()
        took = time.perf_counter() - began
        if took > budget:
            break
    return took


def affordable(each: float, points: int, budget: float) -> int:
    """Return how many of the points fit into the time.

    Args:
        each: time of one point, in seconds.
        points: number of points.
        budget: time for all of them, in seconds.
    """
    return points if each * points <= budget else int(budget / each)


def said(each: float, done: int, points: int, name: str) -> str:
    """Return the sentence on a measurement with fewer points, or without any; empty if all were measured."""
    if done == points:
        return ""
    what = f"{done} of {points} points" if done else "left out"
    return f"{name}: {what}, since one point takes {each:.2g} s; budget= allows more"

"""Rows of the table for the functions of closed forms: at one point, at arrays, and with gradients in torch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sp
import theory_arrays
import torch
from side_by_side import Row, result

import theory
from theory import activations, geometry
from theory.core.formula.special import opened

CALLS = 1000  # a thousand calls take as many milliseconds as one takes microseconds
POINT = (0.02, 0.001, 440.0, 66.0, 1.0, 0.5)
LIMIT = (
    "numpy passes over the points once for each operation, also for the tests of the domain; differences in twice the "
    "digits are some twenty operations each, where lambdify rounds. function('numba') is one loop."
)
D, SIGMA, ZETA, POINTS, MILLION = 10, 1.1, 0.6, 20_000, 1_000_000


def final_distance(dh2_0, dy2_0, tau_h, tau_y, dx2, target2):
    """Return ``two_point.final_distance`` for A_high > 0, without a check."""
    high = dh2_0 - dx2 * dy2_0 * tau_y / (dh2_0 * tau_h)
    low2 = dx2 * target2 * tau_y / tau_h
    return high / 2 + math.sqrt(high * high / 4 + low2)


def point_rows() -> Iterator[Row]:
    """Yield a thousand evaluations of one closed form at one point, checked and unchecked."""
    form = theory.catalogue()["two_point.final_distance"]
    lambdified = sp.lambdify(
        [a.symbol for a in form.arguments], opened(form.expression), ["scipy", "numpy"], cse=True
    )

    def often(function):
        def call():
            for _ in range(CALLS):
                value = function(*POINT)
            return value

        return call

    for validate in (True, False):
        yield Row(
            f"one closed form at {CALLS} single points, {'checked' if validate else 'unchecked'}",
            often(form.function(validate=validate)),
            {"sympy.lambdify": often(lambdified), "by hand, math": often(final_distance)},
            limit=CALLS * 1e-6,
            tolerance=1e-12,
        )


def million_row() -> Row:
    """Return one closed form at a million points, whose seven arrays do not fit into a cache.

    The C library keeps the memory of smaller arrays once one of these was freed, which makes temporary arrays cheaper;
    rows that are to be as in a new process come before.
    """
    form = theory.catalogue()["two_point.final_distance"]
    lambdified = sp.lambdify(
        [a.symbol for a in form.arguments], opened(form.expression), ["scipy", "numpy"], cse=True
    )
    few = np.stack(list(form.sample(theory_arrays.DRAWN).values()))
    points = [
        np.ascontiguousarray(column) for column in np.tile(few, MILLION // theory_arrays.DRAWN)
    ]
    peers, missing = {"sympy.lambdify": lambda: lambdified(*points)}, ("numba, by hand",)
    with suppress(ImportError):
        from numba import vectorize

        compiled = vectorize(["float64(" + ", ".join(["float64"] * len(points)) + ")"])(
            final_distance
        )
        peers, missing = peers | {missing[0]: lambda: compiled(*points)}, ()
    return Row(
        "one closed form at a million points, checked",
        lambda: form(*points),
        peers,
        limit=0.007,
        tolerance=1e-9,
        truth=lambda: np.tile(
            [float(form.evaluate(*point, digits=30)) for point in few.T],
            MILLION // theory_arrays.DRAWN,
        ),
        missing=missing,
    )


@cache
def all_forms() -> dict[str, tuple[float, float, float]]:
    """Return the times of each closed form at arrays, checked, unchecked and by lambdify, in seconds."""
    forms = theory.catalogue()
    timed = {name: theory_arrays.row(forms[name], seconds=0.06) for name in forms}
    return {name: figures[:3] for name, figures in timed.items() if figures is not None}


@dataclass(frozen=True)
class AllForms:
    """All closed forms at arrays; the ratio is the median of the closed forms' ratios, and so is the time."""

    validate: bool
    goal: float
    limit, bounds = None, ()
    note = ""

    @property
    def job(self) -> str:
        """What is computed."""
        checked = "checked" if self.validate else "unchecked"
        return (
            f"all closed forms at arrays of {theory_arrays.POINTS}, medians over them, {checked}"
        )

    def measured(self) -> dict:
        """Return the row of the table."""
        checked, unchecked, rival = np.array(list(all_forms().values())).T
        ours = checked if self.validate else unchecked
        behind = int((rival / ours < self.goal).sum())
        note = f"{behind} of {len(ours)} closed forms are below the goal. {LIMIT}"
        times = {"ours": list(ours), "sympy.lambdify": list(rival)}
        medians = {name: float(np.median(values)) for name, values in times.items()}
        figures = result(self, times)
        return figures | {
            "minimum": medians,
            "median": medians,
            "ratio": float(np.median(rival / ours)),
            "note": note,
        }


def gradient_rows() -> Iterator[Row]:
    """Yield a curvature in torch with its gradient in the squared norms of the inputs."""
    r = torch.linspace(0.1, 4, POINTS, dtype=torch.float64, requires_grad=True)
    form = geometry.scalar_curvature(activations.ERF)

    def by_hand(r):
        s = SIGMA**2 * r
        return (
            -math.pi
            * (D - 1)
            * (D + 2)
            * s
            / (2 * (1 + 2 * ZETA**2) * torch.sqrt(1 + 2 * (s + ZETA**2)))
        )

    def gradient(function):
        return lambda: torch.autograd.grad(function(r).sum(), r)[0]

    for validate in (True, False):
        function = form.function("torch", validate=validate)
        yield Row(
            f"curvature of erf at {POINTS} points and its gradient, torch, {'checked' if validate else 'unchecked'}",
            gradient(lambda r, function=function: function(D, r, SIGMA, ZETA)),
            {"by hand, torch": gradient(by_hand)},
            goal=1,
            tolerance=1e-12,
            note="Ours divides by a root with torch's reciprocal root, which takes half the time of its root; the "
            "checks add the extremes of the argument and a sum of the result, a tenth of the time.",
        )


GROUPS = (point_rows, lambda: (AllForms(True, 1.3), AllForms(False, 1.5)), gradient_rows)

"""Rows of the table for the functions of closed forms: at one point, at arrays, and with gradients in torch."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec

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
    "Unchecked, both make the same passes of numpy over the points, so that the ratio is at most 1 unless powers are "
    "products where lambdify calls pow; the tests add two passes for each argument and two for the result, and a "
    "simple formula has no more. Differences in twice the digits are some twenty operations each, where lambdify "
    "rounds. function('numba') is one loop."
)
D, SIGMA, ZETA, POINTS, MILLION = 10, 1.1, 0.6, 20_000, 1_000_000
# largest time by number of points: 6 microseconds beside 10 of lambdify
SMALL = {1: 16e-6, 100: 16e-6}
COMPILED = {"sympy.lambdify": 1.4, "numba.vectorize of its text": 0.7}  # goal by rival
EVERY = 4


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
    points = theory_arrays.columns(form, MILLION)
    few = np.stack(points)[:, : theory_arrays.DRAWN]
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
def all_forms(count: int) -> dict[str, tuple[float, float, float]]:
    """Return the times of each closed form at arrays, checked, unchecked and by lambdify, in seconds."""
    forms = theory.catalogue()
    timed = {name: theory_arrays.row(forms[name], 0.06, count) for name in forms}
    return {name: figures[:3] for name, figures in timed.items() if figures is not None}


@cache
def compiled_forms() -> dict[str, tuple[float, float, float]]:
    """Return the times of every fourth closed form by ``function("numba")``, lambdify and numba of its plain text.

    Those are left out that one of the three lacks.
    """
    forms, times = theory.catalogue(), {}
    for name in list(forms)[::EVERY]:
        form, points = forms[name], theory_arrays.columns(forms[name])
        symbols, plain = [a.symbol for a in form.arguments], opened(form.expression)
        with suppress(Exception), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calls = (
                form.function("numba"),
                theory_arrays.lambdified(name),
                numba_of_text(sp.lambdify(symbols, plain, "math", cse=True), len(symbols)),
            )
            for call in calls:  # compiles, and finds what is lacking
                call(*points)
            times[name] = tuple(
                theory_arrays.best_times(*[partial(call, *points) for call in calls], seconds=0.1)
            )
    return times


def numba_of_text(function, arguments: int):
    """Return the ufunc by numba of a function of floats."""
    from numba import vectorize

    return vectorize([f"float64({', '.join(['float64'] * arguments)})"])(function)


@dataclass(frozen=True)
class AllForms:
    """Many closed forms at arrays; the ratio is the median of the closed forms' ratios, and so is the time."""

    job: str
    times: Callable[[], tuple[np.ndarray, np.ndarray]]  # ours and the rival's, of each form
    rival: str
    goal: float | None = None
    limit: float | None = None
    reason: str = LIMIT
    bounds = ()
    note = ""

    def measured(self) -> dict:
        """Return the row of the table."""
        ours, rivals = self.times()
        ratios = rivals / ours
        low, high = np.quantile(ratios, [0.1, 0.9])
        times = {"ours": list(ours), self.rival: list(rivals)}
        medians = {name: float(np.median(values)) for name, values in times.items()}
        return result(self, times) | {
            "minimum": medians,
            "median": medians,
            "ratio": float(np.median(ratios)),
            "note": f"A tenth of the {len(ours)} ratios are below {low:.2f}, a tenth above {high:.2f}. {self.reason}",
        }


def of_arrays(count: int, validate: bool) -> Callable[[], tuple[np.ndarray, np.ndarray]]:
    """Return the function of the times of all closed forms at arrays, ours and those of lambdify."""

    def times() -> tuple[np.ndarray, np.ndarray]:
        checked, unchecked, rival = np.array(list(all_forms(count).values())).T
        return (checked if validate else unchecked), rival

    return times


def array_rows() -> Iterator[AllForms]:
    """Yield all closed forms at arrays of three sizes by numpy, and some by numba."""
    for count, limit in SMALL.items():
        what = "one point" if count == 1 else f"{count} points"
        yield AllForms(
            f"all closed forms at arrays, {what}, medians over them, checked",
            of_arrays(count, True),
            "sympy.lambdify",
            limit=limit,
            reason="Of ours, the tests of the arguments take most: for each of them one call of numpy or two, of a "
            "third of a microsecond, and three more for an integer.",
        )
    for validate, goal in zip((True, False), theory_arrays.GOALS, strict=True):
        yield AllForms(
            f"all closed forms at arrays, {POINTS} points, medians over them, "
            f"{'checked' if validate else 'unchecked'}",
            of_arrays(POINTS, validate),
            "sympy.lambdify",
            goal,
        )
    if find_spec("numba") is None:
        return
    for place, (rival, goal) in enumerate(COMPILED.items(), 1):
        yield AllForms(
            f"every fourth closed form by function('numba'), {POINTS} points, checked, and {rival}",
            lambda place=place: tuple(np.array(list(compiled_forms().values())).T[[0, place]]),
            rival,
            goal,
            reason="Ours tests its arguments, and computes differences in twice the digits.",
        )


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


GROUPS = (point_rows, array_rows, gradient_rows)

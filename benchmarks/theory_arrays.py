"""All closed forms at arrays of many points, every argument an array: our functions and ``sympy.lambdify(cse=True)``.

The rival gets the expression with the functions of ``theory.core`` written out, since sympy has none of them, and it
checks nothing. Ours is timed as it is called, where domains, conditions and result are checked, and unchecked
(``form.function(validate=False)``). Expressions with integrals, which lambdify does not evaluate at arrays, are left
out. The functions take turns, and the times are CPU times, shortest of several runs; short calls are timed together.

    python benchmarks/theory_arrays.py [NAME ...]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp

import theory
from theory.core import ClosedForm
from theory.core.formula.special import opened

POINTS = 20_000
DRAWN = 500
SECONDS = 0.25
FEWEST, MOST = 5, 40
TOGETHER = 200  # points in as many calls as are timed together
GOALS = (1.0, 1.2)


def best_times(*functions: Callable[[], object], seconds: float, together: int = 1) -> list[float]:
    """Return the shortest CPU time of a call of every function, in seconds; the functions take turns.

    Args:
        functions: the functions.
        seconds: time for all of them.
        together: number of calls of a turn. Default: 1.
    """
    times: list[list[float]] = [[] for _ in functions]
    end = time.process_time() + seconds
    while len(times[0]) < FEWEST or (time.process_time() < end and len(times[0]) < MOST):
        for function, durations in zip(functions, times, strict=True):
            begin = time.process_time()
            for _ in range(together):
                function()
            durations.append((time.process_time() - begin) / together)
    return [min(durations) for durations in times]


def row(
    form: ClosedForm, seconds: float = SECONDS, count: int = POINTS
) -> tuple[float, float, float, float] | None:
    """Return the times checked, unchecked and by lambdify, and the largest relative difference of the values."""
    rival = lambdified(form.name)
    if rival is None:
        return None
    points = columns(form, count)
    checked, unchecked = (form.function(validate=validate) for validate in (True, False))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = rival(*points)
        except (TypeError, NameError, AttributeError, ValueError):
            return None
        difference = np.nanmax(np.abs(values / checked(*points) - 1))
        np.testing.assert_array_equal(unchecked(*points), checked(*points))
        functions = (lambda: checked(*points), lambda: unchecked(*points), lambda: rival(*points))
        times = best_times(*functions, seconds=seconds, together=max(1, TOGETHER // count))
    return *times, float(difference)


@cache
def lambdified(name: str) -> Callable[..., np.ndarray] | None:
    """Return a closed form by ``sympy.lambdify``; None without arguments, or for integrals."""
    form = theory.catalogue()[name]
    expression = opened(form.expression)
    if expression.has(sp.Integral) or not form.arguments:
        return None
    symbols = [argument.symbol for argument in form.arguments]
    return sp.lambdify(symbols, expression, modules=["scipy", "numpy"], cse=True)


def columns(form: ClosedForm, count: int = POINTS) -> list[np.ndarray]:
    """Return an array ``[count]`` for each argument, with ``DRAWN`` random points again and again."""
    few = np.stack(list(form.sample(DRAWN).values()))
    repeated = np.tile(few, -(-count // DRAWN))[:, :count]
    return [np.ascontiguousarray(column) for column in repeated]


def main() -> None:
    """Print the table, the forms with the smallest ratio first."""
    forms = theory.catalogue()
    rows = {name: row(forms[name]) for name in sys.argv[1:] or forms}
    known = {name: figures for name, figures in rows.items() if figures is not None}
    ratios = {
        name: (by_hand / ours, by_hand / bare) for name, (ours, bare, by_hand, _) in known.items()
    }
    heads = ("checked [ms]", "unchecked [ms]", "lambdify [ms]", "ratio", "unchecked", "difference")
    print(" " * 46 + "".join(f"{head:>15}" for head in heads))
    for name in sorted(known, key=ratios.__getitem__):
        times = "".join(f"{1e3 * value:15.3f}" for value in known[name][:3])
        print(
            f"{name:46}{times}"
            + "".join(f"{ratio:15.2f}" for ratio in ratios[name])
            + f"{known[name][3]:15.1e}"
        )
    medians = np.median(list(ratios.values()), axis=0)
    print(
        f"{len(known)} forms of {len(rows)}; left out: {', '.join(name for name in rows if name not in known)}"
    )
    print(
        f"median of lambdify over ours: checked {medians[0]:.2f}, unchecked {medians[1]:.2f} (expected: {GOALS})"
    )


if __name__ == "__main__":
    main()

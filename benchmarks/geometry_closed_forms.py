"""Closed forms of the geometry of wide layers at a million points: generated functions and hand-written numpy.

The hand-written functions are the simplified formulas, without any check of the input. The generated functions are
timed as they are called (domain, conditions and result are checked) and without these checks
(``form.function(validate=False)``), which is the comparison on equal terms.

    python benchmarks/geometry_closed_forms.py
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from theory import activations, geometry

POINTS = 1_000_000
REPEATS = 5
EXPECTED = 0.8
D, SIGMA, ZETA = 10, 1.1, 0.6


def erf_volume(r):
    """Return the volume element of the error function, Eq. (C.27)."""
    v = SIGMA**2 * r + ZETA**2
    return (2 * SIGMA**2 / (np.pi * np.sqrt(1 + 2 * v))) ** (D / 2) * np.sqrt(
        (1 + 2 * ZETA**2) / (1 + 2 * v)
    )


def erf_curvature(r):
    """Return the scalar curvature of the error function, a third of Eq. (C.28) with its factor d + 2."""
    s = SIGMA**2 * r
    return (
        -np.pi * (D - 1) * (D + 2) * s / (2 * (1 + 2 * ZETA**2) * np.sqrt(1 + 2 * (s + ZETA**2)))
    )


def quadratic_curvature(r):
    """Return the scalar curvature of z^2, a third of Eq. (C.46) at q = 2."""
    s = SIGMA**2 * r
    v = s + ZETA**2
    return (
        -3
        * (D - 1)
        * s
        * ((D + 2) * ZETA**2 + 3 * (D - 2) * s)
        / (4 * v**2 * (3 * s + ZETA**2) ** 2)
    )


def gelu_volume(r):
    """Return the volume element of the GELU, from E[(Phi + z p)^2] and its derivative with respect to the variance."""
    s = SIGMA**2 * r
    v = s + ZETA**2
    w, root = 1 + v, np.sqrt(1 + 2 * v)
    slope = 0.25 + np.arcsin(v / w) / (2 * np.pi) + v * (5 * v + 3) / (2 * np.pi * w * root**3)
    change = -(v**3 - 9 * v**2 - 12 * v - 4) / (2 * np.pi * w**2 * root**5)
    return (SIGMA**2 * slope) ** ((D - 1) / 2) * SIGMA * np.sqrt(slope + 2 * s * change)


def erf_kernel(xx, yy, xy):
    """Return the NNGP kernel of the error function, Eq. (C.24)."""
    x, y, c = SIGMA**2 * xx + ZETA**2, SIGMA**2 * yy + ZETA**2, SIGMA**2 * xy + ZETA**2
    return 2 / np.pi * np.arcsin(c / np.sqrt((1 + x) * (1 + y)))


def best_times(*functions):
    """Return the shortest of several runs of every function, in seconds; the functions take turns."""
    times = [[] for _ in functions]
    for _ in range(REPEATS):
        for function, durations in zip(functions, times, strict=True):
            begin = time.perf_counter()
            function()
            durations.append(time.perf_counter() - begin)
    return [min(durations) for durations in times]


def main():
    """Print the table."""
    draw = np.random.default_rng(0)
    r = draw.uniform(0, 4, POINTS)
    xx, yy = draw.uniform(0.5, 2, (2, POINTS))
    xy = 0.4 * draw.uniform(-1, 1, POINTS)
    single = {"d": D, "sigma": SIGMA, "zeta": ZETA}
    squares = activations.monomial(2)
    rows = {
        "volume element, erf": (
            geometry.volume_element(activations.ERF),
            erf_volume,
            {"r": r},
            single,
        ),
        "volume element, GELU": (
            geometry.volume_element(activations.GELU),
            gelu_volume,
            {"r": r},
            single,
        ),
        "scalar curvature, erf": (
            geometry.scalar_curvature(activations.ERF),
            erf_curvature,
            {"r": r},
            single,
        ),
        "scalar curvature, z^2": (
            geometry.scalar_curvature(squares),
            quadratic_curvature,
            {"r": r},
            single,
        ),
        "NNGP kernel, erf": (
            geometry.nngp_kernel(activations.ERF),
            erf_kernel,
            {"xx": xx, "yy": yy, "xy": xy},
            {"sigma": SIGMA, "zeta": ZETA},
        ),
    }
    print(
        f"{POINTS} points; speed is hand-written over generated time (expected: at least {EXPECTED})"
    )
    heads = ("checked [ms]", "unchecked [ms]", "by hand [ms]", "speed", "unchecked", "difference")
    print(" " * 24 + "".join(f"{head:>16}" for head in heads))
    for name, (form, by_hand, arrays, constants) in rows.items():
        checked, unchecked = (
            partial(form.function(validate=v), **arrays, **constants) for v in (True, False)
        )
        by_hand_at_once = partial(by_hand, *arrays.values())
        difference = np.max(np.abs(checked() / by_hand_at_once() - 1))  # this call also compiles
        unchecked()
        checked_ms, unchecked_ms, hand_ms = (
            1e3 * seconds for seconds in best_times(checked, unchecked, by_hand_at_once)
        )
        times = "".join(f"{value:>16.1f}" for value in (checked_ms, unchecked_ms, hand_ms))
        print(
            f"{name:24}{times}{hand_ms / checked_ms:>16.2f}{hand_ms / unchecked_ms:>16.2f}{difference:>16.1e}"
        )


if __name__ == "__main__":
    main()

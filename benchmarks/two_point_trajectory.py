"""A trajectory of the two-point theory: the closed form, the same formula written by hand, and numerical integration.

All compute (dh2, dy2, w) of Eq. (7) from small initial weights. The hand-written formula has no checks, and none of the
provisions for identical targets, for an initial state without alignment or for the digits of differences. LSODA and
odeint run with a relative tolerance of 1e-9; their errors are the differences from LSODA with 1e-13. The functions take
turns, and the times are CPU times, shortest of several runs.

    python benchmarks/two_point_trajectory.py
"""

from __future__ import annotations

import time

import numpy as np
from scipy.integrate import odeint, solve_ivp

from theory import two_point

TAU_H, TAU_Y, DX2, TARGET2 = 1301.0, 23.8, 1.0, 0.5
INITIAL = (5e-3, 4e-4, 4e-4 - 0.02 * np.sqrt(0.5))
LENGTHS = (6001, 60_001)
SECONDS = 1.0
EXPECTED = {"by hand": 0.8, "odeint": 1.5}


def rates(state, _=0.0):
    """Return the rates of Eq. (7) as printed."""
    dh2, dy2, w = state
    encoder = DX2 / TAU_H
    return (
        -encoder * w,
        -w * (dh2 / TAU_Y + encoder * dy2 / dh2),
        -0.5 / TAU_Y * (3 * w - dy2 + TARGET2) * dh2 - 0.5 * encoder * (dy2 + w) * w / dh2,
    )


def by_lsoda(t, tolerance=1e-9):
    """Return the trajectory ``[3, time]`` by solve_ivp."""
    span = (0, t[-1])
    return solve_ivp(
        lambda _, y: rates(y), span, INITIAL, "LSODA", t, rtol=tolerance, atol=tolerance * 1e-3
    ).y


def by_odeint(t):
    """Return the trajectory ``[3, time]`` by odeint."""
    return odeint(rates, INITIAL, t, rtol=1e-9, atol=1e-12).T


def closed_form(t):
    """Return the trajectory ``[3, time]`` by the closed form."""
    return two_point.trajectory(t, *INITIAL, TAU_H, TAU_Y, DX2, TARGET2)


def by_hand(t, tau_h=TAU_H, tau_y=TAU_Y):
    """Return the trajectory ``[3, time]`` by the solution of ``theory.two_point.solution``, written in numpy."""
    dh2_0, dy2_0, w_0 = INITIAL
    dot = dy2_0 - w_0
    learned_0, unlearned_0 = dot / TARGET2, (TARGET2 - dot) / TARGET2
    across_0 = max(dy2_0 - dot**2 / TARGET2, 0.0)
    decoder, encoder = dh2_0 / (2 * tau_y), DX2 / (2 * tau_h * dh2_0)
    g2 = DX2 * TARGET2 / (tau_h * tau_y) / 4
    delta = (dh2_0 - DX2 * dy2_0 * tau_y / (dh2_0 * tau_h)) / (4 * tau_y)
    mu = np.sqrt(delta**2 + g2)
    gap = g2 / (mu + abs(delta))
    plus, minus = max(2 * delta, 0) + gap, max(-2 * delta, 0) + gap
    cross = encoder * dot
    escape = plus + cross

    decay, slow = np.exp(-2 * mu * t), np.exp(-(plus + gap) * t)
    decay_across, fast = np.exp(-2 * plus * t), slow * np.exp(-2 * abs(delta) * t)
    span = -np.expm1(-2 * mu * t) / (2 * mu)
    span_across = slow * (-np.expm1(-2 * abs(delta) * t) / (2 * abs(delta)))
    stretch = decay + escape * span
    normaliser = decay * (1 + (decoder + encoder * TARGET2 * learned_0**2) * span)
    normaliser += decoder * escape**2 / plus * span**2 + encoder * across_0 * span_across
    scaled = stretch / normaliser
    predicted = learned_0 * (decay + minus * span) + decoder * span
    across = across_0 * decay_across * scaled**2
    turning = escape * span * (fast - gap * span_across)
    if abs(w_0) > across_0:
        w = across_0 * (decay * (decay_across - cross * span_across) + turning)
        w -= TARGET2 * unlearned_0 * decay * predicted
    else:
        mixed = unlearned_0 * span + learned_0 * span_across
        w = w_0 * (decay * (decay_across - cross * mixed) + turning)
        w -= (
            TARGET2
            * unlearned_0
            * (decoder * decay * mixed + learned_0 * escape * plus * span * span_across)
        )
    return np.stack(
        [
            dh2_0 * stretch * scaled,
            TARGET2 * (predicted * scaled) ** 2 + across,
            w / normaliser * scaled,
        ]
    )


def best_times(functions, t):
    """Return the shortest CPU time of every function in seconds; the functions take turns."""
    times = [[] for _ in functions]
    end = time.process_time() + SECONDS
    while time.process_time() < end:
        for function, durations in zip(functions, times, strict=True):
            function(t)  # brings its code and its memory back into the cache
            begin = time.process_time()
            function(t)
            durations.append(time.process_time() - begin)
    return [min(durations) for durations in times]


def main():
    """Print the table."""
    functions = {
        "closed form": closed_form,
        "by hand": by_hand,
        "odeint": by_odeint,
        "LSODA": by_lsoda,
    }
    for length in LENGTHS:
        t = np.linspace(0, 6000, length)
        reference = by_lsoda(t, 1e-13)
        closed_form(t)  # compiles the formula
        seconds = best_times(functions.values(), t)
        print(f"trajectory, {length} points; largest deviations, in units of the squared outputs")
        print(
            f"{'':14}{'time [ms]':>12}{'ratio':>8}{'expected':>10}{'deviation from LSODA at 1e-13':>34}"
        )
        for (name, function), duration in zip(functions.items(), seconds, strict=True):
            ratio, error = duration / seconds[0], np.abs(function(t) - reference).max()
            print(
                f"{name:14}{1e3 * duration:12.3f}{ratio:8.2f}{EXPECTED.get(name, ''):>10}{error:34.1e}"
            )


if __name__ == "__main__":
    main()

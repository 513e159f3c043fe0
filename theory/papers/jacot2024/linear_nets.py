"""Section 1.3, footnote 1: the middle term of the Lagrangian in linear nets."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.linalg import expm

from theory.core import Check, Claim, numerically
from theory.core.ledger.ledger import Programs
from theory.papers.jacot2024 import explicit_nets as nets

p = sp.Symbol("p", real=True)
trace_4, A_dot_at, plus, plus_T, A_T, pdet, log = (
    sp.Function(name) for name in ("trace_4", "A_dot_at", "plus", "plus_T", "A_T", "pdet", "log")
)


def pseudo_inverse(M: nets.Array) -> nets.Array:
    """By singular values; what is below 1e-9 of the largest counts as zero."""
    return np.asarray(np.linalg.pinv(M, rcond=1e-9))


def pseudo_determinant(M: nets.Array) -> float:
    """The product of the non-zero singular values."""
    values = nets.singular_values(M)
    return float(np.prod(values[values > 1e-9 * values[0]]))


@cache
def linear_paths() -> tuple[dict[str, Any], ...]:
    """Paths of linear nets, from inputs that are wide, tall, and of rank two in three dimensions."""
    draw = np.random.default_rng(8)
    starts = (draw.normal(size=(2, 4)), draw.normal(size=(4, 2)), draw.normal(size=(3, 2)) @ draw.normal(size=(2, 3)))
    cases = []
    for start in starts:
        rate = draw.normal(size=(len(start), len(start)))

        def place(p: float, rate: nets.Array = rate, start: nets.Array = start) -> nets.Array:
            return np.asarray(expm(p * rate) @ start)

        cases.append({
            "A_dot_at": lambda p, rate=rate, place=place: rate @ place(p),
            "plus": lambda p, place=place: pseudo_inverse(place(p)),
            "plus_T": lambda p, place=place: pseudo_inverse(place(p)).T,
            "A_T": lambda p, place=place: place(p).T,
            "pdet": lambda p, place=place: pseudo_determinant(place(p)),
            "trace_4": lambda a, b, c, d: float(np.trace(a @ b @ c @ d)),
            "log": np.log,
        })  # fmt: skip
    return tuple(cases)


def only_the_ends_count(claim: Claim) -> tuple[Check, ...]:
    """The middle term along two paths with the same ends, in a linear net and after a rectification; by sums."""
    nodes, shares = np.polynomial.legendre.leggauss(80)
    start, goal, detour = np.random.default_rng(3).normal(size=(3, 2, 2)) + 3 * np.eye(2)

    def integral(size: float, is_linear: bool) -> float:
        total = 0.0
        for share, p in zip(shares / 2, (nodes + 1) / 2, strict=True):
            A = start + p * (goal - start) + size * np.sin(np.pi * p) * detour
            velocity = goal - start + size * np.pi * np.cos(np.pi * p) * detour
            plus_ = pseudo_inverse(A if is_linear else nets.activation(A, False))
            total += share * float(np.trace(velocity @ plus_ @ plus_.T @ A.T))
        return total

    def agrees() -> bool:
        same = {kind: bool(abs(integral(0.0, kind) - integral(0.3, kind)) < 1e-8) for kind in (True, False)}
        return same[True] and not same[False] and claim["no"] == "no"

    return (Check("two paths", agrees, "quadrature"),)


PROGRAMS: Programs = {
    "1.3 footnote 1": numerically(linear_paths, "quadrature", tolerance=1e-7),
    "1.3 footnote 1, ends": only_the_ends_count,
}

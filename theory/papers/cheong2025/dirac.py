r"""Section 1.1, proof of Theorem 1, line by line, with Eq. (1.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.notation import letters

a, b, u, w, mean_ab, mean_a, mean_b, mean_b_a = letters("a b u w mean_ab mean_a mean_b mean_b_a")
density_a, density_b_a, delta, delta_w, f = letters("density_a density_b_a delta delta_w f")
TABLE = np.array([[0.4, 0.1], [0.05, 0.2], [0.1, 0.15]])
RHO = 0.6  # correlation of two Gaussians
WIDTH = 0.3
log = sp.log
QUADRATURE = 1e-6  # relative error of two nested integrals over heavy tails


def in_letters(p_joint: Any, first: Any, second: Any, weights: Any) -> dict[str, Any]:
    """The letters of the proof at pairs ``[a, b]`` with their densities, and averages with ``weights`` of the pairs."""
    of_a = weights.sum(axis=1)
    return {
        "p_ab": p_joint,
        "p_a": first,
        "p_b": second,
        "p_b_a": p_joint / first,
        "mean_ab": lambda values: float(np.sum(weights * values)),
        "mean_b": lambda values: float(np.sum(weights * values)),
        "mean_b_a": lambda values: np.sum(weights * values, axis=1) / of_a,
        "mean_a": lambda values: float(np.sum(of_a * values)),
    }


def pairs() -> Iterator[dict[str, Any]]:
    """A table of probabilities, and two correlated Gaussians: their log-densities are quadratic, so 3 nodes suffice."""
    first, second = np.broadcast_arrays(TABLE.sum(axis=1, keepdims=True), TABLE.sum(axis=0, keepdims=True))
    entropies = [float(-np.sum(p * np.log(p))) for p in (TABLE.sum(axis=1), TABLE.sum(axis=0), TABLE)]
    yield in_letters(TABLE, first, second, TABLE) | {"I_ab": entropies[0] + entropies[1] - entropies[2]}
    nodes, chances = np.polynomial.hermite_e.hermegauss(3)
    weights = np.outer(chances, chances) / chances.sum() ** 2
    one, noise = np.meshgrid(nodes, nodes, indexing="ij")
    other, scale = RHO * one + math.sqrt(1 - RHO**2) * noise, math.sqrt(2 * math.pi)
    marginals = [np.exp(-(z**2) / 2) / scale for z in (one, other, noise)]
    joint = marginals[0] * marginals[2] / math.sqrt(1 - RHO**2)
    yield in_letters(joint, marginals[0], marginals[1], weights) | {"I_ab": -math.log(1 - RHO**2) / 2}


def cauchy(z: float, scale: float) -> float:
    """Density of the Cauchy distribution, whose entropy is log(4 pi scale)."""
    return scale / math.pi / (z**2 + scale**2)


def channels() -> Iterator[dict[str, Any]]:
    """A channel: b is a function of a plus noise whose width depends on a; and a density of one width."""
    common = {"density_a": lambda a: cauchy(a, 1.0), "f": lambda a: a / (1 + a**2)}
    yield common | {
        "density_b_a": lambda b, a: cauchy(b - a / (1 + a**2), 1 + 1 / (1 + a**2)),
        "delta": lambda v: cauchy(v, WIDTH),
        "mean_log": -math.log(4 * math.pi) - 2 * math.log((1 + math.sqrt(2)) / 2),
    }


def nascent() -> Iterator[dict[str, Any]]:
    """The same with noise of one width, a nascent delta."""
    for case in channels():
        yield case | {"mean_log": -math.log(4 * math.pi * WIDTH)}


def before_the_limit(statement: sp.Eq) -> tuple[Check, ...]:
    """Both sides at widths that are not zero yet, for a uniform density of that width."""

    def at(width: float) -> bool:
        def opened(inner: Any, letter: Any, point: Any, side: Any) -> Any:
            if (letter, point) != (w, 0):
                raise ValueError(f"limit: got {letter} to {point}, needs w to 0")
            return inner.subs(w, width)

        case = {
            "density_a": lambda a: cauchy(a, 1.0),
            "delta_w": lambda u, _: 1 / width if abs(u) <= width / 2 else 0.0,
            "mean_a": lambda value: value,
            "mean_log": -math.log(width),
        }
        left, right = (evaluate(side.replace(sp.Limit, opened), case) for side in statement.args)
        return is_close(left, right, QUADRATURE)

    return tuple(Check(f"w = {width}", partial(at, width), "entropy of noise") for width in (0.2, 0.7))


def has_the_limit(statement: sp.Eq) -> tuple[Check, ...]:
    """The printed limit."""
    return (Check("limit", lambda: bool(statement.lhs.doit() == statement.rhs), "logarithm at zero"),)


def is_uniform(statement: sp.Eq) -> tuple[Check, ...]:
    """The printed density is one number within w/2 of zero and nothing elsewhere, and its integral is 1."""
    value, width = statement.rhs, sp.Rational(3, 7)
    inside = [sp.simplify(value.subs({u: place * w}) * w) for place in (-0.5, -0.49, 0, 0.3, 0.5)]
    outside = [sp.simplify(value.subs({u: place * w})) for place in (-2, -0.51, 0.51, 2)]
    total = sp.integrate(value.subs(w, width), (u, -1, 1))
    return (
        Check("inside and outside", lambda: inside == [1] * 5 and outside == [0] * 4, "values"),
        Check("integral", lambda: bool(total == 1) and statement.lhs == delta_w(u, w), "integration"),
    )


PROGRAMS: Programs = {
    "Theorem 1, delta": is_uniform,
    "Theorem 1, decomposition, first line": numerically(pairs, "entropies"),
    "Theorem 1, decomposition, second line": numerically(pairs, "entropies"),
    "Theorem 1, decomposition, third line": numerically(pairs, "entropies"),
    "Theorem 1, decomposition": numerically(pairs, "entropies"),
    "(1.3), first line": numerically(pairs, "entropies"),
    "(1.3), second line": numerically(channels, "entropy of Cauchy noise", tolerance=QUADRATURE),
    "(1.3)": numerically(nascent, "entropy of Cauchy noise", tolerance=QUADRATURE),
    "Theorem 1, substitution": before_the_limit,
    "Theorem 1, last lines": before_the_limit,
    "Theorem 1, infinite": has_the_limit,
}

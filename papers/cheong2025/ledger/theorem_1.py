r"""The proof of Theorem 1 line by line, with Eq. (1.3), and the least cross-entropy over all decoders, Section 1.3."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from papers.cheong2025.ledger.notation import letters
from theory.core import Program, Programs, evaluate, is_close, numerically, of_each_relation

w, infimum = letters("w infimum")
TABLE = np.array([[0.4, 0.1], [0.05, 0.2], [0.1, 0.15]])
"""Probabilities of (a, b)."""
RHO = 0.6  # correlation of two Gaussians
WIDTH = 0.3
QUADRATURE = 1e-6  # relative error of two nested integrals, and of a minimum that is searched for
CERTAIN = 1e-9  # smallest probability that decoders give


def in_letters(joint: Any, first: Any, second: Any, weights: Any) -> dict[str, Any]:
    """The letters of the proof at pairs ``[a, b]`` with their densities, and averages with ``weights`` of the pairs."""
    of_a = weights.sum(axis=1)
    return {
        "p_ab": joint,
        "p_a": first,
        "p_b": second,
        "p_b_a": joint / first,
        "p_a_b": joint / second,
        **dict.fromkeys(("mean_ab", "mean_b"), lambda values: float(np.sum(weights * values))),
        "mean_b_a": lambda values: np.sum(weights * values, axis=1) / of_a,
        "mean_a": lambda values: float(np.sum(of_a * values)),
    }


def table() -> dict[str, Any]:
    """The letters for a table of probabilities."""
    first, second = np.broadcast_arrays(
        TABLE.sum(axis=1, keepdims=True), TABLE.sum(axis=0, keepdims=True)
    )
    return in_letters(TABLE, first, second, TABLE)


def entropy(probabilities: Any) -> float:
    """Entropy in nats."""
    return float(-np.sum(probabilities * np.log(probabilities)))


def gaussian(z: Any, deviation: Any = 1.0) -> Any:
    """Density of a Gaussian, which does not round to zero far away: its logarithm is taken."""
    return np.maximum(
        np.exp(-((z / deviation) ** 2) / 2) / math.sqrt(2 * math.pi) / deviation, 1e-300
    )


def grid(nodes: int) -> tuple[Any, Any, Any]:
    """Pairs of standard Gaussians, and weights of a quadrature that is exact for polynomials of degree 2 nodes - 1."""
    points, chances = np.polynomial.hermite_e.hermegauss(nodes)
    return (
        *np.meshgrid(points, points, indexing="ij"),
        np.outer(chances, chances) / chances.sum() ** 2,
    )


def pairs() -> Iterator[dict[str, Any]]:
    """A table of probabilities, and two correlated Gaussians: their log-densities are quadratic, so 3 nodes suffice."""
    known = entropy(TABLE.sum(axis=1)) + entropy(TABLE.sum(axis=0)) - entropy(TABLE)
    yield {**table(), "a": 0, "b": 1, "I": lambda a, b: known if (a, b) == (0, 1) else math.nan}
    first, noise, weights = grid(3)
    joint = gaussian(first) * gaussian(noise) / math.sqrt(1 - RHO**2)
    other = gaussian(RHO * first + math.sqrt(1 - RHO**2) * noise)
    gaussians, information = (
        in_letters(joint, gaussian(first), other, weights),
        -math.log(1 - RHO**2) / 2,
    )
    yield {
        **gaussians,
        "a": 0,
        "b": 1,
        "I": lambda a, b: information if (a, b) == (0, 1) else math.nan,
    }


def channel(width: Callable[[Any], Any]) -> Iterator[dict[str, Any]]:
    """A channel: b is a function f of a Gaussian a plus Gaussian noise; its log-density is quadratic in the noise."""
    signal, noise, weights = grid(4)
    joint = gaussian(signal) * gaussian(noise) / width(signal)
    yield in_letters(joint, gaussian(signal), 1.0, weights) | {
        "p": gaussian,
        "f": lambda a: a / (1 + a**2),
        "density_b_a": lambda b, a: gaussian(b - a / (1 + a**2), width(a)),
        "delta": lambda v: gaussian(v, WIDTH),
    }


def before_the_limit(relation: sp.Eq) -> bool:
    """Both sides at widths w that are not zero yet, for uniform noise of that width."""

    def agrees(width: float) -> bool:
        def opened(inner: Any, letter: Any, point: Any, side: Any) -> Any:
            if (letter, point) != (w, 0):
                raise ValueError(f"limit: got {letter} to {point}, needs w to 0")
            return inner.subs(w, width)

        case = in_letters(np.full_like(TABLE, 1 / width), 1.0, 1.0, TABLE) | {
            "p": gaussian,
            "delta_w": lambda u, _: 1 / width if abs(u) <= width / 2 else 0.0,
        }
        left, right = (evaluate(side.replace(sp.Limit, opened), case) for side in relation.args)
        return is_close(left, right, QUADRATURE)

    return agrees(0.2) and agrees(0.7)


def uniform() -> Iterator[dict[str, Any]]:
    """The uniform density of width w within w/2 of zero, at its ends, inside and outside."""
    from scipy import stats

    for width, fraction in itertools.product(
        (0.5, 3.0), (-2.0, -0.51, -0.5, -0.49, 0.3, 0.5, 0.51)
    ):
        yield {
            "u": fraction * width,
            "w": width,
            "delta_w": lambda u, w: float(stats.uniform.pdf(u, -w / 2, w)),
        }


def minimised(inner: Any) -> Any:
    """The inner expression at the decoder f that minimises it: a number, or its value at each a."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def at(logits: Any) -> Any:
        certainty = CERTAIN + (1 - 2 * CERTAIN) * expit(logits)
        return evaluate(inner, {**table(), "f_ab": np.stack([1 - certainty, certainty], axis=1)})

    best = minimize(lambda logits: float(np.sum(at(logits))), np.zeros(len(TABLE)), tol=1e-12)
    return at(best.x)


def value(side: Any) -> Any:
    """A printed side for the table; infima over all decoders are searched for numerically."""
    case = table()

    def found(inner: Any) -> sp.Symbol:
        name = f"infimum {len(case)}"
        case[name] = minimised(inner)
        return sp.Symbol(name)

    return evaluate(side.replace(infimum, found), case)


SEARCHED = of_each_relation(
    lambda relation: is_close(value(relation.lhs), value(relation.rhs), QUADRATURE, 1.0)
)

PROGRAMS: Programs = {
    "Theorem 1, delta": numerically(uniform),
    "Theorem 1, decomposition | (1.3), first line": numerically(pairs),
    "(1.3), second line": numerically(
        partial(channel, lambda a: np.exp(np.minimum(a**2 / 9, 9))), tolerance=QUADRATURE
    ),
    "(1.3)": numerically(partial(channel, lambda a: WIDTH + 0 * a), tolerance=QUADRATURE),
    "Theorem 1, substitution": of_each_relation(before_the_limit),
    "1.3 variational form | 1.3 KL": SEARCHED,
    "1.3 predicting b given a": Program(
        SEARCHED,
        lambda: 0.0,
        value=lambda statement: round(float(value(statement.lhs) - value(statement.rhs)), 9) + 0.0,
        tolerance=QUADRATURE,
        at=lambda: {"p_ab": TABLE},
        quantity="left-hand side less right-hand side",
    ),
}

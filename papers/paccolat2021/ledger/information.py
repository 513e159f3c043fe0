r"""Appendix D: the information on a binary label, and its estimate from nearest neighbours; Eq. (16)."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate, spatial, special

from papers.paccolat2021.ledger.notation import letters
from theory.core import (
    Programs,
    Scales,
    Step,
    deciding,
    evaluate,
    identity,
    is_close,
    numerically,
    stating,
)
from theory.core.ledger.proving import declaring

P, integral, mean_x, P_y = letters("P integral mean_x P_y")
r, d, r_plus, r_minus, q_hat, q_hat_minus = letters("r d r_plus r_minus q_hat q_hat_minus")
DIMENSIONS = (1, 2, 5, 10, 30, 300)
MEAN, WIDTH = {1: 0.7, -1: -0.4}, {1: 1.0, -1: 0.6}
"""Of the Gaussian feature, given its label. The widths differ, so that an exchange of the labels in one term shows."""
FAR = 12.0


def density(x: float, label: int) -> float:
    """Of the feature, given its label."""
    return math.exp(exponent(x, label)) / (WIDTH[label] * math.sqrt(2 * math.pi))


def exponent(x: float, label: int) -> float:
    """Of the density of the feature, given its label."""
    return -(((x - MEAN[label]) / WIDTH[label]) ** 2) / 2


def log_odds(x: float) -> float:
    """Of the label +1, which is as frequent as -1: a quadratic function of the feature."""
    return exponent(x, 1) - exponent(x, -1) + math.log(WIDTH[-1] / WIDTH[1])


def at(x: float) -> dict[str, Any]:
    """The letters of Appendix D at a value of the feature."""
    plus, minus = density(x, 1), density(x, -1)
    total = (plus + minus) / 2
    return {
        "P": total,
        "P_plus": plus,
        "P_minus": minus,
        "prior": 0.5,
        "log_2": math.log2,
        "q_plus": plus / 2 / total,
        "q_minus": minus / 2 / total,
        "posterior": special.expit(log_odds(x)),
        "posterior_minus": special.expit(-log_odds(x)),
    }


def numbers() -> dict[str, float]:
    """Entropies of the feature in bits, that given the label from those of Gaussians, and their difference."""

    def summand(x: float) -> float:
        value = at(x)["P"]
        return float(-value * math.log2(value))

    whole = integrate.quad(summand, -FAR, FAR)[0]
    conditional = (
        sum(math.log2(2 * math.pi * math.e * width**2) / 2 for width in WIDTH.values()) / 2
    )
    return {"H": whole, "H_given": conditional, "I": whole - conditional}


def averaged(expression: Any) -> Any:
    """The printed expression with its integrals over the feature done."""

    def done(inner: Any) -> sp.Float:
        return sp.Float(
            integrate.quad(lambda x: evaluate(inner, at(x)), -FAR, FAR, epsabs=1e-10)[0]
        )

    return expression.replace(mean_x, lambda inner: integral(P * inner)).replace(integral, done)


def in_bits(statement: sp.Eq) -> bool:
    """A Gaussian feature, of another mean and width for each label; quadratures, and entropies of Gaussians."""
    left, right = (evaluate(averaged(side), numbers()) for side in (statement.lhs, statement.rhs))
    return is_close(left, right, 1e-8)


def entropy(x: float) -> float:
    """Binary entropy in bits."""
    return -x * math.log2(x) - (1 - x) * math.log2(1 - x)


def posteriors() -> Iterator[dict[str, Any]]:
    """Three posteriors, and the estimate by their binary entropies."""
    values = (0.2, 0.9, 0.45)
    estimate = 1 - sum(map(entropy, values)) / len(values)
    plus, minus = (lambda i: values[i - 1]), (lambda i: 1 - values[i - 1])
    functions = {"q_at": plus, "q_minus_at": minus, "h_2": entropy, "log_2": math.log2}
    yield {**functions, "p": len(values), "I_hat": estimate}


k, n, c = sp.symbols("k n c", positive=True)


def in_a_ball(radius: sp.Expr) -> sp.Expr:
    """Density of k points of n in a ball of volume c r^d."""
    return k / (n * c * radius**d)


def is_uniform_in_the_ball(scaling: Scales) -> tuple[Step, ...]:
    """The ratio of both sides does not depend on the radius of a ball, whose volume is c r^d."""
    ratio = scaling.lhs.subs(P_y, in_a_ball(r)) / scaling.rhs
    return (Step("slope of the ratio", sp.Derivative(sp.log(ratio), r), sp.S.Zero),)


@cache
def neighbours(dimension: int) -> tuple[float, float]:
    """Relative spread of the distances of 1,000 Gaussian points, and mean estimate of the posterior of its label."""
    points = np.random.default_rng(0).normal(size=(1000, dimension))
    pairs = spatial.distance.pdist(points)
    gaps, label = spatial.distance.squareform(pairs), points[:, 0] > 0
    np.fill_diagonal(gaps, np.inf)
    plus, minus = (np.sort(gaps[:, label == sign], axis=1)[:, 4] for sign in (True, False))
    estimate = special.expit(dimension * np.log(minus / plus))
    return float(pairs.std() / pairs.mean()), float(np.where(label, estimate, 1 - estimate).mean())


def falls(index: int, end: float) -> bool:
    """Whether a number of :func:`neighbours` falls to an end as the dimension grows."""
    values = [neighbours(dimension)[index] for dimension in DIMENSIONS]
    return bool(np.all(np.diff(values) < 0) and abs(values[-1] - end) < 0.1)


def on_a_line() -> str:
    """Eq. (16) with d = 10 instead of d = 1, for some ratios of distances."""
    ratios = np.array([0.6, 0.9, 1.2, 3.0])
    right, wrong = np.abs(1 / (1 + ratios) - 0.5), np.abs(1 / (1 + ratios**10) - 0.5)
    return "its extrema" if np.all(wrong > right) else "1/2"


of_bayes = identity(
    {
        letter: in_a_ball(radius) / (in_a_ball(r_plus) + in_a_ball(r_minus))
        for letter, radius in ((q_hat, r_plus), (q_hat_minus, r_minus))
    },
    "Bayes with the densities of both balls, in any dimension",
)

PROGRAMS: Programs = {
    "D q | D q_minus | D Bayes": numerically(
        lambda: map(at, (-1.3, 0.2, 0.9)), "Bayes at three values of a Gaussian feature"
    ),
    "D conditional entropy, first line | D conditional entropy, second line": deciding(in_bits),
    "D conditional entropy, third line | D conditional entropy | D information": deciding(in_bits),
    "D estimator | D estimator, second line": numerically(posteriors),
    "D density": declaring(is_uniform_in_the_ball, "~"),
    "(16) | (16) q_minus": of_bayes,
    "D flaw, dimension": stating(
        how=lambda: "similar" if falls(0, 0.0) else "different",
        value=lambda: "1/2" if falls(1, 0.5) else "its extrema",
    ),
    "D flaw, manifold": stating(value=on_a_line),
}

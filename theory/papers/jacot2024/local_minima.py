"""Section 1.4, Propositions 2 and 3, and their proofs (Proposition 6, Appendix A.1)."""

from __future__ import annotations

import numpy as np
import sympy as sp
from scipy.optimize import linprog

from theory.core import Check, Finding, Step
from theory.leaky_resnet import canonical as c
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry

ROUNDING = 1e-9

# Square sigma(A) = S and any A; a new neuron epsilon z with activation epsilon sigma(z), each a row.
S, A = c.matrix("s"), c.matrix("a")
z, fired = c.matrix("z", 1), c.matrix("y", 1)
eps = sp.Symbol("epsilon", positive=True)
kernel = S.T * S
changed = kernel + eps**2 * fired.T * fired
cost = ((A.T * A + eps**2 * z.T * z) * changed.adjugate()).trace() / changed.det()
inverse = kernel.inv()
second_order = (z * inverse * z.T)[0] - c.squared(A * inverse * fired.T)
sample = S[:, 0]  # sigma(A) of the first sample; in the proof z = sigma(A)' sigma(A_1)
special = (kernel[:, 0]).T
OWN = {**dict(zip(z, special, strict=True)), **dict(zip(fired, special, strict=True))}


def _cost(A_: np.ndarray, features: np.ndarray) -> float:
    return float((np.linalg.lstsq(features.T, A_.T, rcond=1e-10)[0] ** 2).sum())


def _leaves_the_image() -> bool:
    """Z in the row space of sigma(A) with sigma(z) outside: the second term of the expansion is missing."""
    rows = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    z_ = rows[0] - rows[1]
    size = 1e-2
    found = _cost(np.vstack([rows, size * z_]), np.vstack([rows, size * np.maximum(z_, 0)])) - 2
    inverse_ = np.linalg.pinv(rows.T @ rows)
    printed = z_ @ inverse_ @ z_ - ((rows @ inverse_ @ np.maximum(z_, 0)) ** 2).sum()
    return bool(abs(found / size**2 - z_ @ inverse_ @ z_) < 1e-3 and abs(found / size**2 - printed) > 0.1)


def _row_of_ones_counts() -> bool:
    """With bias, a sample with a small negative entry has |sigma(A_i)| > |A_i|: the terms sum to more than zero."""
    A_ = np.array([[0.5, 2.0], [-0.1, 1.0]])
    features = nets.activation(A_, bias=True)
    return bool((features[:, 0] ** 2).sum() > (A_[:, 0] ** 2).sum())


def _bias_vanishes_at_minima() -> bool:
    """Scaled down, the cost with bias never rises; its slope is the squared bias, so at a minimum there is none."""
    for seed in range(40):
        A_ = np.random.default_rng(seed).normal(size=(6, 3))
        size = 1e-4
        weights = nets.smallest_weights(A_, A_, bias=True)
        slope = (
            (nets.smallest_weights((1 + size) * A_, (1 + size) * A_, True) ** 2).sum()
            - (nets.smallest_weights((1 - size) * A_, (1 - size) * A_, True) ** 2).sum()
        ) / (2 * size)
        if abs(slope - 2 * (weights[:, -1] ** 2).sum()) > 1e-5 * max(1.0, slope):
            return False
        without = (nets.smallest_weights(A_, A_, bias=False) ** 2).sum()
        if (weights**2).sum() > without * (1 + ROUNDING):
            return False
    return True


def _path_of_constant_cost() -> bool:
    """Seven neurons on two samples, N(N + 1) = 6: a combination with a zero coefficient, and the cost on the way."""
    A_ = np.random.default_rng(7).normal(size=(7, 2))
    features = np.maximum(A_, 0)
    upper = np.triu_indices(2)
    pairs = np.array([np.r_[np.outer(x, x)[upper], np.outer(y, y)[upper]] for x, y in zip(A_, features, strict=True)])
    # A vertex of the polytope of combinations is a basic solution: at most six coefficients are not zero.
    found = linprog(np.arange(7.0), A_eq=pairs.T, b_eq=pairs.sum(axis=0), bounds=(0, None), method="highs-ds")
    if not found.success or (found.x > ROUNDING).sum() > 6:
        return False
    costs = []
    for t in (0.0, 0.3, 0.7, 1.0):
        path = np.sqrt((1 - t) + t * found.x)[:, None] * A_
        costs.append(_cost(path, np.maximum(path, 0)))
    return bool(np.ptp(costs) < ROUNDING * costs[0] and found.x.min() < ROUNDING)


t, weight_1, weight_2 = sp.symbols("t a_1 a_2", positive=True)
rows = c.matrix("r")
N = sp.Symbol("N", positive=True, integer=True)
PATH = (
    Step(
        "covariance along the path",
        sum(
            (((1 - t) + t * w) * rows[i, :].T * rows[i, :] for i, w in enumerate((weight_1, weight_2))),
            sp.zeros(2, 2),
        ),
        (1 - t) * rows.T * rows + t * (weight_1 * rows[0, :].T * rows[0, :] + weight_2 * rows[1, :].T * rows[1, :]),
        because="linear in t; the last bracket is the same covariance; likewise for the activations",
    ),
    Step(
        "dimension of pairs of symmetric matrices",
        2 * sp.Sum(sp.Symbol("i", integer=True), (sp.Symbol("i", integer=True), 1, N)).doit(),
        N * (N + 1),
        because="N (N + 1)/2 each",
    ),
    Check("constant cost down to a zero neuron", _path_of_constant_cost, "linear programme, least squares"),
)

EQUATIONS = (
    entry(
        "Proposition 2",
        "1.4",
        "Minima that stay minima when a zero neuron is added are non-negative, and cost their rank.",
        Finding.CONFIRMED,
        "Without bias as proved there. With bias the sign in that proof is not certain (see the entry on the terms), "
        "but the proposition holds: the slope of the cost as A is scaled is twice the squared bias, so at a local "
        "minimum the bias is zero, and as the cost with bias never exceeds the one without, it is a minimum of that, "
        "too.",
        steps=(
            Step(
                "second order of the cost",
                sp.Subs(sp.Derivative(cost.xreplace(OWN), (eps, 2)), eps, 0) / 2,
                c.squared(sample) - c.squared(A[:, 0]),
                because="z = sigma(A)' sigma(A_1), which is not negative",
            ),
            Check("with bias", _bias_vanishes_at_minima, "least squares"),
        ),
    ),
    entry(
        "Proposition 2, expansion",
        "1.4",
        "The cost of identity with a small neuron added, to fourth order.",
        Finding.CONDITIONAL,
        "Sherman and Morrison. If sigma(z) leaves the row space of sigma(A), the pseudo-inverse has no such expansion "
        "and the cost has no second term.",
        printed=r"\|A \sigma(A)^+\|^2 + \epsilon^2 \|z^\top \sigma(A)^+\|^2 - \epsilon^2 \|\sigma(z)^\top \sigma(A)^+ "
        r"\sigma(A)^{+\top} A^\top\|^2 + O(\epsilon^4)",
        condition="sigma(z), not only z, lies in the row space of sigma(A)",
        steps=(
            Step("order zero", sp.Subs(cost, eps, 0), c.squared(A * S.inv()), because="epsilon = 0"),
            Step(
                "order two",
                sp.Subs(sp.Derivative(cost, (eps, 2)), eps, 0) / 2,
                second_order,
                because="differentiation",
            ),
        ),
        counterexample=_leaves_the_image,
        consequence="None for the proposition: its z is non-negative, so sigma(z) = z.",
    ),
    entry(
        "Proposition 2, terms",
        "1.4",
        "For z = sigma(A)' sigma(A_i) the two terms of second order sum to something negative.",
        Finding.CONDITIONAL,
        "They are |sigma(A_i)|^2 and -|A_i|^2. With bias the first has an extra 1.",
        printed=r"\epsilon^2 \|\sigma(A_{\cdot i})\|^2 - \epsilon^2 \|A_{\cdot i}\|^2 < 0",
        condition="there is no bias, or the negative entries of the sample have a squared sum above 1",
        steps=(
            Step(
                "value of both terms",
                second_order.xreplace(OWN),
                c.squared(sample) - c.squared(A[:, 0]),
                because="sigma(A) K^-1 sigma(A)' is a projection",
            ),
        ),
        counterexample=_row_of_ones_counts,
        consequence="With bias the contradiction needs the argument of the entry Proposition 2. Proposition 5 takes "
        "over the condition.",
    ),
    entry(
        "Proposition 3",
        "1.4",
        "With more than N(N + 1) neurons every minimum with negative entries is joined to a saddle by a path of "
        "constant cost.",
        Finding.CONFIRMED,
        "Steps of its proof; the end is stationary because the covariances, and with them the gradient of each row per "
        "size, are those of the minimum, and not a minimum by Proposition 2.",
        steps=PATH,
    ),
    entry(
        "1.4 observed minima",
        "1.4",
        "Only non-negative local minima have been observed in training.",
        Finding.ASSUMPTION,
        "An observation.",
    ),
)

EQUATIONS_A1 = (
    entry(
        "Proposition 6",
        "A.1",
        "Proposition 3 again, with its proof.",
        Finding.CONFIRMED,
        "Covariances along the path, the dimension, and an example with seven neurons on two samples.",
        printed=r"A_{t,i\cdot} = \sqrt{(1-t) + t a_i}\, \hat{A}_{i\cdot}",
        steps=PATH,
    ),
)

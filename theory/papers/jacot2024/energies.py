"""Section 1.3, second half: cost of identity, potential and kinetic energy."""

from __future__ import annotations

import warnings

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.nonnegative import nonnegative_cost_form
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lagrangian import ROUNDING, M, S, inverse_kernel
from theory.papers.jacot2024.paper import entry


def _rank_is_cost() -> bool:
    """Non-negative matrices of given rank, and a Hilbert matrix: pseudo-inverse and package."""
    draw = np.random.default_rng(5)
    for rank in (1, 2, 3):
        A = draw.uniform(size=(5, rank)) @ draw.uniform(size=(rank, 6))
        if abs(float(leaky_resnet.cost_of_identity(A, bias=False)) - rank) > ROUNDING:
            return False
        if abs(np.linalg.norm(A @ np.linalg.pinv(A, rcond=1e-12)) ** 2 - rank) > ROUNDING:
            return False
    hilbert = 1 / (np.arange(6)[:, None] + np.arange(6) + 1.0)
    return bool(abs(float(leaky_resnet.cost_of_identity(hilbert, bias=False)) - 6) < ROUNDING)


def _cost_is_square() -> Reading:
    A = np.array([[1.0, 0.5, 0.0], [0.2, 1.0, 2.0]])
    W = nets.smallest_weights(A, A, bias=False)
    independent = float(np.trace(A @ np.linalg.pinv(A.T @ A) @ A.T))
    return Reading(np.linalg.norm(W), np.linalg.norm(W) ** 2, independent)


def _terms_cancel() -> bool:
    """A dead neuron: sigma(A) = 0, the velocity is -depth A, and no weights are needed."""
    A = np.array([[-1.0, -2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", leaky_resnet.IllConditionedWarning)
        apart = [leaky_resnet.squared_norm(X, A, bias=False) for X in (A, -3.0 * A)]
        together = leaky_resnet.squared_norm(3.0 * A - 3.0 * A, A, bias=False)
    return bool(np.isinf(apart).all() and together == 0)


EQUATIONS = (
    entry(
        "1.3 cost of identity",
        "1.3",
        "It is the Frobenius norm of the smallest weights with W sigma(A) = A.",
        Finding.MISPRINT,
        "It is the square of that norm, as the formulas around the sentence have it.",
        printed=r"\|A_p\|^2_{K_p} = \min \|W_p\|_F",
        corrected=r"\|A_p\|^2_{K_p} = \min \|W_p\|_F^2",
        steps=(
            Step("square of the smallest weights", (M * inverse_kernel * M.T).trace(), c.squared(M * S.inv()), "K^-1"),
        ),
        printed_steps=(Step("its root", (M * inverse_kernel * M.T).trace(), sp.sqrt(c.squared(M * S.inv()))),),
        witness={"A": "[[1, 0.5, 0], [0.2, 1, 2]]"},
        oracle=_cost_is_square,
        consequence="The square is what equals the rank.",
    ),
    entry(
        "1.3 rank",
        "1.3",
        "Without bias, the cost of identity of a non-negative representation is its rank.",
        Finding.CONFIRMED,
        "A^+ A is a projection. With bias the same holds if the constant vector is not in the row space; if it is, the "
        "cost is rank - tau/(1 + tau), not an integer.",
        printed=r"\|A_p\|^2_{K_p} = \operatorname{Rank} A_p",
        closed_form="leaky_resnet.nonnegative_cost",
        steps=(
            Check("random ranks and a Hilbert matrix", _rank_is_cost, "pseudo-inverse and package"),
            *nonnegative_cost_form().steps,
        ),
    ),
    entry(
        "1.3 kinetic energy",
        "1.3",
        "The squared velocity under the norm of K, over twice the depth; the potential is minus depth/2 times the "
        "cost.",
        Finding.DEFINITION,
        "Signs so that the Hamiltonian is the sum of both.",
        printed=r"\frac{1}{2\tilde{L}} \|\partial_p A_p\|^2_{K_p}, \quad -\frac{\tilde{L}}{2} \|A_p\|^2_{K_p}",
    ),
    entry(
        "1.3 zero representation",
        "1.3",
        "The zero representation costs least, and from it only constant representations can be reached.",
        Finding.CONFIRMED,
        "The cost is never negative. Where both samples agree they move alike, whatever the momenta.",
        printed=r"K_p = \mathbf{1}\mathbf{1}^\top",
        steps=(
            Step("K there", c.K.subs(dict.fromkeys(c.A, 0)), sp.ones(2, 2), because="only the row of ones is left"),
            Step(
                "two samples that agree",
                (c.A_rate[:, 0] - c.A_rate[:, 1]).subs(
                    {
                        **{c.A[i, 1]: c.A[i, 0] for i in range(2)},
                        **{c.MASK[i, 1]: c.MASK[i, 0] for i in range(2)},
                    }
                ),
                sp.zeros(2, 1),
                because="they have the same activations",
            ),
            Check(
                "cost of zero",
                lambda: bool(leaky_resnet.cost_of_identity(np.zeros((2, 3))) == 0),
                "package",
            ),
        ),
    ),
    entry(
        "1.3 remark",
        "1.3",
        "The three terms may be infinite while their sum is finite.",
        Finding.CONFIRMED,
        "A dead neuron that only leaks.",
        steps=(Check("both norms infinite, sum zero", _terms_cancel, "package"),),
    ),
)

r"""Appendix E: perturbed metrics, and the setting of a wide Bayesian network, Eqs. (E.1) to (E.11)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Finding, equal
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.appendix_letters import E, entry, mu, nu, phi1, w, z
from theory.papers.zavatoneveth2023.finite_posterior import INPUT, METRICS, PROBABILITIES, UNITS
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION

det_g, det_background, contraction, h = sp.symbols("det_g det_background contraction h", positive=True)
ROUNDING = 1e-9


def first_difference(relation: sp.Eq, size: int) -> int:
    """The power of h in which the two sides first differ, for a metric of this size; a Taylor series on a circle."""
    draw = np.random.default_rng(size)
    root, change = draw.normal(size=(2, size, size))
    background, change = root @ root.T + np.eye(size), change + change.T
    steps = 0.02 * np.exp(2j * np.pi * np.arange(16) / 16)
    values = {
        "det_background": np.linalg.det(background),
        "det_g": np.linalg.det(background + steps[:, None, None] * change),
        "contraction": steps * np.trace(np.linalg.solve(background, change)),
    }
    without = dict.fromkeys(relation.rhs.atoms(sp.Order), 0)
    difference = evaluate(relation.lhs - relation.rhs.xreplace(without), values) / values["det_background"]
    powers = np.abs(np.fft.fft(difference)) / 16 / 0.02 ** np.arange(16)
    return int(np.flatnonzero(powers > ROUNDING / 0.02 ** np.arange(16) * 1e-3)[0])


def is_first_order(relation: sp.Eq) -> tuple[Check, ...]:
    """The sides differ from the printed order on, and not before."""
    (remainder,) = relation.rhs.atoms(sp.Order)
    order = remainder.expr.as_base_exp()[1]

    def holds(size: int) -> bool:
        return bool(first_difference(relation, size) == order)

    return tuple(Check(f"{size} inputs", partial(holds, size), "series in h") for size in (2, 3))


def averages_over_units(relation: sp.Eq) -> tuple[Check, ...]:
    """The metric of networks of two units, averaged over the prior, against the average over one unit."""
    pairs = np.multiply.outer(PROBABILITIES, PROBABILITIES)
    networks = (METRICS[:, None] + METRICS[None]) / 2
    untrained = np.einsum("ik,ikmn->mn", pairs, networks)
    values: dict[str, Any] = {**ACTIVATION, "z": UNITS @ INPUT, "E": lambda one: PROBABILITIES @ one}
    values["w"] = lambda index: UNITS[:, index - 1]

    def agrees(index: tuple[int, int]) -> bool:
        case = {**values, "mu": index[0] + 1, "nu": index[1] + 1, "g_bar": untrained[index]}
        return bool(abs(evaluate(relation.lhs, case) - evaluate(relation.rhs, case)) < ROUNDING)

    return (Check("networks of two units", lambda: all(agrees(index) for index in ((0, 0), (0, 1), (1, 1))), "sums"),)


g_bar = sp.Symbol("g_bar", real=True)

EQUATIONS = (
    entry(
        "E symmetric perturbation",
        "E",
        "The derivatives of the background metric and of the perturbation are symmetric in all indices.",
        Finding.ASSUMPTION,
        "It holds for shallow networks. (E.1) and (E.2) do not need it.",
    ),
    entry(
        "(E.1)",
        "E",
        "Jacobi's formula for the determinant of a perturbed metric.",
        Finding.CONFIRMED,
        "Metrics of two and three inputs; the sides differ from the second order on.",
        printed=equal(det_g, (1 + contraction + sp.Order(h**2)) * det_background),
        prove=is_first_order,
    ),
    entry(
        "(E.2)",
        "E",
        "The volume element of a perturbed metric.",
        Finding.CONFIRMED,
        "Metrics of two and three inputs; the sides differ from the second order on.",
        printed=equal(sp.sqrt(det_g), (1 + contraction / 2 + sp.Order(h**2)) * sp.sqrt(det_background)),
        prove=is_first_order,
    ),
    entry(
        "(E.3)",
        "E.1",
        "The network.",
        Finding.DEFINITION,
        "No biases; m outputs.",
        printed=r"f_i(\mathbf{x}; W, V) = \frac{1}{\sqrt n} \sum_{j=1}^n v_{ij} \phi(\mathbf{w}_j \cdot \mathbf{x})",
    ),
    entry(
        "(E.4)",
        "E.1",
        "The likelihood; the priors of all weights are standard Gaussian.",
        Finding.DEFINITION,
        "The inverse variance of the noise is beta.",
        printed=r"p(\{(\mathbf{x}_a, \mathbf{y}_a)\} \mid W, V) \propto \exp\left(-\frac\beta2 \sum_{a=1}^p "
        r"\|f(\mathbf{x}_a; W, V) - \mathbf{y}_a\|^2\right)",
    ),
    entry(
        "E.1 unit variance",
        "E.1",
        "The variances of the priors do not change the qualitative structure of perturbative feature learning.",
        Finding.NOTE,
        "Quoted from another work.",
    ),
    entry(
        "(E.5)",
        "E.1",
        "The metric.",
        Finding.DEFINITION,
        "Eq. (2) without biases. In the text that was read the sum runs over j and the two weights have an index that "
        "looks like i; whether it is printed so cannot be told from it.",
        printed=r"g_{\mu\nu} = \frac1n \sum_{j=1}^n \phi'(\mathbf{w}_j \cdot \mathbf{x})^2 w_{j\mu} w_{j\nu}",
    ),
    entry(
        "(E.6)",
        "E.1",
        "The metric of the NNGP is the average of that of finite networks over the prior.",
        Finding.CONFIRMED,
        "All networks of two units drawn from three, summed exactly.",
        printed=equal(g_bar, E(phi1(z) ** 2 * w(mu) * w(nu))),
        prove=averages_over_units,
    ),
    entry(
        "(E.7)",
        "E.1",
        "The kernel of the hidden layer.",
        Finding.DEFINITION,
        "It introduces K.",
        printed=r"K(\mathbf{x}, \mathbf{y}) = \frac1n \sum_{i=1}^n \phi(\mathbf{w}_i \cdot \mathbf{x}) "
        r"\phi(\mathbf{w}_i \cdot \mathbf{y})",
    ),
    entry(
        "(E.8)",
        "E.1",
        "Its limit of infinite width, the kernel of the NNGP.",
        Finding.DEFINITION,
        "(C.3) with sigma = 1, zeta = 0.",
        printed=r"\bar k(\mathbf{x}, \mathbf{y}) = \mathbb{E}_{\mathbf{w} \sim N(0, I_d)} [\phi(\mathbf{w} \cdot "
        r"\mathbf{x}) \phi(\mathbf{w} \cdot \mathbf{y})]",
    ),
    entry(
        "(E.9)",
        "E.1",
        "The matrix Psi.",
        Finding.DEFINITION,
        "(E.12) holds with it: half of m Psi is the slope of the log-likelihood of the outputs in their covariance.",
        printed=r"\Psi = \Gamma^{-1} G_{yy} \Gamma^{-1} - \Gamma^{-1}",
    ),
    entry(
        "(E.10)",
        "E.1",
        "The covariance of the outputs at the training points.",
        Finding.DEFINITION,
        "Kernel and noise.",
        printed=r"\Gamma_{ab} = \bar k(\mathbf{x}_a, \mathbf{x}_b) + \beta^{-1} \delta_{ab}",
    ),
    entry(
        "(E.11)",
        "E.1",
        "The normalised Gram matrix of the targets.",
        Finding.DEFINITION,
        "A mean over the m outputs.",
        printed=r"(G_{yy})_{ab} = \frac1m \mathbf{y}_a \cdot \mathbf{y}_b",
    ),
)

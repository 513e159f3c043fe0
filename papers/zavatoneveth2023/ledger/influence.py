r"""Section V and Appendix E.2: where one training point changes areas most, and in which direction.

Of error functions without biases the squared slope is Gaussian, so the metric is a multiple of :math:`C = (I + 2 x
x^\top)^{-1}`, and (E.17) an average over normal weights of covariance C. With :math:`A(s)` the mean square of
:math:`\mathrm{erf}(z / \sqrt 2)` where z has variance s, Stein's lemma gives :math:`\chi A(\|x_a\|^2) = d A(s) + 2 s
A'(s)` with :math:`s = x_a^\top C x_a`, which is smallest for parallel inputs.
"""

from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from papers.zavatoneveth2023.ledger.chi import chi
from papers.zavatoneveth2023.ledger.first_order import LARGE, posterior_moment
from papers.zavatoneveth2023.ledger.magnification import CHANGES, REFERENCES, changes
from theory.core import Check, Claim, Program, Programs
from theory.core.ledger.proving import chosen, unconditional

OVERLAPS = (sp.S.Zero, sp.Rational(3, 5), sp.S.One)
NODES, MASSES = np.polynomial.hermite_e.hermegauss(120)
MASSES = MASSES / MASSES.sum()
EXTREMES = {"maximal": np.argmax, "minimal": np.argmin}
PLACES = {"parallel": 1.0, "orthogonal": 0.0}
FUNCTIONS = {"monomials of a degree above one": True, "of any kind": False}
"""Whether the activation functions that a condition names are without error functions."""


def _angles() -> Any:
    """Angles between both inputs whose cosines are the overlaps."""
    return np.arccos([float(overlap) for overlap in OVERLAPS])


def excess_by_stein(inputs: int, norm: float, norm_a: float) -> Any:
    """Chi less the number of inputs, of error functions, at the overlaps."""

    def square(variance: Any) -> Any:
        return 2 / np.pi * np.arcsin(variance / (1 + variance))

    spread = norm_a**2
    inner = norm * norm_a * np.cos(_angles())
    tilted = spread - 2 * inner**2 / (1 + 2 * norm**2)
    slope = 2 / np.pi / ((1 + tilted) * np.sqrt(1 + 2 * tilted))
    return (inputs * square(tilted) + 2 * tilted * slope) / square(spread) - inputs


def excess_by_quadrature(norm: float, norm_a: float) -> Any:
    """The same for two inputs from the definition (E.17), by quadrature over both weights."""
    weights = np.stack(np.meshgrid(NODES, NODES, indexing="ij"))
    masses, values = np.outer(MASSES, MASSES), []
    for angle in _angles():
        x_a = norm_a * np.array([np.cos(angle), np.sin(angle)])
        squared_slope = np.exp(-((norm * weights[0]) ** 2))
        square = special.erf(np.tensordot(x_a, weights, 1) / np.sqrt(2)) ** 2
        metric, tilted = (
            np.einsum("ab,mab,nab->mn", masses * squared_slope * factor, weights, weights)
            for factor in (1.0, square)
        )
        values.append(np.trace(np.linalg.solve(metric, tilted)) / np.tensordot(masses, square) - 2)
    return np.array(values)


@cache
def _excesses(only_monomials: bool) -> tuple[Any, ...]:
    """Chi less the number of inputs at the overlaps: of monomials, and of error functions at three lengths of both."""
    monomials = tuple(
        np.array([float(chi(degree, inputs, overlap) - inputs) for overlap in OVERLAPS])
        for degree, inputs in ((2, 2), (2, 3), (3, 2))
    )
    if only_monomials:
        return monomials
    lengths = ((0.5, 1.0), (0.8, 0.6), (0.4, 1.7))
    return (*monomials, *(excess_by_stein(inputs, *pair) for pair in lengths for inputs in (2, 3)))


def has_most_influence(statement: Any) -> bool:
    """How much areas change relative to untrained networks is chi less d times a factor of the data; three overlaps."""
    claim, only_monomials = unconditional(statement), False
    if claim is not statement:
        only_monomials = chosen(statement.condition, "functions", FUNCTIONS)
    extreme = chosen(claim, "extreme", EXTREMES)
    return all(
        float(OVERLAPS[int(extreme(np.abs(excess)))]) == chosen(claim, "where", PLACES)
        for excess in _excesses(only_monomials)
    )


def _place_of_error_functions(norm: float, norm_a: float) -> float:
    """The overlap of the most influence, by quadrature."""
    return float(OVERLAPS[int(np.argmax(np.abs(excess_by_quadrature(norm, norm_a))))])


def _place_stated(claim: Claim) -> float:
    place = chosen(claim, "where", PLACES)
    return place if claim["extreme"] == "maximal" else 1 - place


def agrees_with_quadrature() -> bool:
    """Stein's lemma and the definition give the same numbers for error functions."""
    pairs = ((0.5, 1.0), (0.8, 0.6), (0.4, 1.7))
    return all(
        np.allclose(excess_by_stein(2, *pair), excess_by_quadrature(*pair), rtol=1e-8)
        for pair in pairs
    )


def has_the_sign_of_the_error(statement: Any) -> bool:
    """Squared targets just below and above the prior variance, at all overlaps: areas shrink below and grow above."""
    claim, reference = unconditional(statement), "infinite"
    if claim is not statement:
        reference = chosen(statement.condition, "reference", REFERENCES)
    same = chosen(claim, "which", {"the same": True, "another": False})
    below, above = (changes(np.linspace(0, 1, 6), ratio, reference) for ratio in (0.9, 1.1))
    return (
        bool(
            np.all(np.sign(below) == CHANGES["compresses"])
            and np.all(np.sign(above) == CHANGES["expands"])
        )
        is same
    )


PROGRAMS: Programs = {
    "V training point": Program(
        lambda statement: (
            Check("as printed", partial(has_most_influence, statement), "closed forms"),
            Check("error functions", agrees_with_quadrature, "quadrature"),
        ),
        _place_of_error_functions,
        _place_stated,
        at={"norm": 0.5, "norm_a": 1.0},
        quantity="overlap at which one training point changes areas of error functions most",
    ),
    "E.2 the same quantity": Program(
        lambda statement: (
            Check("as printed", partial(has_the_sign_of_the_error, statement), "closed forms"),
        ),
        lambda n, ratio: float(np.sign(float(posterior_moment(0.5, n, ratio) - 1))),
        lambda claim, ratio: float(
            np.sign(ratio - 1) * chosen(claim, "which", {"the same": 1, "another": -1})
        ),
        at={"n": LARGE, "ratio": 1.1},
        quantity="sign of the change of the volume of a linear network; squared target in prior variances",
    ),
}

r"""Proof that second derivatives of the metric drop out of the curvature of a shallow network.

First derivatives of :math:`g_{ij} = E[\varphi'^2 w_i w_j]` are :math:`T_{ijk} = 2 E[\varphi' \varphi'' w_i w_j w_k]`,
symmetric in all indices, and so are the second derivatives. The Riemann tensor contains the second derivatives
antisymmetrised, so that they vanish. The products of Christoffel symbols :math:`\Gamma_{ijk} = \frac12 T_{ijk}` remain,
with the sign *opposite* to that of the term with :math:`\partial g^{-1}`: the derivative of the inverse metric
contributes :math:`-\frac12 TT` and the products contribute :math:`+\frac14 TT`. If both are added with the same sign,
the sum is :math:`-\frac34` in place of :math:`-\frac14`, which explains the paper's factor of 3.

The determinant of the metric is a sum over minors of the weights, by the formula of Cauchy and Binet,

.. math:: \det g = \frac{1}{n^d} \sum_{j_1 < \dots < j_d} M_{j_1 \dots j_d}^2\,
    \varphi'(z_{j_1})^2 \cdots \varphi'(z_{j_d})^2.
"""

from itertools import combinations, product

import sympy as sp

from theory.core import Premise, Step
from theory.engine.rotational import RICCI, First, scalar_curvature

_POINTS = sp.symbols("y_1 y_2", real=True)


def weight_matrix(width: int, dimension: int) -> sp.Matrix:
    """Return symbols ``w_ai`` for the weights, [width, d]."""
    return sp.Matrix(width, dimension, lambda a, i: sp.Symbol(f"w_{a + 1}{i + 1}", real=True))


def slopes(width: int) -> tuple[sp.Symbol, ...]:
    """Return symbols for the slopes of the activation at every unit."""
    return tuple(sp.Symbol(f"s_{a + 1}", real=True) for a in range(width))


def metric(weights: sp.Matrix, at: tuple[sp.Expr, ...]) -> sp.Matrix:
    """Return the metric of Eq. (2) in symbols, from weights [width, d] and slopes ``at`` [width]."""
    return weights.T * sp.diag(*(s**2 for s in at)) * weights / weights.rows


def sum_over_minors(weights: sp.Matrix, at: tuple[sp.Expr, ...]) -> sp.Expr:
    """Return the determinant of Eq. (3) in symbols, as a sum over unordered tuples."""
    n, d = weights.shape
    terms = []
    for rows in combinations(range(n), d):
        minor = weights.extract(list(rows), list(range(d))).det(method="berkowitz")
        terms.append(minor**2 * sp.prod([at[a] ** 2 for a in rows]))
    return sp.Add(*terms) / sp.Integer(n) ** d


METRIC = Premise(
    "the metric of n units is J'J/n: the sum of phi'(z_a)^2 w_a w_a' over them, such as three",
    metric(weight_matrix(3, 2), slopes(3)),
)


def expansion(width: int, dimension: int) -> Step:
    """Step for the expansion at one shape of the weights."""
    weights, at = weight_matrix(width, dimension), slopes(width)
    return Step(
        f"det g is the sum over minors for {width} units and {dimension} inputs",
        sp.Determinant(metric(weights, at)),
        sum_over_minors(weights, at),
        because="Cauchy and Binet: a minor of the weights for every choice of units, squared",
        uses=(METRIC,),
    )


def symmetric(letter: str, *indices: int) -> sp.Symbol:
    """Return a component of a totally symmetric tensor: the same symbol for every order of the indices."""
    return sp.Symbol(letter + "_" + "".join(str(i + 1) for i in sorted(indices)), real=True)


def contracted(inverse: sp.Matrix, tensor: First) -> sp.Expr:
    """Return (|T|^2 - |tr T|^2) / 4 for a totally symmetric T, contracted with the inverse metric."""
    d = inverse.rows
    indices = range(d)
    norm = sp.Add(
        *(
            inverse[a, i] * inverse[b, j] * inverse[c, k] * tensor(a, b, c) * tensor(i, j, k)
            for a, b, c, i, j, k in product(indices, repeat=6)
        )
    )
    trace = []
    for c in indices:
        trace.append(
            sp.Add(*(inverse[a, b] * tensor(a, b, c) for a, b in product(indices, repeat=2)))
        )
    return (
        norm
        - sp.Add(*(inverse[a, b] * trace[a] * trace[b] for a, b in product(indices, repeat=2)))
    ) / 4


SLOPE, BEND, *_THREE = sp.symbols("s b w_i w_j w_k", real=True)
UNIT_LETTERS = (SLOPE, BEND, *_THREE)
UNIT_TENSOR = 2 * SLOPE * BEND * sp.prod(_THREE)
"""The derivative of s^2 w_i w_j of a unit in an input, which is symmetric in the weights."""


def _symmetry() -> Step:
    weights, bias = sp.symbols("w_1 w_2", real=True), sp.Symbol("beta", real=True)
    phi = sp.Function("phi")(sum(w * y for w, y in zip(weights, _POINTS, strict=True)) + bias)
    slope = sp.Derivative(phi, bias)
    bend = sp.Derivative(phi, (bias, 2))
    triples = [*product(range(2), repeat=3)]
    values = [(slope, bend, *(weights[index] for index in triple)) for triple in triples]
    return Step(
        "dg is totally symmetric",
        sp.Matrix(
            [sp.Derivative(slope**2 * weights[i] * weights[j], _POINTS[k]) for i, j, k in triples]
        ),
        sp.Matrix([sp.Subs(UNIT_TENSOR, UNIT_LETTERS, value) for value in values]),
        because="every derivative of phi(w.x + b) in an input brings down the weight of that input",
        uses=(METRIC,),
    )


SYMMETRY = _symmetry()
SYMMETRIC = Premise(
    "T and Q, the first two derivatives of the metric, are symmetric in all indices"
)


def scalar(dimension: int, orthonormal: bool) -> Step:
    """Step that compares R = (|T|^2 - |tr T|^2)/4 with the definition, where the metric is the identity."""

    def tensor(*indices: int) -> sp.Expr:
        return symmetric("T", *indices)

    def second(*indices: int) -> sp.Expr:
        return symmetric("Q", *indices)

    g = (
        sp.eye(dimension)
        if orthonormal
        else sp.Matrix(dimension, dimension, lambda i, j: symmetric("g", i, j))
    )
    return Step(
        f"R = (|T|^2 - |tr T|^2)/4 in {dimension} dimensions"
        + (", orthonormal coordinates" if orthonormal else ""),
        scalar_curvature(g, tensor, second),
        contracted(g.inv(), tensor),
        because="first and second derivatives of the metric are totally symmetric",
        uses=(SYMMETRIC, RICCI),
    )


GENERAL = scalar(2, orthonormal=False)
ORTHONORMAL = scalar(3, orthonormal=True)
STEPS = (SYMMETRY, GENERAL, ORTHONORMAL)

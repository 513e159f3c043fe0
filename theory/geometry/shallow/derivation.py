r"""Why second derivatives drop out of the curvature of a shallow network, and what remains.

First derivatives of :math:`g_{ij} = E[\varphi'^2 w_i w_j]` are :math:`T_{ijk} = 2 E[\varphi' \varphi'' w_i w_j w_k]`,
symmetric in all indices; so are the second ones. In the Riemann tensor second derivatives stand antisymmetrised, and
vanish; the products of Christoffel symbols :math:`\Gamma_{ijk} = \frac12 T_{ijk}` remain, with the sign *opposite* to
that in front of :math:`\partial g^{-1}`: the derivative of the inverse metric brings :math:`-\frac12 TT`, the products
:math:`+\frac14 TT`. Added with one sign instead, they come to :math:`-\frac34` in place of :math:`-\frac14`, which is
where a factor of 3 comes from.
"""

from __future__ import annotations

from itertools import product

import sympy as sp

from theory.core import Step
from theory.geometry import jets

_POINTS = sp.symbols("y_1 y_2", real=True)


def symmetric(letter: str, *indices: int) -> sp.Symbol:
    """A component of a totally symmetric tensor: the same symbol for every order of the indices."""
    return sp.Symbol(letter + "_" + "".join(str(i + 1) for i in sorted(indices)), real=True)


def contracted(inverse: sp.Matrix, tensor: jets.First) -> sp.Expr:
    """(|T|^2 - |tr T|^2) / 4 for a totally symmetric T, with the inverse metric."""
    d = inverse.rows
    indices = range(d)
    norm = sp.Add(
        *(
            inverse[a, i] * inverse[b, j] * inverse[c, k] * tensor(a, b, c) * tensor(i, j, k)
            for a, b, c, i, j, k in product(indices, repeat=6)
        )
    )
    trace = [sp.Add(*(inverse[a, b] * tensor(a, b, c) for a, b in product(indices, repeat=2))) for c in indices]
    return (norm - sp.Add(*(inverse[a, b] * trace[a] * trace[b] for a, b in product(indices, repeat=2)))) / 4


def scalar(dimension: int, orthonormal: bool) -> Step:
    """R = (|T|^2 - |tr T|^2) / 4 against the definition, for symbolic totally symmetric derivatives of the metric.

    Args:
        dimension: of the inputs.
        orthonormal: coordinates in which the metric at the point is the identity. No loss of generality: total
            symmetry survives linear changes of coordinates.
    """

    def tensor(*indices: int) -> sp.Expr:
        return symmetric("T", *indices)

    def second(*indices: int) -> sp.Expr:
        return symmetric("Q", *indices)

    g = sp.eye(dimension) if orthonormal else sp.Matrix(dimension, dimension, lambda i, j: symmetric("g", i, j))
    return Step(
        f"R = (|T|^2 - |tr T|^2)/4 in {dimension} dimensions" + (", orthonormal coordinates" if orthonormal else ""),
        jets.scalar_curvature(g, tensor, second),
        contracted(g.inv(), tensor),
        because="first and second derivatives of the metric are totally symmetric",
    )


def _symmetry() -> Step:
    weights, bias = sp.symbols("w_1 w_2", real=True), sp.Symbol("beta", real=True)
    phi = sp.Function("phi")(sum(w * y for w, y in zip(weights, _POINTS, strict=True)) + bias)
    slope = sp.Derivative(phi, bias)
    bend = sp.Derivative(phi, (bias, 2))
    return Step(
        "dg is totally symmetric",
        sp.Matrix(
            [sp.Derivative(slope**2 * weights[i] * weights[j], _POINTS[k]) for i, j, k in product(range(2), repeat=3)]
        ),
        sp.Matrix([2 * slope * bend * weights[i] * weights[j] * weights[k] for i, j, k in product(range(2), repeat=3)]),
        because="every derivative of phi(w.x + b) in an input brings down the weight of that input",
    )


SYMMETRY = _symmetry()
GENERAL = scalar(2, orthonormal=False)
ORTHONORMAL = scalar(3, orthonormal=True)
STEPS = (SYMMETRY, GENERAL, ORTHONORMAL)

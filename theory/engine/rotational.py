r"""Curvature of any metric with rotational symmetry, :math:`g_{ij} = a(r)\,\delta_{ij} + b(r)\,x_i x_j`, r = |x|^2.

Infinitely wide networks with Gaussian weights induce such metrics: that of the NNGP kernel has :math:`b = 2a'`, those
of the NTK and of deep networks do not. Planes through the origin and three-dimensional subspaces are totally geodesic,
because reflections fix them. Hence two sectional curvatures determine the curvature tensor: those of planes that
contain the radial direction and of planes tangent to the sphere. With :math:`p = a + r a'` and :math:`q = a (a + r b)`,
and primes for derivatives in r,

.. math:: K_\mathrm{rad} = \frac{p q' - 2 p' q}{q^2}, \qquad K_\mathrm{tan} = \frac{a b - 2 a a' - r a'^2}{a q},
    \qquad R = (d - 1) \left[ 2 K_\mathrm{rad} + (d - 2) K_\mathrm{tan} \right].

None of these is 0/0 at the origin or where a' vanishes.

They are checked against the scalar curvature of any metric by definition, with :math:`R = g^{jl} R^i{}_{jil}` and

.. math:: \Gamma^i_{jk} = \tfrac12 g^{im} (\partial_j g_{mk} + \partial_k g_{mj} - \partial_m g_{jk}), \quad
    R^i{}_{jkl} = \partial_k \Gamma^i_{jl} - \partial_l \Gamma^i_{jk}
    + \Gamma^i_{km} \Gamma^m_{jl} - \Gamma^i_{lm} \Gamma^m_{jk},

from its value and its first two derivatives at a point, in which it is rational: no function is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import sympy as sp

from theory.core import Premise, Step
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.engine.inputs import d, r


def taylor(jet: Sequence[sp.Expr], change: sp.Expr) -> sp.Expr:
    """Return the polynomial with these derivatives, from the order 0 on, as a function of the change."""
    terms = (entry * change**order / sp.factorial(order) for order, entry in enumerate(jet))
    return sum(terms, sp.S.Zero)


def derivative_at_zero(function: sp.Expr, change: sp.Symbol, order: int) -> sp.Expr:
    """Return the derivative of this order, from 0 on, of a function of a change at 0, not worked out."""
    derivative = sp.Derivative(function, (change, order)) if order else function
    return sp.Subs(sp.UnevaluatedExpr(derivative), change, 0)  # a Subs of a Subs would be made one


First = Callable[[int, int, int], sp.Expr]
Second = Callable[[int, int, int, int], sp.Expr]


def scalar_curvature(g: sp.Matrix, first: First, second: Second) -> sp.Expr:
    """Return the Ricci scalar, not simplified, of a metric ``[d, d]`` and the functions of its derivatives."""
    d = g.rows
    first, second = cache(first), cache(second)
    inverse = g.inv()
    indices = range(d)
    slopes = [sp.Matrix(d, d, lambda i, j, k=k: first(i, j, k)) for k in indices]
    inverse_slopes = [-inverse * slope * inverse for slope in slopes]

    def lowered(m: int, j: int, k: int) -> sp.Expr:
        return (first(m, k, j) + first(m, j, k) - first(j, k, m)) / 2

    def lowered_slope(m: int, j: int, k: int, along: int) -> sp.Expr:
        return (second(m, k, j, along) + second(m, j, k, along) - second(j, k, m, along)) / 2

    gamma = {}
    for i, j, k in product(indices, repeat=3):
        gamma[i, j, k] = sp.Add(*(inverse[i, m] * lowered(m, j, k) for m in indices))

    def gamma_slope(i: int, j: int, k: int, along: int) -> sp.Expr:
        return sp.Add(
            *(
                inverse_slopes[along][i, m] * lowered(m, j, k)
                + inverse[i, m] * lowered_slope(m, j, k, along)
                for m in indices
            )
        )

    def riemann(i: int, j: int, k: int, l: int) -> sp.Expr:
        return (
            gamma_slope(i, j, l, k)
            - gamma_slope(i, j, k, l)
            + sp.Add(
                *(
                    gamma[i, k, m] * gamma[m, j, l] - gamma[i, l, m] * gamma[m, j, k]
                    for m in indices
                )
            )
        )

    return sp.Add(*(inverse[j, l] * riemann(i, j, i, l) for i, j, l in product(indices, repeat=3)))


def radial_step(metric: RotationalMetric) -> Step:
    """Step for the radial eigenvalue of a metric."""
    return Step(
        "the eigenvalue along x",
        metric.radial,
        metric.by(ANY.radial),
        because="the rule for any such metric",
        uses=(eigenvalue_step(),),
    )


NAMES = ("a", "b", "a1", "a2", "b1")


@dataclass(frozen=True)
class RotationalMetric:
    """A metric ``a delta_ij + b x_i x_j`` with the derivatives in r = |x|^2 that its curvature needs."""

    a: sp.Expr  # tangential eigenvalue, of multiplicity d - 1
    b: sp.Expr
    a1: sp.Expr
    a2: sp.Expr
    b1: sp.Expr
    r: sp.Expr
    along: sp.Expr | None = None  # a + r b in a form without cancellation

    @classmethod
    def moving(cls, a: sp.Expr, b: sp.Expr, change: sp.Symbol) -> RotationalMetric:
        """Return the metric with a and b as functions of a change of r, the derivatives not worked out."""
        orders = zip(NAMES, ((a, 0), (b, 0), (a, 1), (a, 2), (b, 1)), strict=True)
        parts = {name: derivative_at_zero(part, change, n) for name, (part, n) in orders}
        return cls(**parts, r=r)

    @property
    def radial(self) -> sp.Expr:
        """Return the radial eigenvalue."""
        return self.a + self.r * self.b if self.along is None else self.along

    def matrix(self, at: Sequence[sp.Expr]) -> sp.Matrix:
        """Return the metric at an input."""
        column = sp.Matrix(at)
        return (self.a * sp.eye(len(at)) + self.b * column * column.T).as_immutable()

    def volume_element(self, d: sp.Expr) -> sp.Expr:
        """Return the square root of the determinant in d dimensions."""
        return self.a ** ((d - 1) / 2) * sp.sqrt(self.radial)

    @cached_property
    def radial_curvature(self) -> sp.Expr:
        """Return the sectional curvature of planes that contain the radial direction."""
        p, p1 = self.a + self.r * self.a1, 2 * self.a1 + self.r * self.a2
        q = self.a * self.radial
        q1 = self.a1 * self.radial + self.a * (self.a1 + self.b + self.r * self.b1)
        return (p * q1 - 2 * p1 * q) / q**2

    @cached_property
    def tangential_curvature(self) -> sp.Expr:
        """Return the sectional curvature of planes orthogonal to the radial direction."""
        return (self.a * self.b - 2 * self.a * self.a1 - self.r * self.a1**2) / (
            self.a**2 * self.radial
        )

    def by(self, rule: sp.Expr) -> sp.Expr:
        """Return what a rule in the letters of ``ANY`` says of this metric, not worked out."""
        letters, values = ([getattr(of, name) for name in (*NAMES, "r")] for of in (ANY, self))
        return at_values(rule, letters, values)

    def scalar_curvature(self, dimension: sp.Expr) -> sp.Expr:
        """Return the Ricci scalar, not worked out."""
        planes = map(self.by, PLANES.values())
        return sp.Subs(SECTIONAL.expression, (*PLANES, d), (*planes, dimension))


ANY = RotationalMetric(**{name: sp.Symbol(name, real=True) for name in NAMES}, r=r)
"""A metric of letters."""
ACROSS, ALONG = sp.symbols("a lambda", positive=True)
"""Tangential and radial eigenvalue of a metric."""
ROOT = ACROSS ** ((d - 1) / 2) * sp.sqrt(ALONG)
DETERMINANT = Premise(
    "the volume element is the root of the product of the eigenvalues, one radial and d - 1 tangential",
    sp.sqrt(ALONG * sp.Product(ACROSS, (sp.Symbol("i"), 2, d))),
)
ROOT_STEP = Step(
    "root of the determinant",
    ROOT,
    DETERMINANT.expression,
    "d - 1 equal factors",
    uses=(DETERMINANT,),
)
RADIAL_PLANE, TANGENTIAL_PLANE = sp.symbols("K_rad K_tan", real=True)
SECTIONAL = replace(
    theorems.RICCI, expression=(d - 1) * (2 * RADIAL_PLANE + (d - 2) * TANGENTIAL_PLANE)
)
PLANES = {RADIAL_PLANE: ANY.radial_curvature, TANGENTIAL_PLANE: ANY.tangential_curvature}
"""The sectional curvatures of any such metric."""
RICCI = Premise(
    "the Ricci scalar of a metric, from its derivatives in the inputs; positive on spheres"
)
_X, _Y, _HERE = (sp.symbols(f"{letter}1 {letter}2", real=True) for letter in "xyz")
_SLOPES = sp.symbols("kappa_x kappa_y kappa_c", real=True)
_BENDS = sp.Matrix(
    3, 3, lambda i, j: sp.Symbol("kappa_" + "".join(sorted("xyc"[i] + "xyc"[j])), real=True)
)


def _kernel_around() -> sp.Expr:
    """Return a kernel of x.x, y.y and x.y, to second order around equal inputs, with its derivatives as symbols."""
    r = _HERE[0] ** 2 + _HERE[1] ** 2
    x, y = sp.Matrix(_X), sp.Matrix(_Y)
    moves = [x.dot(x) - r, y.dot(y) - r, x.dot(y) - r]
    bent = sum(_BENDS[i, j] * moves[i] * moves[j] / 2 for i, j in product(range(3), range(3)))
    return sum(s * m for s, m in zip(_SLOPES, moves, strict=True)) + bent


KERNEL_METRIC = Premise(
    "the metric of a kernel is its derivative in both inputs, at equal inputs",
    sp.Matrix(2, 2, lambda i, j: sp.Derivative(_kernel_around(), _X[i], _Y[j])),
)

_RHO = sp.Symbol("rho", positive=True)


def curvature_step(dimension: int) -> Step:
    """Step that compares the formula with the definition in ``dimension`` dimensions, for symbolic a and b."""
    y = sp.symbols(f"y1:{dimension + 1}", real=True)
    change = sum(v**2 for v in y) - _RHO**2
    b2 = sp.Symbol("b2", real=True)
    across = ANY.a + ANY.a1 * change + ANY.a2 * change**2 / 2
    along = ANY.b + ANY.b1 * change + b2 * change**2 / 2
    around = replace(ANY, a=across, b=along).matrix(y)
    here = dict(zip(y, (_RHO, *[0] * (dimension - 1)), strict=True))
    return Step(
        f"curvature of a rotational metric in {dimension} dimensions",
        scalar_curvature(
            around.subs(here),
            lambda i, j, k: sp.diff(around[i, j], y[k]).subs(here),
            lambda i, j, k, l: sp.diff(around[i, j], y[k], y[l]).subs(here),
        ),
        replace(ANY, r=_RHO**2).scalar_curvature(sp.Integer(dimension)),
        because="the definition, at a point on the first axis; in two dimensions the radial planes alone, in three "
        "the tangential one besides",
        uses=(RICCI, SECTIONAL),
    )


_COEFFICIENTS = sp.Tuple(
    _SLOPES[2], 4 * _BENDS[0, 1] + 2 * _BENDS[0, 2] + 2 * _BENDS[1, 2] + _BENDS[2, 2]
)
"""a and b of the metric of a kernel, in its derivatives."""


def kernel_step() -> Step:
    """Step for the metric of a kernel that depends on x.x, y.y and x.y only, by Eq. (1) in two dimensions."""
    return Step(
        "metric of a kernel of x.x, y.y and x.y",
        at_values(KERNEL_METRIC.expression, (*_X, *_Y), (*_HERE, *_HERE)),
        sp.Subs(ANY.matrix(_HERE), (ANY.a, ANY.b), _COEFFICIENTS),
        because="the chain rule, with the kernel's first and second derivatives as symbols; y = x in the end",
        uses=(KERNEL_METRIC,),
    )


@cache
def eigenvalue_step() -> Step:
    """Step for the eigenvalue of any such metric along x, in the plane of two coordinates."""
    along, eigenvalue = sp.Matrix(_HERE), sp.Symbol("eigenvalue", real=True)
    return Step(
        "a delta_ij + b x_i x_j takes x to a + r b times x",
        sp.MatMul(ANY.matrix(_HERE), along),
        sp.Subs(
            eigenvalue * along,
            eigenvalue,
            sp.Subs(ANY.radial, r, sum((x**2 for x in _HERE), sp.S.Zero)),
        ),
        because="x'x = r",
        uses=(kernel_step(),),
    )


def coefficients(
    kernel: sp.Expr, xx: sp.Symbol, yy: sp.Symbol, xy: sp.Symbol, r: sp.Expr
) -> tuple[sp.Expr, ...]:
    """Return a, b of the metric of a kernel in ``xx`` = x.x, ``yy`` = y.y, ``xy`` = x.y, at |x|^2 = r, unevaluated."""
    products = (xx, yy, xy)
    by = (*zip(products), *product(products, products))
    there = (at_values(sp.Derivative(kernel, *inputs), products, (r, r, r)) for inputs in by)
    values = dict(zip((*_SLOPES, *_BENDS), there, strict=True))
    return tuple(at_values(part, values, values.values()) for part in _COEFFICIENTS)


@cache
def curvature_steps() -> tuple[Step, ...]:
    """Steps in two dimensions, for the radial curvature, and in three, for both; more dimensions add none."""
    return tuple(curvature_step(dimension) for dimension in (2, 3))

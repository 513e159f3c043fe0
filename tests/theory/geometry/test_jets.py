"""Tests of the curvature from jets and short formulas against an oracle, on metrics that detect a wrong sign.

A 2-sphere and any diagonal metric in two dimensions do not detect a wrong sign of the products of Christoffel symbols.
"""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from tests.oracles import geometry_christoffel
from theory.core import Verdict
from theory.engine import rotational
from theory.geometry.shallow import derivation

y = sp.symbols("y1:4", real=True)
HALF = sp.Rational(1, 2)
SPHERE = sp.diag(1, sp.sin(y[0]) ** 2, sp.sin(y[0]) ** 2 * sp.sin(y[1]) ** 2)  # S^3, unit radius
GRAPH = (y[0] ** 2 + 2 * y[1] ** 2 + y[0] * y[1]) / 2  # a paraboloid
PARABOLOID = sp.eye(2) + sp.Matrix(
    [[sp.diff(GRAPH, a) * sp.diff(GRAPH, b) for b in y[:2]] for a in y[:2]]
)
_bent = sp.Matrix([y[0] + y[1] ** 2 / 3, y[1] + y[0] * y[1] / 4 + y[0] ** 3 / 5])
PLANE = _bent.jacobian(y[:2]).T * _bent.jacobian(y[:2])
_potential = sp.loggamma(y[0]) - y[0] * sp.log(y[1])
GAMMA_FAMILY = sp.hessian(_potential, y[:2])
GAUSS = sp.hessian(GRAPH, y[:2]).det() / (1 + sum(sp.diff(GRAPH, a) ** 2 for a in y[:2])) ** 2

CASES = {
    "S3": (SPHERE, (HALF, sp.Rational(4, 5), HALF), 6),
    "paraboloid": (
        PARABOLOID,
        (HALF, sp.Rational(1, 3)),
        (2 * GAUSS).subs({y[0]: HALF, y[1]: sp.Rational(1, 3)}),
    ),
    "plane": (PLANE, (HALF, sp.Rational(1, 3)), 0),
    "gamma family": (
        GAMMA_FAMILY,
        (sp.Rational(3, 2), sp.Rational(7, 10)),
        sp.Float("-0.953197567435279"),
    ),
}
KNOWN = 1e-14  # digits of the reference value


def jet(metric: sp.Matrix, point: tuple[sp.Expr, ...]):
    here = dict(zip(y, point, strict=False))
    return (
        metric.subs(here),
        lambda i, j, k: sp.diff(metric[i, j], y[k]).subs(here),
        lambda i, j, k, l: sp.diff(metric[i, j], y[k], y[l]).subs(here),
    )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "gamma family" else ())
        for name in CASES
    ],
)
def test_jets_give_known_curvatures(name):
    metric, point, known = CASES[name]
    assert float(rotational.scalar_curvature(*jet(metric, point))) == pytest.approx(
        float(known), rel=KNOWN, abs=KNOWN
    )


@pytest.mark.parametrize("name", CASES)
def test_the_oracle_gives_known_curvatures(name):
    metric, point, known = CASES[name]
    function = sp.lambdify(y[: len(point)], metric.tolist(), "mpmath")
    found = geometry_christoffel.of_metric(
        lambda at: function(*at), [mpmath.mpf(p.p) / p.q for p in point]
    )
    assert float(found) == pytest.approx(float(known), rel=KNOWN, abs=KNOWN)


def test_the_short_formula_where_derivatives_are_totally_symmetric():
    metric, point, known = CASES["gamma family"]
    here, first, _ = jet(metric, point)
    short = float(derivation.contracted(here.inv(), first).evalf(20))
    assert short == pytest.approx(float(known), rel=KNOWN)


def test_the_short_formula_does_not_hold_for_other_metrics():
    """The condition of the derivation is needed: the plane's derivatives are not symmetric."""
    metric, point, _ = CASES["plane"]
    here, first, _ = jet(metric, point)
    assert abs(float(derivation.contracted(here.inv(), first))) > 0.01


# Every shape at which an error in the combinatorics could show: as many units as inputs, one more, and two more.
@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3)])
def test_an_expansion_in_minors_holds(shape):
    assert derivation.expansion(*shape).check() is Verdict.HOLDS


def test_derivations_hold():
    for step in (*derivation.STEPS, *rotational.curvature_steps(), rotational.kernel_step()):
        assert step.check() is Verdict.HOLDS, step.claim


def test_three_times_the_curvature_is_refuted():
    """What comes out if the products of Christoffel symbols are added with the other sign."""
    step = derivation.ORTHONORMAL
    assert type(step)("planted", step.left, 3 * step.right).check() is Verdict.FAILS


@pytest.mark.slow
def test_rotational_curvature_in_four_dimensions():
    assert rotational.curvature_step(4).check() is Verdict.HOLDS

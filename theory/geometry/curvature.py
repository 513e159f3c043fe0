r"""Curvature of the metric that an infinitely wide layer puts on its inputs.

By symmetry two sectional curvatures say all. With :math:`\omega(v) = E[\varphi'(z)^2]`, :math:`v = s + \zeta^2` and
:math:`s = \sigma^2 \|x\|^2`, planes that hold the radius and planes across it have

.. math:: K_\mathrm{rad} = -\frac{2 s \omega' (\omega\omega' - s \omega'^2 + s \omega \omega'')}{\omega^2 (\omega + 2 s
    \omega')^2}, \qquad K_\mathrm{tan} = -\frac{s \omega'^2}{\omega^2 (\omega + 2 s \omega')},

and the Ricci scalar is :math:`R = (d - 1)[2 K_\mathrm{rad} + (d - 2) K_\mathrm{tan}]`. Nothing is 0/0 where
:math:`\omega'` vanishes. Sign: spheres are positive.

Deviation from the paper: Eqs. (7), (C.16), (C.20), (C.23), (C.28), (C.46) and (C.48) have 3 times this curvature. See
the ledger. Where an activation has kinks the infinitely wide metric may still be smooth (ReLU: flat), and its intrinsic
curvature is this; networks of finite width have none.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from theory.activations import Activation
from theory.core import Argument, ClosedForm, Source, Status, Step
from theory.gaussian.symbols import variance as v
from theory.geometry import rotational
from theory.geometry.kernel import WIDE
from theory.geometry.metric import metric_steps
from theory.geometry.profile import Profile, profile, require_metric, s, w0, w1, w2
from theory.geometry.symbols import SIGMA, ZETA, D, R, d, r, sigma, variance, zeta

KINKED = "the metric is that of the infinite width; at finite width the kinks leave no curvature to speak of"

radial_general = -2 * s * w1 * (w0 * w1 - s * w1**2 + s * w0 * w2) / (w0**2 * (w0 + 2 * s * w1) ** 2)
tangential_general = -s * w1**2 / (w0**2 * (w0 + 2 * s * w1))
radial_plane, tangential_plane = sp.symbols("K_rad K_tan", real=True)
PLANES = {radial_plane: radial_general, tangential_plane: tangential_general}
_beyond = sp.Symbol("beyond", integer=True, nonnegative=True)
scalar_general = (d - 1) * (2 * radial_plane + (d - 2) * tangential_plane)


@lru_cache(maxsize=256)
def scalar_curvature(act: Activation) -> ClosedForm:
    """The Ricci scalar of the NNGP metric, dimensionless. Source: Zavatone-Veth et al., Eq. (7), a third of it.

    Args:
        act: activation of the layer.

    Returns:
        Closed form in d, r, sigma, zeta.

    Raises:
        ValueError: if the activation jumps, so that there is no metric, or is constant, so that it is zero.
    """
    meaning = f"Ricci scalar of the metric of an infinitely wide {act.name} layer; spheres are positive."
    return _form(act, "scalar_curvature", meaning, (D, R, SIGMA, ZETA), scalar_general)


@lru_cache(maxsize=256)
def radial_curvature(act: Activation) -> ClosedForm:
    """Sectional curvature of planes that hold the radius, dimensionless; arguments r, sigma, zeta."""
    meaning = f"Curvature of radial planes in the metric of an infinitely wide {act.name} layer."
    return _form(act, "radial_curvature", meaning, (R, SIGMA, ZETA), radial_plane)


@lru_cache(maxsize=256)
def tangential_curvature(act: Activation) -> ClosedForm:
    """Sectional curvature of planes across the radius, dimensionless; arguments r, sigma, zeta; never positive."""
    meaning = f"Curvature of planes across the radius in the metric of an infinitely wide {act.name} layer."
    return _form(act, "tangential_curvature", meaning, (R, SIGMA, ZETA), tangential_plane)


def _form(act: Activation, what: str, meaning: str, arguments: tuple[Argument, ...], general: sp.Expr) -> ClosedForm:
    require_metric(act)
    it = profile(act)
    expression = _simplified(it, general)
    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=meaning,
        arguments=arguments,
        expression=expression,
        status=Status.DERIVED,
        steps=(
            *it.steps,
            *metric_steps(),
            *general_steps(),
            it.at_variance(expression, general.xreplace(PLANES).xreplace({s: v - zeta**2}), what),
        ),
        sources=(Source("zavatoneveth2023", "Eqs. (7), (C.16), (C.23)"),),
        assumptions=(WIDE,) if act.smooth else (WIDE, KINKED),
    )


def _simplified(it: Profile, general: sp.Expr) -> sp.Expr:
    """The general formula for one activation: rational functions over omega, or as it stands."""
    if it.logarithmic is not None:
        # omega, omega', omega'' in units of omega: 1, L, L' + L^2; the curvature is 1/omega in that unit.
        slope = it.logarithmic
        reduced = {w0: sp.S.One, w1: slope, w2: sp.diff(slope, v) + slope**2}
        planes = [it.shortest(plane.xreplace(reduced), 1 / it.slope) for plane in (radial_general, tangential_general)]
        parts = dict(zip((radial_plane, tangential_plane), planes, strict=True))
        # In the dimensions beyond two: in the plane, where the tangential part has no place, nothing is left of it.
        whole = sp.factor(general.subs(d, 2 + _beyond).xreplace(PLANES).xreplace(reduced))
        together = it.shortest(whole, 1 / it.slope).replace(
            lambda node: node.is_Add and node.has(_beyond), _in_dimensions
        )
        together = together.xreplace({_beyond: d - 2})
        expression = min(together, general.xreplace(parts), key=lambda form: form.count_ops())
    else:
        jets = dict(zip((w0, w1, w2), (it.slope, *it.derivatives), strict=True))
        expression = general.xreplace(PLANES).xreplace({s: sigma**2 * r, **jets})
    return expression.xreplace({v: variance})


def _in_dimensions(node: sp.Expr) -> sp.Expr:
    """A sum that is linear in the dimensions beyond two, in terms of d: m s + 4 s is (d + 2) s."""
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in node.args:
        number, rest = term.as_coeff_Mul()
        kind = rest.subs(_beyond, 1)
        groups[kind] = groups.get(kind, sp.S.Zero) + number * (d - 2 if rest.has(_beyond) else 1)
    return sp.Add(*(sp.factor(coefficient) * kind for kind, coefficient in groups.items()))


@lru_cache(maxsize=1)
def general_steps() -> tuple[Step, ...]:
    """The definition of curvature in two and three dimensions, and what it comes to for this family of metrics."""
    four, six = sigma**4, sigma**6
    metric = rotational.RotationalMetric(sigma**2 * w0, 2 * four * w1, four * w1, six * w2, 2 * six * w2, r)
    here = {s: sigma**2 * r}
    return (
        *rotational.curvature_steps(),
        Step("radial planes", radial_general.xreplace(here), metric.radial_curvature, because="b = 2 a'"),
        Step("planes across the radius", tangential_general.xreplace(here), metric.tangential_curvature, "b = 2 a'"),
    )

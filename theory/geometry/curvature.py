r"""Curvature of the metric that an infinitely wide layer induces on its inputs.

By rotational symmetry two sectional curvatures determine the curvature tensor. With :math:`\omega(v) =
E[\varphi'(z)^2]`, :math:`v = s + \zeta^2` and :math:`s = \sigma^2 \|x\|^2`, planes that contain the radial direction
and planes orthogonal to it have

.. math:: K_\mathrm{rad} = -\frac{2 s \omega' (\omega\omega' - s \omega'^2 + s \omega \omega'')}{\omega^2 (\omega + 2 s
    \omega')^2}, \qquad K_\mathrm{tan} = -\frac{s \omega'^2}{\omega^2 (\omega + 2 s \omega')},

and the Ricci scalar is :math:`R = (d - 1)[2 K_\mathrm{rad} + (d - 2) K_\mathrm{tan}]`. None of these is 0/0 where
:math:`\omega'` vanishes. The curvature of a sphere is positive.

With the metric split into its radial and tangential part, :math:`g = N + T`, the symmetry under rotations about *x*
leaves the Riemann tensor

.. math:: R_{ijkl} = K_\mathrm{tan} (T_{ik} T_{jl} - T_{il} T_{jk}) + K_\mathrm{rad} (T_{ik} N_{jl} + N_{ik} T_{jl} -
    T_{il} N_{jk} - N_{il} T_{jk}).

Deviation from the paper: Eqs. (7), (C.16), (C.20), (C.23), (C.28), (C.46) and (C.48) have 3 times this curvature; the
ledger gives the reason. Where an activation has kinks, the metric at infinite width may still be smooth (that of ReLU
is flat), and these formulas give its intrinsic curvature; at finite width such a network has no curvature.
"""

from functools import cache

import sympy as sp

from closedform.checks import MOST_LAYERS, integer
from closedform.subjects import load
from theory.activations import Activation
from theory.activations.naming import cached
from theory.core import Argument, Check, ClosedForm, Source, Status, Step, deferred
from theory.core.algebra.factoring import as_product
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import at_values
from theory.core.proof.premises import with_lemmas
from theory.engine import rotational
from theory.gaussian.collected_terms import collected
from theory.gaussian.symbols import variance as v
from theory.geometry import moments
from theory.geometry.kernel import covariance_step
from theory.geometry.metric import ACROSS, BEYOND, metric_step
from theory.geometry.profile import (
    AT_INPUT,
    WITHOUT_BIAS,
    Profile,
    profile,
    require_metric,
    s,
    w0,
    w1,
    w2,
)
from theory.geometry.symbols import SIGMA, WIDE, ZETA, D, R, d, r, sigma, variance, zeta

KINKED = "the metric is that of the infinite width; at finite width the kinks leave no curvature to speak of"

radial_general = (
    -2 * s * w1 * (w0 * w1 - s * w1**2 + s * w0 * w2) / (w0**2 * (w0 + 2 * s * w1) ** 2)
)
tangential_general = -s * w1**2 / (w0**2 * (w0 + 2 * s * w1))
radial_plane, tangential_plane = rotational.RADIAL_PLANE, rotational.TANGENTIAL_PLANE
PLANES = {radial_plane: radial_general, tangential_plane: tangential_general}
_beyond = sp.Symbol("beyond", integer=True, nonnegative=True)
MOMENTS = {
    radial_plane: moments.radial_moments,
    tangential_plane: moments.tangential_moments,
}
scalar_general = rotational.SECTIONAL.expression
# The sum of both planes, in which the leading terms of a slope with omega' ~ v^(-3/2) cancel in four dimensions;
# w3 = 3 omega' + 2 v omega'' has them no more.
w3 = sp.Symbol("omega3", real=True)
scalar_grouped = (
    -s * (d - 1) * w1 * (w0 * ((d - 4) * w1 + 2 * w3 - 4 * zeta**2 * w2) + 2 * (d - 4) * s * w1**2)
) / (w0**2 * (w0 + 2 * s * w1) ** 2)


@cached(256)
def scalar_curvature(act: Activation, depth: int = 1) -> ClosedForm:
    """Return the Ricci scalar of the NNGP metric, dimensionless, in d, r, sigma, zeta.

    Args:
        act: activation, such as ``theory.activations.ERF``.
        depth: number of hidden layers, at least 1; the metric is that of the last one. Default: 1.

    Raises:
        TypeError, ValueError: if the activation has a jump, so that the metric does not exist, or is constant, so that
            it is zero, or if the depth is not such an integer.

    Source: Zavatone-Veth et al. (2023), one third of Eq. (7).

    >>> from theory.activations import ERF
    >>> round(float(scalar_curvature(ERF)(d=2, r=1, sigma=1, zeta=0.5)), 4)
    -2.239
    """
    if integer("depth", depth, 1, MOST_LAYERS) > 1:
        return load("theory.geometry.deep:deep_scalar_curvature")(act, depth)
    meaning = (
        f"Ricci scalar of the metric of an infinitely wide {act.name} layer; spheres are positive."
    )
    return _form(act, "scalar_curvature", meaning, (D, R, SIGMA, ZETA), scalar_general)


@cached(256)
def radial_curvature(act: Activation) -> ClosedForm:
    """Return the sectional curvature of planes that contain the radial direction, in r, sigma, zeta; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the activation has a jump, or is constant.

    >>> from theory.activations import ERF
    >>> round(float(radial_curvature(ERF)(r=1, sigma=1, zeta=0.5)), 4)
    -1.1195
    """
    meaning = f"Curvature of radial planes in the metric of an infinitely wide {act.name} layer."
    return _form(act, "radial_curvature", meaning, (R, SIGMA, ZETA), radial_plane)


@cached(256)
def tangential_curvature(act: Activation) -> ClosedForm:
    """Return the curvature, never positive, of planes orthogonal to the radius, in r, sigma, zeta; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the activation has a jump, or is constant.

    >>> from theory.activations import ERF
    >>> round(float(tangential_curvature(ERF)(r=1, sigma=1, zeta=0.5)), 4)
    -0.5598
    """
    meaning = f"Curvature of planes across the radius in the metric of an infinitely wide {act.name} layer."
    return _form(act, "tangential_curvature", meaning, (R, SIGMA, ZETA), tangential_plane)


def _form(
    act: Activation, what: str, meaning: str, arguments: tuple[Argument, ...], general: sp.Expr
) -> ClosedForm:
    require_metric(act)
    act_profile = profile(act)
    expression = _simplified(act_profile, general)
    assumed = (WIDE, act.definition) if act.smooth else (WIDE, act.definition, KINKED)
    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=meaning,
        arguments=arguments,
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(lambda: _steps(act_profile, expression, general, what, assumed)),
        sources=(Source("zavatoneveth2023", "Eqs. (7), (C.16), (C.23)"),),
        assumptions=assumed,
    )


def _steps(
    act_profile: Profile,
    expression: sp.Expr,
    general: sp.Expr,
    what: str,
    assumed: tuple[str, ...],
) -> tuple[Step | Check, ...]:
    planes = [plane for plane in PLANES if general.has(plane)]
    by_slope, by_moments = general.xreplace(PLANES), general.xreplace(MOMENTS)
    stated = _over_planes("sum over the planes", PLANES, [*map(plane_step, planes)])
    if not _uses_moments(act_profile):
        return act_profile.derivation(expression, by_slope, what, stated, assumed)
    steps = [moments.moment_step(MOMENTS[plane], PLANES[plane]) for plane in planes]
    in_moments = _over_planes("sum over the planes by moments", MOMENTS, steps)
    values = {**_jets(act_profile), s: sigma**2 * r, **moments.moments_of(act_profile)}
    cases = sp.Piecewise(
        (at_values(by_slope, values, values.values()), v < moments.SMALL_VARIANCE),
        (at_values(by_moments, values, values.values()), True),
    )
    rest = (
        *act_profile.states(2 if by_slope.has(w2) else 1),
        stated,
        in_moments,
        covariance_step(),
        WITHOUT_BIAS,
        *moments.stated(act_profile),
        *assumed,
    )
    claim = f"{what} for {act_profile.act.name}"
    last = Step(claim, expression, sp.Subs(cases, v, AT_INPUT), "at this variance", uses=rest)
    return with_lemmas((last,))


def _over_planes(claim: str, planes: dict[sp.Symbol, sp.Expr], before: list[Step]) -> Step:
    """Return the step to the only kind of planes, or from both to the Ricci scalar."""
    if len(before) == 1:
        return before[0]
    together = scalar_general.xreplace(planes)
    values = sp.Subs(scalar_general, tuple(planes), tuple(planes.values()))
    return Step(
        claim, together, values, "both kinds of planes", uses=(*before, rotational.SECTIONAL)
    )


def _simplified(act_profile: Profile, general: sp.Expr) -> sp.Expr:
    """Return the general formula for one activation: a rational function over omega if possible, else unchanged."""
    if act_profile.logarithmic is not None:
        # In units of omega, the triple omega, omega', omega'' is 1, L, L' + L^2, and the curvature scales as 1/omega.
        slope = act_profile.logarithmic
        reduced = {w0: sp.S.One, w1: slope, w2: sp.diff(slope, v) + slope**2}
        planes = [
            act_profile.shortest(plane.xreplace(reduced), 1 / act_profile.slope)
            for plane in (radial_general, tangential_general)
        ]
        parts = dict(zip((radial_plane, tangential_plane), planes, strict=True))
        # The variable is d - 2, so that in the plane, which has no tangential curvature, that part vanishes exactly.
        whole = as_product(general.subs(d, 2 + _beyond).xreplace(PLANES).xreplace(reduced))
        together = act_profile.shortest(whole, 1 / act_profile.slope).replace(
            lambda node: node.is_Add and node.has(_beyond), _in_dimensions
        )
        together = together.xreplace({_beyond: d - 2})
        expression = min(together, general.xreplace(parts), key=lambda form: form.count_ops())
    else:
        jets = _jets(act_profile)
        if _uses_moments(act_profile):
            by_slope, by_moments = _at_small_and_large_variance(act_profile, general)
            expression = sp.Piecewise((by_slope, v < moments.SMALL_VARIANCE), (by_moments, True))
            return expression.xreplace({v: variance})
        if general == scalar_general and not act_profile.slope.has(sp.Integral):
            general = scalar_grouped.xreplace(
                {w3: collected(opened(3 * jets[w1] + 2 * v * jets[w2]))}
            )
        expression = general.xreplace(PLANES).xreplace({s: sigma**2 * r, **jets})
    return expression.xreplace({v: variance})


def _jets(act_profile: Profile) -> dict[sp.Symbol, sp.Expr]:
    return dict(zip((w0, w1, w2), (act_profile.slope, *act_profile.derivatives), strict=True))


def _uses_moments(act_profile: Profile) -> bool:
    return act_profile.act.smooth and act_profile.slope.has(sp.Integral)


def _at_small_and_large_variance(
    act_profile: Profile, general: sp.Expr
) -> tuple[sp.Expr, sp.Expr]:
    """Return the formula in omega and its derivatives, and in the moments."""
    here = {s: sigma**2 * r}
    return (
        general.xreplace(PLANES).xreplace({**here, **_jets(act_profile)}),
        general.xreplace(MOMENTS).xreplace({**here, **moments.moments_of(act_profile)}),
    )


def _in_dimensions(node: sp.Expr) -> sp.Expr:
    """Rewrite a sum that is linear in m = d - 2 in terms of d: m s + 4 s becomes (d + 2) s."""
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in node.args:
        number, rest = term.as_coeff_Mul()
        kind = rest.subs(_beyond, 1)
        groups[kind] = groups.get(kind, sp.S.Zero) + number * (d - 2 if rest.has(_beyond) else 1)
    return sp.Add(*(as_product(coefficient) * kind for kind, coefficient in groups.items()))


@cache
def plane_step(plane: sp.Symbol) -> Step:
    """Step from the curvature of any rotational metric to that of a kind of planes in this family of metrics."""
    change = sp.Symbol("h", real=True)
    # the variance has the slope sigma^2 in r
    jets = [rotational.taylor((w0, w1, w2)[n:], sigma**2 * change) for n in range(2)]
    across, beyond = (at_values(part, (w0, w1), jets) for part in (ACROSS, BEYOND))
    metric = rotational.RotationalMetric.moving(across, beyond, change)
    return Step(
        {radial_plane: "radial planes", tangential_plane: "planes across the radius"}[plane],
        sp.Subs(PLANES[plane], s, sigma**2 * r),
        metric.by(rotational.PLANES[plane]),
        because="b = 2 a'",
        uses=(*rotational.curvature_steps(), metric_step()),
    )

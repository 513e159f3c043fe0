r"""The metric of the tangent kernel of an infinitely wide network with one hidden layer.

Training every weight of :math:`f(x) = n^{-1/2} \sum_a v_a \varphi(w_a \cdot x + b_a)`, :math:`v_a \sim N(0, \xi^2)`, to
first order is regression with the kernel

.. math:: \Theta(x, y) = E[\varphi(z_x) \varphi(z_y)] + \xi^2 E[\varphi'(z_x) \varphi'(z_y)] (1 + x \cdot y).

With :math:`\omega(v) = E[\varphi'(z)^2]`, :math:`\beta(v) = E[\varphi''(z)^2]` and r = |x|^2, its metric is
:math:`a\,\delta_{ij} + b\,x_i x_j`,

.. math:: a = (\sigma^2 + \xi^2)\, \omega + \xi^2 \sigma^2 (1 + r)\, \beta, \qquad
    b = 2 \sigma^2 (\sigma^2 + \xi^2)\, \omega' + 2 \xi^2 \sigma^4 (1 + r)\, \beta'.

As :math:`b \ne 2a'`, the derivatives of the metric are not totally symmetric, and the short formula for the curvature
does not hold.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

import sympy as sp

from theory.activations import Activation
from theory.activations.naming import cached, slope_of
from theory.core import Argument, ClosedForm, Premise, Source, Status, Step
from theory.core.algebra.factoring import as_product
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.engine import rotational
from theory.engine.inputs import xx, xy, yy
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v
from theory.geometry.deep_curvature import scalar
from theory.geometry.deep_steps import (
    RATIO_LETTERS,
    RATIOS,
    curvature_step,
    scalar_in_ratios,
)
from theory.geometry.kernel import covariance_step, covariances
from theory.geometry.profile import (
    AT_INPUT,
    Profile,
    profile,
    require_metric,
)
from theory.geometry.symbols import SIGMA, WIDE, ZETA, D, R, r, sigma, variance
from theory.geometry.volume import LOGARITHM, determinant_step

xi = sp.Symbol("xi", positive=True)
XI = Argument(
    xi, "standard deviation of each readout weight", sample=(0.5, 1.5), example=1, latex=r"\xi"
)
ARGUMENTS = (D, R, SIGMA, ZETA, XI)
LAZY = "the network is trained in the lazy regime and has no readout bias"

# Symbols for omega and beta and their first two derivatives.
_W = sp.symbols("omega omega1 omega2", positive=True)
_B = sp.symbols("beta beta1 beta2", positive=True)


def eigenvalues(w: tuple[sp.Expr, ...], b: tuple[sp.Expr, ...]) -> rotational.RotationalMetric:
    """Return the metric, given omega and beta and their first two derivatives in the variance."""
    both, trained = sigma**2 + xi**2, xi**2 * sigma**2
    return rotational.RotationalMetric(
        a=both * w[0] + trained * (1 + r) * b[0],
        b=2 * sigma**2 * (both * w[1] + trained * (1 + r) * b[1]),
        a1=sigma**2 * both * w[1] + trained * (b[0] + sigma**2 * (1 + r) * b[1]),
        a2=sigma**4 * both * w[2] + trained * (2 * sigma**2 * b[1] + sigma**4 * (1 + r) * b[2]),
        b1=2 * sigma**2 * (sigma**2 * both * w[2] + trained * (b[1] + sigma**2 * (1 + r) * b[2])),
        r=r,
    )


def tangent_kernel(kernel: sp.Expr, slopes: sp.Expr) -> sp.Expr:
    """Return Theta of Eq. (D.4) in xx, yy, xy, from two kernels in ``variance_x``, ``variance_y``, ``covariance``."""
    at = dict(zip((variance_x, variance_y, covariance), covariances, strict=True))
    return (kernel + xi**2 * slopes * (1 + xy)).subs(at, simultaneous=True)


def bend_profile(act: Activation) -> Profile:
    """Return the profile of the activation's derivative; ValueError if the slope has a jump, as that of ReLU has."""
    profile(act)  # errors about the activation itself then name the activation, not its derivative
    try:
        return profile(slope_of(act))
    except ValueError:
        raise ValueError(
            f"act: the slope of {act.name} jumps, so its tangent kernel is not smooth at x = y and has no metric"
        ) from None


@cached(256)
def ntk_volume_element(act: Activation) -> ClosedForm:
    """Return ``sqrt(det g)`` for the metric of the NTK with one hidden layer, in d, r, sigma, zeta, xi; in 1/input^d.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the slope of the activation has a jump, so that the metric does not exist.

    Source: Zavatone-Veth et al. (2023), Appendix D.

    >>> from theory.activations import ERF
    >>> round(float(ntk_volume_element(ERF)(d=2, r=1, sigma=1, zeta=0.5, xi=1)), 4)
    0.6843
    """
    meaning = f"Factor by which the tangent kernel of an infinitely wide {act.name} layer magnifies volume."
    return _form(act, "ntk_volume_element", meaning, rotational.ROOT)


@cached(256)
def ntk_log_volume_element(act: Activation) -> ClosedForm:
    """Return the logarithm of ``ntk_volume_element``, which is finite in any dimension; same arguments and errors.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``d``, ``r``, ``sigma``, ``zeta`` and ``xi``; dimensionless.

    Raises:
        ValueError: if the slope of the activation has a jump.

    >>> from theory.activations import ERF
    >>> round(float(ntk_log_volume_element(ERF)(d=2, r=1, sigma=1, zeta=0.5, xi=1)), 4)  # log 0.6843
    -0.3794
    """
    meaning = f"Logarithm of the factor by which the tangent kernel of a wide {act.name} layer magnifies volume."
    return _form(act, "ntk_log_volume_element", meaning, LOGARITHM)


@cached(256)
def ntk_scalar_curvature(act: Activation) -> ClosedForm:
    """Return the Ricci scalar of the metric of the NTK; arguments and errors are those of ``ntk_volume_element``.

    The paper gives the metric, Eq. (D.19), but not this curvature. For d = 2 and large r the metric of some networks
    approaches a cone. If their moments are then not rational multiples of each other (sin, cos), the curvature loses
    digits in proportion to r: 8 digits remain at r = 1e8.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``d``, ``r``, ``sigma``, ``zeta`` and ``xi``; in units of the kernel.

    Raises:
        ValueError: if the slope of the activation has a jump.

    >>> from theory.activations import ERF
    >>> round(float(ntk_scalar_curvature(ERF)(d=2, r=1, sigma=1, zeta=0.5, xi=1)), 4)
    -1.654
    """
    meaning = (
        f"Ricci scalar of the metric of the tangent kernel of an infinitely wide {act.name} layer."
    )
    slope, bend = profile(act), bend_profile(act)
    require_metric(act)
    jets = _jets(slope, bend)
    general = _ratios(_W, _B)
    parts = _ratios(jets[:3], jets[3:])
    growth = slope.logarithmic
    share = sp.S.NaN if growth is None else sp.simplify(bend.slope / slope.slope)
    if growth is not None and share.is_rational_function(v):
        # In units of omega all terms are rational functions, which avoids cancellation.
        logarithms = (sp.S.One, growth, sp.diff(growth, v) + growth**2)
        first = sp.diff(share, v) + share * growth
        bends = (share, first, sp.diff(first, v) + first * growth)
        simple = _ratios(_at_variance(logarithms), _at_variance(bends))
        parts = (parts[0], *map(as_product, simple[1:]))
    expression = scalar(parts[0], parts[1:3], parts[3:5], parts[5])
    in_moments, whole = ratio_step(), sp.Subs(scalar_in_ratios, RATIO_LETTERS, parts)
    of_act = Step(
        f"ratios for {act.name}",
        sp.Matrix(parts),
        sp.Subs(sp.Matrix(general), (*_W, *_B), _values(slope, bend)),
        because="omega and beta",
        uses=(in_moments, *slope.states(2), *bend.states(2), covariance_step()),
    )
    rest = (curvature_step(), of_act)
    return _closed(act, "ntk_scalar_curvature", meaning, expression, whole, rest)


def _values(*profiles: Profile) -> tuple[sp.Expr, ...]:
    """Return the squared slopes and their derivatives as values at the variance of the pre-activation."""
    jets = chain.from_iterable((squared.slope, *squared.derivatives) for squared in profiles)
    return tuple(sp.Subs(jet, v, AT_INPUT) if jet.has(v) else jet for jet in jets)


def _jets(*profiles: Profile) -> tuple[sp.Expr, ...]:
    """Return the squared slopes and their derivatives at the variance of the pre-activation."""
    jets: tuple[sp.Expr, ...] = ()
    for squared in profiles:
        jets += _at_variance((squared.slope, *squared.derivatives))
    return jets


def _at_variance(jet: Iterable[sp.Expr]) -> tuple[sp.Expr, ...]:
    """Return functions of a variance at that of the pre-activation."""
    return tuple(entry.xreplace({v: variance}) for entry in jet)


def _ratios(w: tuple[sp.Expr, ...], b: tuple[sp.Expr, ...]) -> tuple[sp.Expr, ...]:
    """Return the arguments of ``theory.geometry.deep_curvature.scalar``, with b - 2a' as a multiple of beta."""
    g = eigenvalues(w, b)
    slope, gap, gap1 = (
        g.a1 / g.a,
        -2 * xi**2 * sigma**2 * b[0] / g.a,
        -2 * xi**2 * sigma**4 * b[1] / g.a,
    )
    return (
        g.a,
        slope,
        slope + r * (g.a2 / g.a - slope**2),
        gap,
        gap + r * (gap1 - gap * slope),
        g.radial / g.a,
    )


@lru_cache(maxsize=1)
def ratio_step() -> Step:
    """Step to the ratios that the curvature is written in, of which b - 2a' has no derivative of omega."""
    change, metric = sp.Symbol("h", real=True), eigenvalues(_W, _B)
    # the variance has the slope sigma^2 in r
    series = [rotational.taylor(jet[n:], sigma**2 * change) for jet in (_W, _B) for n in range(3)]
    point = (*series, r + change)
    across, beyond = (at_values(part, (*_W, *_B, r), point) for part in (metric.a, metric.b))
    return Step(
        "ratios of the metric of the tangent kernel",
        sp.Matrix(_ratios(_W, _B)),
        rotational.RotationalMetric.moving(across, beyond, change).by(sp.Matrix(RATIOS)),
        because="the terms with derivatives of omega cancel in b - 2a' and in its derivative",
        uses=(curvature_step(), metric_step()),
    )


def _form(act: Activation, what: str, meaning: str, general: sp.Expr) -> ClosedForm:
    slope, bend = profile(act), bend_profile(act)
    if what != "ntk_volume_element":
        require_metric(act)
    jets, symbols = _jets(slope, bend), eigenvalues(_W, _B)
    metric = eigenvalues(jets[:3], jets[3:])
    across, beyond = (
        at_values(part, (*_W, *_B), _values(slope, bend)) for part in (symbols.a, symbols.b)
    )
    radial = replace(metric, a=across, b=beyond).by(rotational.ANY.radial)
    stated = (metric_step(), *slope.states(1), *bend.states(1), covariance_step())
    eigenvalue: tuple[Step, ...] = ()
    if not (slope.logarithmic is None and bend.logarithmic is None):
        # For large r the sum a + r b is a small difference of large terms; this form of the radial eigenvalue is not.
        along = (
            (sigma**2 + xi**2) * slope.radial + xi**2 * sigma**2 * (1 + r) * bend.radial
        ).xreplace({v: variance})
        because, rests = "the radial eigenvalue", (*stated, rotational.eigenvalue_step())
        eigenvalue = (Step("a + r b", along, radial, because, uses=rests),)
        metric, radial = replace(metric, along=along), along
    letters = (rotational.ACROSS, rotational.ALONG)
    rest = (*stated, *(eigenvalue or (rotational.eigenvalue_step(),)), determinant_step(general))
    whole = sp.Subs(general, letters, (across, radial))
    expression = general.xreplace(dict(zip(letters, (metric.a, metric.radial), strict=True)))
    return _closed(act, what, meaning, expression, whole, rest)


def _closed(
    act: Activation,
    what: str,
    meaning: str,
    expression: sp.Expr,
    general: sp.Expr,
    uses: tuple[Any, ...],
) -> ClosedForm:
    because, assumed = "omega and beta of this activation", (WIDE, LAZY, act.definition)
    last = Step(f"{what} for {act.name}", expression, general, because, uses=(*uses, *assumed))
    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=meaning,
        arguments=ARGUMENTS,
        expression=expression,
        status=Status.DERIVED,
        steps=with_lemmas((last,)),
        sources=(Source("zavatoneveth2023", "Eqs. (D.4), (D.19), (D.20)"),),
        assumptions=assumed,
    )


@lru_cache(maxsize=1)
def metric_step() -> Step:
    """What a and b are for e^(theta1 z), e^(theta2 z), hence for every phi: both kernels are bilinear in it."""
    first, second = sp.symbols("theta1 theta2", real=True)
    pair = sp.exp(
        (first**2 * variance_x + 2 * first * second * covariance + second**2 * variance_y) / 2
    )
    moment = sp.exp((first + second) ** 2 * v / 2)

    def jet(mean: sp.Expr) -> tuple[sp.Expr, ...]:
        return tuple(sp.diff(mean, v, order).subs(v, variance) for order in range(3))

    w, b = jet(first * second * moment), jet((first * second) ** 2 * moment)
    tangent = Premise(
        "the tangent kernel is that of the features plus xi^2 E[phi'(z) phi'(z')] (1 + x.y), Eq. (D.4)",
        tangent_kernel(pair, first * second * pair),
    )
    metric = eigenvalues(_W, _B)
    return Step(
        "a and b of the metric of the tangent kernel, for exponentials",
        sp.Matrix(rotational.coefficients(tangent.expression, xx, yy, xy, r)),
        at_values(sp.Matrix([metric.a, metric.b]), (*_W, *_B), (*w, *b)),
        "E[e^(theta1 z + theta2 z')] and its derivatives",
        uses=(covariance_step(), rotational.kernel_step(), tangent, theorems.EXPONENTIALS),
    )

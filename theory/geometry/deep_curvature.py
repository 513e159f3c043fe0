r"""Curvature of a deep network's metric in terms of ratios that avoid small differences of large numbers.

A network without biases whose kernel is homogeneous maps its inputs to a cone: radial planes are flat, although a and b
grow without bound. The recursion therefore carries :math:`a'/a` from layer to layer, and :math:`b - 2a'`, 0 where the
derivatives of the metric are totally symmetric. With primes for derivatives in r,

.. math:: \alpha = \frac{r a'}{a} = \sum_j A_j, \quad \eta = \frac{r (b - 2a')}{a} = 2 \sum_j A_j D_j, \quad
    A_j = r \frac{\omega'(v_j)}{\omega(v_j)} v_j', \quad D_j = c_j - 1, \quad c_j = \frac{v_j'}{\sigma^2 a_{j-1}}
    = \prod_{i<j} \frac{\mu'(v_i)}{\omega(v_i)},

and the ratio of the radial to the tangential eigenvalue is :math:`q = 1 + 2\alpha + \eta = 1 + 2 \sum_j A_j c_j`,

.. math:: K_\mathrm{rad} = \frac{(1 + \alpha) \eta' - 2 (\alpha + \eta) \alpha'}{a q^2}, \qquad
    K_\mathrm{tan} = \frac{\eta - \alpha^2}{r a q}.

Where possible, :math:`A = \lambda(v) \kappa` with :math:`\lambda = v \omega'/\omega` and :math:`\kappa = r v'/v` is
differentiated as a product: for homogeneous kernels each of :math:`\lambda', \kappa'` and :math:`D'` vanishes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.activations import Activation
from theory.core import Premise, Step, quotient
from theory.gaussian.symbols import variance as any_variance
from theory.geometry import rotational
from theory.geometry.deep_recursion import recursion_steps, step, taylor
from theory.geometry.rates import Rates, rates
from theory.geometry.symbols import d, r, sigma, variance, zeta


@dataclass(frozen=True)
class Ratios:
    """The quantities that a layer passes on to the next one, and the sums over layers so far; in r, sigma and zeta.

    Args:
        v: variance of the layer's pre-activations and its first two derivatives in r.
        power: the ratio r v'/v and its derivative in r.
        a: tangential eigenvalue of the metric of the layer's features.
        growth: the ratio c and its derivative in r; c - 1 is ``excess``, which is written without a difference.
        excess: the ratio D.
        slope: the ratio a'/a, and the derivative of r a'/a in r.
        bend: the ratio (b - 2a')/a, and the derivative of r (b - 2a')/a in r.
        stretch: ratio of the radial to the tangential eigenvalue of the metric of the layer's features.
    """

    v: tuple[sp.Expr, sp.Expr, sp.Expr]
    power: tuple[sp.Expr, sp.Expr]
    a: sp.Expr
    growth: tuple[sp.Expr, sp.Expr]
    excess: sp.Expr
    slope: tuple[sp.Expr, sp.Expr]
    bend: tuple[sp.Expr, sp.Expr]
    stretch: sp.Expr

    def scalar_curvature(self) -> sp.Expr:
        """Return the Ricci scalar in d dimensions."""
        return scalar(self.a, self.slope, self.bend, self.stretch)


def scalar(a: sp.Expr, slope: tuple[sp.Expr, sp.Expr], bend: tuple[sp.Expr, sp.Expr], stretch: sp.Expr) -> sp.Expr:
    """Return the Ricci scalar in d dimensions from a, a'/a, (r a'/a)', (b - 2a')/a, (r (b - 2a')/a)' and 1 + r b/a."""
    radial = ((1 + r * slope[0]) * bend[1] - 2 * r * (slope[0] + bend[0]) * slope[1]) / (a * stretch**2)
    tangential = (bend[0] - r * slope[0] ** 2) / (a * stretch)
    return (d - 1) * (2 * radial + (d - 2) * tangential)


def volume(a: sp.Expr, stretch: sp.Expr) -> sp.Expr:
    """Return the volume element in d dimensions from a and 1 + r b/a."""
    return a ** (d / 2) * sp.sqrt(stretch)


def first(f: Rates) -> Ratios:
    """Return the ratios of the first layer, whose variance is sigma^2 r + zeta^2."""
    psi = sigma**2 * f.slope[0]
    return Ratios(
        v=(variance, sigma**2, sp.S.Zero),
        power=(quotient(sigma**2 * r, variance), quotient(sigma**2 * zeta**2, variance**2)),
        a=sigma**2 * f.omega,
        growth=(sp.S.One, sp.S.Zero),
        excess=sp.S.Zero,
        slope=(psi, f.first_slope),
        bend=(sp.S.Zero, sp.S.Zero),
        stretch=f.first_stretch,
    )


def above(ratios: Ratios, below: Rates, of: Rates) -> tuple[Ratios, Rates]:
    """Return the ratios of the next layer, and the rates at its variance.

    Args:
        ratios: ratios of the layer below.
        below: rates at the variance of that layer.
        of: rates as functions of the variance.
    """
    _, y, y1 = ratios.v
    m = sigma**2 * below.mu[0]
    v = m + zeta**2
    f = of.at(v)
    slope, bend = sigma**2 * below.mu[1] * y, sigma**2 * (below.mu[2] * y**2 + below.mu[1] * y1)
    share, share1 = quotient(m, v), quotient(zeta**2 * slope, v**2)
    c, c1 = ratios.growth
    grown = (c * below.ratio, c1 * below.ratio + c * below.excess[1] * y)
    excess = ratios.excess + c * below.excess[0]
    psi = f.slope[0] * slope
    if below.power is None or f.power is None:
        power = (sp.S.Zero, sp.S.Zero)  # not needed in this case
        change = psi + r * (f.slope[0] * bend + f.slope[1] * slope**2)
    else:
        k, k1 = ratios.power
        power = (
            k * below.power[0] * share,
            k1 * below.power[0] * share + k * (below.power[1] * y * share + below.power[0] * share1),
        )
        change = f.product[1] * slope * power[0] + f.product[0] * power[1]
    layer = Ratios(
        v=(v, slope, bend),
        power=power,
        a=sigma**2 * f.omega * ratios.a,
        growth=grown,
        excess=excess,
        slope=(ratios.slope[0] + psi, ratios.slope[1] + change),
        bend=(ratios.bend[0] + 2 * psi * excess, ratios.bend[1] + 2 * (change * excess + r * psi * grown[1])),
        stretch=ratios.stretch + 2 * r * psi * grown[0],
    )
    return layer, f


def ratios(act: Activation, depth: int) -> Ratios:
    """Return the ratios of the last of ``depth`` layers."""
    of = rates(act)
    here = of.at(variance)
    layer = first(here)
    for _ in range(depth - 1):
        layer, here = above(layer, here, of)
    return layer


@lru_cache(maxsize=1)
def curvature_step() -> Step:
    """Step that compares the formula in ratios with the one in a and b and their derivatives."""
    a, b, a1, a2, b1 = sp.symbols("a b a1 a2 b1", positive=True)
    metric = rotational.RotationalMetric(a, b, a1, a2, b1, r)
    slope = a1 / a, a1 / a + r * a2 / a - r * a1**2 / a**2
    gap, gap1 = (b - 2 * a1) / a, (b1 - 2 * a2) / a - (b - 2 * a1) * a1 / a**2
    return Step(
        "curvature in ratios",
        scalar(a, slope, (gap, gap + r * gap1), 1 + r * b / a),
        metric.scalar_curvature(d),
        because="with alpha = r a'/a and eta = r (b - 2a')/a",
        uses=rotational.curvature_steps(),
    )


VOLUME = Premise("the volume element is the root of the determinant of the metric")


@lru_cache(maxsize=1)
def volume_step() -> Step:
    """Step that compares the formula in ratios with the one in a and b."""
    a, q, a1, a2, b1 = sp.symbols("a q a1 a2 b1", positive=True)
    metric = rotational.RotationalMetric(a, a * (q - 1) / r, a1, a2, b1, r)
    return Step(
        "volume element in ratios",
        volume(a, q),
        metric.volume_element(d),
        because="q = 1 + r b/a",
        uses=(recursion_steps()[1], VOLUME),
    )


_OF_VOLUME = ("v[0]", "v[1]", "a[0]", "growth[0]", "stretch[0]")


@lru_cache(maxsize=2)
def layer_steps(with_curvature: bool) -> tuple[Step, ...]:
    """Steps that compare ``first`` and ``above`` with the definitions, all functions being Taylor polynomials.

    Args:
        with_curvature: whether the ratios that only the curvature needs are compared as well.
    """
    v, a, m, w = (sp.symbols(f"{letter}:3", positive=True) for letter in ("v", "a", "m", "w"))
    b, u = (sp.symbols(f"{letter}:2", positive=True) for letter in ("b", "u"))
    at_variance, of = _symbolic(variance, m, w), _symbolic(any_variance, m, w)
    ground = _defined(taylor((variance, sigma**2), step), sp.S.One, sp.S.Zero, w)
    steps = list(_fields("the first layer", first(at_variance), ground))
    here = [taylor(jet, step) for jet in (v, a, b)]
    # sigma^2 times the eigenvalue two layers down is a / u
    two_down = here[1] / taylor(u, here[0] - v[0]) / sigma**2
    below = _definitions(*here, two_down)
    layer = Ratios(**{name: _values(definition) for name, definition in below.items()})
    top = _defined(sigma**2 * taylor(m, here[0] - v[0]) + zeta**2, *here[1:], w)
    at_v = _symbolic(v[0], m, (*u, sp.S.Zero))
    steps += _fields("one layer up", above(layer, at_v, of)[0], top)
    if not with_curvature:
        return tuple(step for step in steps if step.claim.partition(": ")[2] in _OF_VOLUME)
    by_parts, _ = above(layer, replace(at_v, power=None), of)
    steps += _fields("one layer up, not as a product", by_parts, {"slope": top["slope"]})
    return tuple(steps)


def _definitions(v: sp.Expr, a: sp.Expr, b: sp.Expr, a_below: sp.Expr) -> dict[str, tuple[tuple[sp.Expr, int], ...]]:
    """Return the entries of ``Ratios`` as functions of r + h, each with the order of its derivative at h = 0."""
    here, growth, slope = r + step, sp.Derivative(v, step) / (sigma**2 * a_below), sp.Derivative(a, step) / a
    power, gap = here * sp.Derivative(v, step) / v, b / a - 2 * slope
    return {
        "v": ((v, 0), (v, 1), (v, 2)),
        "power": ((power, 0), (power, 1)),
        "a": ((a, 0),),
        "growth": ((growth, 0), (growth, 1)),
        "excess": ((growth - 1, 0),),
        "slope": ((slope, 0), (here * slope, 1)),
        "bend": ((gap, 0), (here * gap, 1)),
        "stretch": ((1 + here * b / a, 0),),
    }


def _defined(v: sp.Expr, a: sp.Expr, b: sp.Expr, w: tuple[sp.Symbol, ...]) -> Mapping[str, Any]:
    """Return the definitions of the ratios of a layer of variance v above the metric a and b, by the recursion."""
    change = v - v.subs(step, 0)
    bent = 2 * taylor(w[1:], change) * sp.Derivative(v, step) ** 2
    omega = sigma**2 * taylor(w, change)
    return _definitions(v, omega * a, omega * b + bent, a)


def _values(definition: tuple[tuple[sp.Expr, int], ...]) -> Any:
    """Return the entry of ``Ratios`` that has this definition, a tuple unless it is one number."""
    values = tuple(sp.diff(function.doit(), step, order).subs(step, 0) for function, order in definition)
    return values[0] if len(values) == 1 else values


def _fields(where: str, computed: Ratios, defined: Mapping[str, Any]) -> tuple[Step, ...]:
    return tuple(
        Step(
            f"{where}: {name}[{index}]",
            value,
            sp.Subs(sp.Derivative(function, (step, order)) if order else function, step, 0),
            because="the definition of the ratio and the recursion",
            uses=recursion_steps(),
        )
        for name, definition in defined.items()
        for index, (value, (function, order)) in enumerate(zip(_jet(getattr(computed, name)), definition, strict=True))
    )


def _jet(entry: Any) -> tuple[sp.Expr, ...]:
    return entry if isinstance(entry, tuple) else (entry,)


def _symbolic(v: sp.Expr, m: tuple[sp.Expr, ...], w: tuple[sp.Expr, ...]) -> Rates:
    """Return the rates that the moments and their derivatives at one variance define."""
    slope = w[1] / w[0], w[2] / w[0] - w[1] ** 2 / w[0] ** 2
    growth = m[1] / m[0], m[2] / m[0] - m[1] ** 2 / m[0] ** 2
    return Rates(
        mu=m,
        omega=w[0],
        ratio=m[1] / w[0],
        excess=(m[1] / w[0] - 1, m[2] / w[0] - m[1] * w[1] / w[0] ** 2),
        slope=slope,
        product=(v * slope[0], slope[0] + v * slope[1]),
        power=(v * growth[0], growth[0] + v * growth[1]),
        first_slope=sigma**2 * (slope[0] + sigma**2 * r * slope[1]),
        first_stretch=1 + 2 * sigma**2 * r * slope[0],
    )

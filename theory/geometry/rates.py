r"""Logarithmic derivatives and ratios of the second moment and the mean squared slope of an activation, simplified.

:math:`\mu(v) = E[\varphi(z)^2]`, :math:`\omega(v) = E[\varphi'(z)^2]`, and :math:`\mu' - \omega = E[\varphi\varphi'']`.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.activations import Activation
from theory.core import Step
from theory.core.algebra.factoring import as_product, factored
from theory.core.formula.deferred_function import at
from theory.core.formula.special import opened, phi1
from theory.core.proof.values import taking
from theory.gaussian.collected_terms import collected
from theory.gaussian.integrals import gaussian_mean
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.moments import second_moment
from theory.gaussian.squared_slope import without_cancellation
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v
from theory.geometry.profile import profile, s
from theory.geometry.symbols import r, sigma, variance


@dataclass(frozen=True)
class Rates:
    """Functions of the variance v; a tuple holds a function and its derivatives in v."""

    mu: tuple[sp.Expr, sp.Expr, sp.Expr]  # E[phi^2]
    omega: sp.Expr  # E[phi'^2]
    ratio: sp.Expr  # mu'/omega
    excess: tuple[sp.Expr, sp.Expr]  # mu'/omega - 1
    slope: tuple[sp.Expr, sp.Expr]  # omega'/omega
    product: tuple[sp.Expr, sp.Expr]  # v omega'/omega
    power: tuple[sp.Expr, sp.Expr] | None  # v mu'/mu, see rates
    first_slope: sp.Expr  # derivative of r sigma^2 omega'/omega at the first layer
    first_stretch: sp.Expr  # radial over tangential eigenvalue of the first layer

    def at(self, value: sp.Expr) -> "Rates":
        """Return these functions evaluated at the variance ``value``."""

        def there(jet: tuple[sp.Expr, ...]) -> Any:
            return tuple(at(entry, v, value) for entry in jet)

        return replace(
            self,
            mu=there(self.mu),
            omega=at(self.omega, v, value),
            ratio=at(self.ratio, v, value),
            excess=there(self.excess),
            slope=there(self.slope),
            product=there(self.product),
            power=None if self.power is None else there(self.power),
        )


def _without_cancellation(expression: sp.Expr) -> sp.Expr:
    return (
        expression
        if expression.has(sp.Integral)
        else without_cancellation(collected(opened(expression)))
    )


def _ratio(one: sp.Expr, other: sp.Expr) -> sp.Expr:
    """Return ``one / other``, as a simplified rational function if it is rational."""
    if any(side.has(sp.Integral, phi1) for side in (one, other)):
        return one / other
    quotient = factored(one / other)
    return as_product(quotient) if quotient.is_rational_function(v) else one / other


@lru_cache(maxsize=64)
def rates(act: Activation) -> Rates:
    """Return the rates of an activation, ``power`` if it is defined; raise ValueError if the activation has a jump."""
    act_profile = profile(act)
    w0, w1, w2 = act_profile.slope, *act_profile.derivatives
    m0, m1, m2 = mu = tuple(map(_without_cancellation, second_moment(act)))
    if m0.has(sp.Integral) and act.smooth:
        bent = Activation("product", act.expression * act.derivative(2))
        e0, e1 = gaussian_mean(bent.expression, v), gaussian_mean(bent.derivative(2) / 2, v)
    else:
        e0, e1 = _without_cancellation(m1 - w0), _without_cancellation(m2 - w1)
    slope = (w1 / w0, w2 / w0 - (w1 / w0) ** 2)
    product = (v * slope[0], slope[0] + v * slope[1])
    if act_profile.logarithmic is not None:
        slope = (act_profile.logarithmic, as_product(sp.diff(act_profile.logarithmic, v)))
        product = (as_product(v * slope[0]), as_product(sp.diff(as_product(v * slope[0]), v)))
    excess = _ratio(e0, w0)
    rational = excess.is_rational_function(v)
    excess1 = as_product(sp.diff(excess, v)) if rational else e1 / w0 - excess * slope[0]
    power = _ratio(v * m1, m0)
    simple = (
        act_profile.logarithmic is not None
        and power.is_rational_function(v)
        and 0 in (m0.subs(v, 0), w0.subs(v, 0))
    )
    if act_profile.logarithmic is not None:
        change, stretch = map(
            act_profile.shortest, (slope[0] + s * slope[1], 1 + 2 * s * slope[0])
        )
    else:
        change, stretch = slope[0] + sigma**2 * r * slope[1], 1 + 2 * sigma**2 * r * slope[0]
    return Rates(
        mu=mu,
        omega=w0,
        ratio=_ratio(m1, w0),
        excess=(excess, excess1),
        slope=slope,
        product=product,
        power=(power, as_product(sp.diff(power, v))) if simple else None,
        first_slope=sigma**2 * change.xreplace({v: variance}),
        first_stretch=stretch.xreplace({v: variance}),
    )


def by_name(of: Rates) -> dict[str, sp.Expr]:
    """Return the rates by their names in words."""
    named = {f"d{n}/dv{n} E[phi^2]" if n else "E[phi^2]": moment for n, moment in enumerate(of.mu)}
    named |= {"mu'/omega": of.ratio, "mu'/omega - 1": of.excess[0], "(mu'/omega)'": of.excess[1]}
    if of.power is not None:
        named |= {"v mu'/mu": of.power[0], "(v mu'/mu)'": of.power[1]}
    return named | of_layer(of)


def of_layer(of: Rates) -> dict[str, sp.Expr]:
    """Return those rates by their names that a layer needs at its own variance."""
    return {
        "omega": of.omega,
        "omega'/omega": of.slope[0],
        "(omega'/omega)'": of.slope[1],
        "v omega'/omega": of.product[0],
        "(v omega'/omega)'": of.product[1],
        "slope of the first layer": of.first_slope,
        "stretch of the first layer": of.first_stretch,
    }


def _meant(act: Activation) -> Rates:
    """Return the rates by definition, in both moments."""
    form, of = kernel_formula(act).expression, rates(act)
    w0, m0 = of.omega, of.mu[0]
    same = sp.Subs(form, (variance_x, variance_y, covariance), (v, v, v))
    slope, growth = sp.Derivative(w0, v) / w0, sp.Derivative(m0, v)
    s0, s1 = (
        sp.Subs(meant if value.is_number else value, v, variance)
        for value, meant in zip(of.slope, (slope, sp.Derivative(slope, v)), strict=True)
    )
    return Rates(
        mu=(same, growth, sp.Derivative(m0, (v, 2))),
        omega=w0,
        ratio=growth / w0,
        excess=(growth / w0 - 1, sp.Derivative(growth / w0, v)),
        slope=(slope, sp.Derivative(slope, v)),
        product=(v * slope, sp.Derivative(v * slope, v)),
        power=(v * growth / m0, sp.Derivative(v * growth / m0, v)) if of.power else None,
        first_slope=sigma**2 * (s0 + sigma**2 * r * s1),
        first_stretch=1 + 2 * sigma**2 * r * s0,
    )


@lru_cache(maxsize=64)
def stated_rates(act: Activation) -> tuple[dict[str, sp.Expr], tuple[Any, ...]]:
    """Return the rates by their names, a number by definition, and what states them.

    Both moments are closed forms, and a step states each rate that is neither one of them nor a number. Where a moment
    is an integral, only the squared slope and its derivatives are stated.
    """
    values: dict[str, sp.Expr] = {}
    if rates(act).mu[0].has(sp.Integral) or rates(act).omega.has(sp.Integral):
        return values, profile(act).states(2)
    nodes: list[Any] = [kernel_formula(act), profile(act).form]
    for name, value in by_name(rates(act)).items():
        meant = by_name(_meant(act))[name]
        values[name] = meant if value.is_number else value
        if meant != value and not value.is_number:
            step = Step(name, value, meant, because="of this activation", uses=())
            nodes.append(taking(step, nodes))
    return values, tuple(nodes)

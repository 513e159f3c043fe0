r"""The mean squared slope of an activation and its derivatives, in which the geometry of a wide layer is written.

With :math:`\omega(v) = E[\varphi'(z)^2]` and :math:`s = v - \zeta^2 = \sigma^2 \|x\|^2`, every quantity of the layer is
a product of :math:`\omega` and rational functions of the logarithmic derivative :math:`\omega'/\omega` if that is
itself rational (error function, powers, exponentials, Gaussian bump). Otherwise :math:`\omega, \omega', \omega''` are
kept.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import sympy as sp

from theory import gaussian
from theory.activations import Activation, z
from theory.core import ClosedForm, Premise, Step, differentiated, phi1
from theory.core.algebra.factoring import as_product
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import taking
from theory.engine.inputs import xy
from theory.gaussian.integrals import xi
from theory.gaussian.mean import Mean
from theory.gaussian.moments import SLOPES, density_steps, m0, m1, squared_slope_jet
from theory.gaussian.symbols import variance as v
from theory.geometry.kernel import covariance_step, of_products
from theory.geometry.symbols import r, sigma, variance, zeta

w0 = sp.Symbol("omega", positive=True)
w1, w2 = sp.symbols("omega1 omega2", real=True)  # the slope of erf's moment is negative
"""The squared slope and its first two derivatives in the variance."""
s = sp.Symbol("s", nonnegative=True)
"""sigma^2 |x|^2, which is the variance without that of the bias."""
WITHOUT_BIAS = Premise("s is the variance without that of the bias", sigma**2 * r)
AT_INPUT = sp.Subs(of_products, xy, r)
"""The variance at an input, which is the covariance of its pre-activation with itself."""


@dataclass(frozen=True)
class Profile:
    """The mean squared slope of an activation and its derivatives."""

    act: Activation
    slope: sp.Expr  # E[phi'(z)^2] as a function of the variance
    derivatives: tuple[sp.Expr, sp.Expr]  # of the slope in the variance

    @cached_property
    def form(self) -> ClosedForm:
        """Return the mean squared slope as a closed form."""
        return gaussian.squared_slope(self.act)

    def steps(self, order: int) -> tuple[Step, ...]:
        """Return a step for each derivative of the squared slope up to this order that is none of a number.

        Across kinks there is no step, and :meth:`states` has a premise.
        """
        mean: Any = self.form
        if self.slope.is_number or (self.slope.has(sp.Integral) and not self.act.smooth):
            return ()
        if self.slope.has(sp.Integral):
            expression = Mean(self.act.derivative(1) ** 2, z, v)
            mean = Premise(
                f"E[phi'^2] of {self.act.name} is the mean over z ~ N(0, v)", expression
            )
        return tuple(
            differentiated(f"d{n}/dv{n} E[phi'^2] of {self.act.name}", derivative, mean, (v, n))
            for n, derivative in enumerate(self.derivatives[:order], start=1)
        )

    def states(self, order: int) -> tuple[Any, ...]:
        """Return what states the squared slope and its derivatives up to this order."""
        steps = self.steps(order)
        across_kinks = () if steps or self.slope.is_number else self.derivatives[:order]
        names = ("first", "second")[: len(across_kinks)]
        integrals = (
            Premise(f"the {name} derivative of E[phi'^2] is taken under the integral", derivative)
            for name, derivative in zip(names, across_kinks, strict=True)
        )
        under = (theorems.UNDER_THE_MEAN,) if across_kinks else ()
        return (self.form, *steps, *integrals, *under)

    @cached_property
    def logarithmic(self) -> sp.Expr | None:
        """Return omega'/omega if it is a rational function of the variance, else None."""
        if self.slope.has(sp.Integral, phi1):
            return None
        total = sp.S.Zero
        for factor in sp.Mul.make_args(
            as_product(self.slope) if self.slope.is_rational_function(v) else self.slope
        ):
            base, power = factor.as_base_exp()
            total += sp.diff(power, v) if base is sp.E else power * sp.diff(base, v) / base
        return as_product(total) if total.is_rational_function(v) else None

    @cached_property
    def stretch(self) -> sp.Expr | None:
        """Return the eigenvalue ratio, ``1 + 2 s omega'/omega``, if it is rational and shorter than each eigenvalue."""
        if self.logarithmic is None or (
            self.slope.is_rational_function(v) and self.logarithmic != 0
        ):
            return None
        if sp.denom(self.logarithmic).subs(v, 0) == 0:
            return None
        return self.shortest(1 + 2 * s * self.logarithmic)

    @cached_property
    def radial(self) -> sp.Expr:
        """Return the radial eigenvalue over sigma^2, ``omega + 2 s omega'``, in the variance and zeta."""
        if self.weighted is not None:
            return (zeta**2 * self.slope + sigma**2 * r * self.weighted) / v
        if self.logarithmic is None:
            return self.slope + 2 * sigma**2 * r * self.derivatives[0]
        return self.shortest(1 + 2 * s * self.logarithmic, self.slope)

    @cached_property
    def weighted(self) -> sp.Expr | None:
        """Return ``E[phi'(z)^2 z^2] / v`` if the squared slope is an integral, else None.

        With omega' = (this - omega)/(2 v) the radial eigenvalue is a sum of positive terms, which keeps its digits
        where the slope is a narrow bump; there omega + 2 s omega' is a small difference.
        """
        if not self.slope.has(sp.Integral):
            return None
        return self.slope.replace(
            sp.Integral, lambda integrand, *limits: sp.Integral(xi**2 * integrand, *limits)
        )

    def shortest(self, *factors: sp.Expr) -> sp.Expr:
        """Return the shortest form of a product of powers of rational functions of v and s, avoiding minus signs."""
        product = list(chain.from_iterable(sp.Mul.make_args(factor) for factor in factors))
        rational = sp.Mul(*(part for part in product if part.is_rational_function(v, s)))
        rest = sp.Mul(*(part for part in product if not part.is_rational_function(v, s)))
        # This avoids s = v - zeta^2, a difference in which digits cancel.
        ways: tuple[dict[sp.Symbol, sp.Expr], ...] = ({v: s + zeta**2}, {})
        forms = [
            _positive(as_product(rational.xreplace(way))).xreplace({s: sigma**2 * r})
            for way in ways
        ]
        return min((form * rest for form in map(_with_variance, forms)), key=_cost)

    def derivation(
        self,
        expression: sp.Expr,
        general: sp.Expr,
        what: str,
        stated: Step,
        assumptions: tuple[str, ...],
    ) -> tuple[Step, ...]:
        """Return the derivation of a quantity of the layer for this activation.

        The general form is a function of w0, w1, w2 and s that a step states.
        """
        claim, because = f"{what} for {self.act.name}", "at the variance of the pre-activation"
        rest = (
            stated,
            *assumptions,
            covariance_step(),
        )
        if general.has(s):
            rest = (*rest, WITHOUT_BIAS)
        slope, *derivatives = (
            at_values(jet, (v,), (AT_INPUT,)) for jet in (self.slope, *self.derivatives)
        )
        mean = None if self.weighted is None else self.weighted.xreplace({v: variance})
        if mean is None or not expression.has(mean):
            order = 2 if general.has(w2) else 1 if general.has(w1) else 0
            uses = (*self.states(order), *rest)
            values = (slope, *derivatives, sigma**2 * r)
            filled = at_values(general, (w0, w1, w2, s), values)
            return with_lemmas((taking(Step(claim, expression, filled, because), uses),))
        (rule,) = density_steps(1)
        moment = Premise("m1 = E[phi'^2 z^2]/v, an integral over z = sqrt(v) xi", self.weighted)
        positive = expression.xreplace({mean: m1, self.slope.xreplace({v: variance}): m0})
        by_moments = (m0, sp.Subs(SLOPES[0], v, AT_INPUT), sigma**2 * r)
        without = Step(
            f"{what} without a difference",
            positive,
            at_values(general, (w0, w1, s), by_moments),
            because="m0 = E[phi'^2]",
            uses=(rule, *rest),
        )
        weighted = sp.Subs(self.weighted, v, AT_INPUT)
        filled = at_values(positive, (m0, m1), (slope, weighted))
        uses = (without, moment, self.form, covariance_step(), self.act.definition)
        return with_lemmas((Step(claim, expression, filled, because, uses=uses),))


def _cost(form: sp.Expr) -> tuple[bool, int]:
    """Return whether a sum in ``form`` has terms of both signs, which may cancel, and its number of operations."""

    def has_both_signs(total: sp.Add) -> bool:
        return len({term.could_extract_minus_sign() for term in total.args}) > 1

    return any(map(has_both_signs, form.atoms(sp.Add))), form.count_ops()


def _with_variance(rational: sp.Expr) -> sp.Expr:
    """Rewrite sums such as 1 + 2 sigma^2 r + 2 zeta^2 in terms of the variance."""
    return rational.replace(
        lambda node: node.is_Add and node.has(r) and node.has(zeta),
        lambda node: min(node, sp.expand(node.subs(r, (v - zeta**2) / sigma**2)), key=_cost),
    )


def _positive(product: sp.Expr) -> sp.Expr:
    """Move the sign of factors such as -1 - 2 zeta^2 to the front of the product."""
    result = sp.S.One
    for factor in sp.Mul.make_args(product):
        base, power = factor.as_base_exp()
        turn = base.is_Add and power.is_Integer and base.could_extract_minus_sign()
        result *= (-1) ** power * (-base) ** power if turn else factor
    return result


@lru_cache(maxsize=256)
def profile(act: Activation) -> Profile:
    """Return the profile of an activation; ValueError if it has a jump."""
    slope, *derivatives = squared_slope_jet(act)
    return Profile(act, slope, (derivatives[0], derivatives[1]))


def require_metric(act: Activation) -> None:
    """Raise ValueError if the metric vanishes identically, as that of a constant activation does."""
    if profile(act).slope == 0:
        raise ValueError(
            f"act: {act.name} is constant, so its metric is zero: no curvature, no log of a volume"
        )

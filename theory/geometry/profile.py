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
from theory.activations import Activation
from theory.core import Check, Premise, Step, differentiated, phi1
from theory.core.algebra.factoring import as_product
from theory.core.proof.premises import concluding, ends
from theory.engine.inputs import xy
from theory.gaussian.integrals import xi
from theory.gaussian.moments import squared_slope_jet, under_the_integral
from theory.gaussian.symbols import variance as v
from theory.geometry.kernel import covariance_step, of_products
from theory.geometry.symbols import r, sigma, variance, zeta

w0 = sp.Symbol("omega", positive=True)
w1, w2 = sp.symbols("omega1 omega2", real=True)  # the slope of erf's moment is negative
"""The squared slope and its first two derivatives in the variance."""
m0 = sp.Symbol("m0", positive=True)
"""The mean of the squared slope times the squared pre-activation, over the variance."""
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

    def steps(self, order: int) -> tuple[Step | Check, ...]:
        """Return the derivation of the squared slope and of its derivatives up to this order, at most 2."""
        form = gaussian.squared_slope(self.act)
        if self.slope.has(sp.Integral):
            return (*form.steps, *under_the_integral(order))
        slopes = tuple(
            differentiated(
                f"d{n}/dv{n} E[phi'^2]", derivative, self.slope, (v, n), uses=concluding(form)
            )
            for n, derivative in enumerate(self.derivatives[:order], start=1)
        )
        return (*form.steps, *slopes)

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
        steps: tuple[Step, ...],
        assumptions: tuple[str, ...],
    ) -> tuple[Step | Check, ...]:
        """Return the derivation of a quantity of the layer for this activation, after ``steps`` to the general form.

        The general form is a function of w0, w1, w2 and s that one of the steps states.
        """
        order = 2 if general.has(w2) else 1 if general.has(w1) else 0
        whole = (*self.steps(order), *steps)
        rest = (*ends(whole), *(step for step in steps if step.mentions(general)), *assumptions)
        return (*whole, *self.at_variance(expression, general, what, rest))

    def at_variance(
        self, expression: sp.Expr, general: sp.Expr, what: str, uses: tuple[Any, ...]
    ) -> tuple[Step, ...]:
        """Steps that show that ``expression`` is ``general`` for this activation, and rest on ``uses``."""
        jets = zip((w0, w1, w2), (self.slope, *self.derivatives), strict=True)
        values = {letter: sp.Subs(jet, v, AT_INPUT) for letter, jet in jets}
        claim, by = f"{what} for {self.act.name}", "at the variance of the pre-activation"
        mean = None if self.weighted is None else self.weighted.xreplace({v: variance})
        if mean is None or not expression.has(mean):
            filled = at_values(general, {**values, s: sigma**2 * r})
            rest = (covariance_step(), WITHOUT_BIAS) if general.has(s) else (covariance_step(),)
            return (Step(claim, expression, filled, by, uses=(*uses, *rest)),)
        moment = Premise("m0 = E[phi'^2 z^2]/v, an integral over z = sqrt(v) xi", self.weighted)
        positive = expression.xreplace({mean: m0, self.slope.xreplace({v: variance}): w0})
        without = Step(
            f"{what} without a difference",
            positive,
            at_values(general, {w1: (m0 - w0) / (2 * variance), s: sigma**2 * r}),
            because="omega' = (E[phi'^2 z^2]/v - omega)/(2 v)",
            uses=uses,
        )
        filled = at_values(positive, {w0: values[w0], m0: sp.Subs(self.weighted, v, AT_INPUT)})
        stated = concluding(gaussian.squared_slope(self.act))
        rest = (without, moment, *stated, covariance_step(), self.act.definition)
        return (without, Step(claim, expression, filled, by, uses=rest))


def stated_integrals(profile: Profile, order: int) -> tuple[Premise, ...]:
    """Return what states the derivatives of a squared slope up to this order where it is an integral."""
    if not profile.slope.has(sp.Integral):
        return ()
    names = ("first", "second")[:order]
    return tuple(
        Premise(f"the {name} derivative of E[phi'^2] is taken under the integral", derivative)
        for name, derivative in zip(names, profile.derivatives, strict=False)
    )


def at_values(general: sp.Expr, values: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """Return a formula at the values of those letters that it has."""
    inside = {letter: value for letter, value in values.items() if general.has(letter)}
    return sp.Subs(general, tuple(inside), tuple(inside.values())) if inside else general


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

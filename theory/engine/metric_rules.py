r"""What each level of a wide network makes of the metric below it: one object for the lemma and for its application.

The kernel of a network of dense layers depends on inner products alone, so that its metric is :math:`a\,\delta_{ij} +
b\,x_i x_j` with functions of :math:`r = \|x\|^2`. A level turns the variance :math:`v(r) = k(x, x)` and these two into
those above it. With :math:`\mu(v) = E[\varphi^2]` and :math:`\omega(v) = E[\varphi'^2]`,

.. math:: v \to \mu(v), \quad a \to \omega(v)\, a, \quad b \to \omega(v)\, b + 2 \omega'(v)\, v'^2

above an activation. The lemma of a rule compares it with the metric of the kernel that the level makes of a general
one, to second order around equal inputs; derivatives in r follow by differentiation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from typing import Any

import sympy as sp

from theory.core import Premise, Step
from theory.core.algebra.working_out import done
from theory.core.formula.let import bound_letter
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.engine import joining, rotational, rules
from theory.engine.rules import S, Z
from theory.gaussian.symbols import variance

v, v1, v2, v3 = (bound_letter(f"v{order or ''}", real=True) for order in range(4))
a, a1, a2, a3 = (bound_letter(f"a{order or ''}", real=True) for order in range(4))
b, b1, b2 = (bound_letter(f"b{order or ''}", real=True) for order in range(3))
mu = tuple(bound_letter(f"mu{order or ''}", real=True) for order in range(4))
omega = tuple(bound_letter(f"omega{order or ''}", real=True) for order in range(4))
JET = (v, v1, v2, a, a1, a2, b, b1)
"""Variance, tangential coefficient and radial one, with the derivatives in r that a curvature needs."""
_NEXT: Mapping[sp.Symbol, sp.Expr] = {
    **dict(zip((v, v1, v2), (v1, v2, v3), strict=True)),
    **dict(zip((a, a1, a2), (a1, a2, a3), strict=True)),
    **dict(zip((b, b1), (b1, b2), strict=True)),
    **{before: after * v1 for before, after in pairwise(mu)},
    **{before: after * v1 for before, after in pairwise(omega)},
}


def along(expression: sp.Expr) -> sp.Expr:
    """Return the derivative in r of an expression in these letters."""
    return sp.Add(*(sp.diff(expression, letter) * change for letter, change in _NEXT.items()))


@dataclass(frozen=True)
class MetricRule:
    """What a level makes of variance and metric, as expressions in the letters below it.

    Attributes:
        v, a, b: the three above the level.
        because: why, in words.
        rests: lemmas, premises, assumptions and closed forms on which it rests.
        numbers: letter of the three, besides those below -> its value for this level. Default: none.
    """

    v: sp.Expr
    a: sp.Expr
    b: sp.Expr
    because: str
    rests: tuple[Any, ...]
    numbers: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    @property
    def jet(self) -> tuple[sp.Expr, ...]:
        """The values above the level of all that is in ``JET``."""
        slopes = along(self.v), along(self.a)
        return (
            self.v,
            slopes[0],
            along(slopes[0]),
            self.a,
            slopes[1],
            along(slopes[1]),
            self.b,
            along(self.b),
        )


def dense(weights: sp.Expr, biases: sp.Expr) -> MetricRule:
    """Return the rule of a dense layer.

    Args:
        weights: variance of a weight times the width below.
        biases: variance of a bias.
    """
    rule = rules.dense(S, Z, (S, Z))
    lemma = _lemma("a dense layer", _affine(S, Z), rule.kernel, rule=rule)
    numbers = {S: weights, Z: biases}
    return MetricRule(*_affine(S, Z), "linear in the kernel", (lemma,), numbers)


def _affine(weights: sp.Expr, biases: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    return weights * v + biases, weights * a, weights * b


@cache
def above_activation() -> MetricRule:
    """Return the rule of an activation, in its moments and their derivatives in the variance."""
    values = mu[0], omega[0] * a, omega[0] * b + 2 * omega[1] * v1**2
    p, q = sp.symbols("theta1 theta2", real=True)

    def kernel(below: sp.Matrix) -> sp.Expr:
        return sp.exp((p**2 * below[0, 0] + 2 * p * q * below[0, 1] + q**2 * below[1, 1]) / 2)

    moment, slope = (
        sp.exp((p + q) ** 2 * variance / 2),
        p * q * sp.exp((p + q) ** 2 * variance / 2),
    )
    means = {
        mu[0]: moment.subs(variance, _K[0]),
        omega[0]: slope.subs(variance, _K[0]),
        omega[1]: sp.diff(slope, variance).subs(variance, _K[0]),
    }
    lemma = _lemma(
        "an activation",
        values,
        kernel,
        means,
    )
    because = "the chain rule, and 4 d/dv_x d/dv_y = d^2/dc^2 (Price)"
    return MetricRule(*values, because, (lemma,))


@cache
def norm() -> MetricRule:
    """Return the rule of layer norm."""
    values = sp.S.One, a / v, b / v - (v1 / v) ** 2
    rule = rules.norm()
    lemma = _lemma("layer norm", values, rule.kernel, rule=rule)
    return MetricRule(*values, "the chain rule", (lemma,))


_XX, _YY, _XY, _RHO = sp.symbols("xx yy xy r", real=True)
_K = sp.symbols("k", positive=True), *sp.symbols("k_x k_c k_xx k_xy k_xc k_cc", real=True)


def _around(x: sp.Expr, y: sp.Expr, c: sp.Expr, letters: tuple[sp.Symbol, ...] = _K) -> sp.Expr:
    """Return a general symmetric kernel of x.x, y.y and x.y, to second order around equal inputs."""
    k, kx, kc, kxx, kxy, kxc, kcc = letters
    x, y, c = x - _RHO, y - _RHO, c - _RHO
    squares = kxx * (x**2 + y**2) / 2 + kxy * x * y + kxc * (x + y) * c + kcc * c**2 / 2
    return k + kx * (x + y) + kc * c + squares


def _pair(letters: tuple[sp.Symbol, ...] = _K) -> sp.Matrix:
    """Return the covariance of a unit at two inputs, with that kernel."""
    return sp.Matrix(
        [
            [_around(_XX, _XX, _XX, letters), _around(_XX, _YY, _XY, letters)],
            [_around(_XX, _YY, _XY, letters), _around(_YY, _YY, _YY, letters)],
        ]
    )


def _below(letters: tuple[sp.Symbol, ...] = _K) -> dict[sp.Symbol, sp.Expr]:
    """Return variance, its slope and the metric of the general kernel."""
    whole = _around(_XX, _XX, _XX, letters)
    coefficients = rotational.coefficients(_pair(letters)[0, 1], _XX, _YY, _XY, _RHO)
    values = dict(zip((a, b), map(done, coefficients), strict=True))
    return {v: letters[0], v1: sp.diff(whole, _XX).subs(_XX, _RHO), **values}


def _by_definition(kernel: sp.Expr) -> sp.Matrix:
    """Return v, a, b of a kernel of x.x, y.y and x.y, from its value and its derivatives at equal inputs."""
    value = at_values(kernel, (_XX, _YY, _XY), (_RHO,) * 3)
    return sp.Matrix([value, *rotational.coefficients(kernel, _XX, _YY, _XY, _RHO)])


def _lemma(
    what: str,
    values: tuple[sp.Expr, sp.Expr, sp.Expr],
    kernel: Callable[[sp.Matrix], sp.Expr],
    means: Mapping[sp.Symbol, sp.Expr] | None = None,
    rule: rules.Rule | None = None,
) -> Step:
    """Return the step that compares a rule with the metric of the kernel that a level makes of a general one."""
    below = _pair()
    made, letters = kernel(below), {**_below(), **(means or {})}
    words = f"the kernel above {what}, of a general one below"
    stating: tuple[Any, ...] = (
        Premise(f"{words}, for exp(theta1 z) and exp(theta2 z)", made),
        theorems.EXPONENTIALS,
    )
    if rule is not None:
        by_rule = rule.at((below[0, 0], below[1, 1], below[0, 1], sp.S.Zero))[0]
        stating = (Step(words, made, by_rule, "the rule of the kernel", uses=rule.rests[:1]),)
    return Step(
        f"v, a, b above {what}",
        _by_definition(made),
        at_values(sp.ImmutableMatrix(values), letters, letters.values()),
        because="the chain rule, with the derivatives of the kernel below as letters",
        uses=(rotational.kernel_step(), *stating),
    )


@cache
def sum_lemma(count: int = 2) -> Step:
    """The metric of a sum of so many kernels."""
    return _branches_lemma("sum", joining.branch_sum, sum_of, joining.sum_lemma(count), count)


@cache
def product_lemma(count: int = 2) -> Step:
    """The metric of a product of two kernels."""
    lemma = joining.product_lemma(count)
    return _branches_lemma("product", joining.branch_product, product_of, lemma, count)


Branch = tuple[sp.Expr, ...]
"""v, v', a and b of a branch."""


def branched(rule: Any, branches: Sequence[Branch]) -> tuple[sp.Expr, ...]:
    """Return what a rule in letters says of the variances and metrics of branches, not worked out.

    Args:
        rule: :func:`sum_of` or :func:`product_of`.
        branches: v, v', a and b of each.
    """
    names = [sp.symbols(f"v_{i} v'_{i} a_{i} b_{i}", real=True) for i in range(len(branches))]
    known = tuple(chain(*names))
    return tuple(at_values(part, known, tuple(chain(*branches))) for part in rule(*names))


def _branches_lemma(
    what: str, kernel_rule: joining.Branches, rule: Any, kernel_lemma: Step, count: int
) -> Step:
    names = [
        (
            sp.Symbol(k, positive=True),
            *sp.symbols(f"{k}_x {k}_c {k}_xx {k}_xy {k}_xc {k}_cc", real=True),
        )
        for k in "klmnop"[:count]
    ]
    kernels = [_pair(letters)[0, 1] for letters in names]
    zeros = [sp.S.Zero] * count
    made = kernel_rule(kernels, zeros)[0]
    stating = Step(
        f"the kernel above a {what}, of general ones below",
        made,
        joining.branched(kernel_rule, kernels, zeros)[0],
        "the rule of the kernel",
        uses=(kernel_lemma,),
    )
    branches = [tuple(_below(letters)[letter] for letter in (v, v1, a, b)) for letters in names]
    return Step(
        f"v, a, b above a {what} of {count}",
        _by_definition(made),
        sp.Matrix(branched(rule, branches)),
        because="the product rule",
        uses=(rotational.kernel_step(), stating),
    )


def sum_of(*branches: Branch) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Return v, a, b of a sum from (v, v', a, b) of its branches."""
    return tuple(sp.Add(*(branch[i] for branch in branches)) for i in (0, 2, 3))  # type: ignore[return-value]


def product_of(one: Branch, other: Branch) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Return v, a, b of a product from (v, v', a, b) of two branches."""
    (v_, s_, a_, b_), (w_, t_, c_, d_) = one, other
    return v_ * w_, a_ * w_ + v_ * c_, b_ * w_ + v_ * d_ + 2 * s_ * t_

"""What each level of a wide network makes of the kernels below it: one object for the lemma and for its application.

A rule is a function of the covariance matrix of one unit at two inputs (or positions), and of the tangent kernel there.
Its lemma applies the same function to units that are written out in features, weights and gradients; an error in the
function is therefore an error in the lemma, which a program refutes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import sympy as sp

from theory.activations import Activation, z
from theory.core import Premise, Step
from theory.core.formula.let import bound_letter
from theory.core.formula.subexpressions import at_values
from theory.gaussian.kernel_formula import kernel_formula, slope_kernel_formula
from theory.gaussian.mean import Mean
from theory.gaussian.symbols import covariance, variance_x, variance_y

WIDE = "every hidden layer is infinitely wide, all weights and biases independent Gaussians with mean zero"
theta = sp.Symbol("Theta", real=True)
LETTERS = (variance_x, variance_y, covariance, theta)
PAIR = sp.ImmutableMatrix([[variance_x, covariance], [covariance, variance_y]])
"""The covariance of one unit at two inputs; with ``theta``, the tangent kernel there, it is what a rule takes."""
NUMBERS = S, Z, GAIN, GAIN_b = tuple(
    bound_letter(name, positive=True) for name in ("S", "Z", "G", "G_b")
)
"""Variances of weights and biases, and the factors of their gradients: letters of every layer."""
first, second = sp.symbols("z z'", real=True)

Kernel = Callable[[sp.Matrix], sp.Expr]
Tangent = Callable[[sp.Matrix, sp.Expr], sp.Expr]


@dataclass(frozen=True)
class Rule:
    """What a level makes of kernel and tangent kernel.

    Attributes:
        kernel: function of the covariance ``[2, 2]`` of a unit below.
        tangent: function of that covariance and the tangent kernel below.
        because: why, in words.
        rests: lemmas, premises, assumptions and closed forms on which it rests.
        meaning: what both are by definition, as expressions in ``LETTERS`` and the keys of ``numbers``; by default
            what the functions make of them.
        numbers: letter of the meaning -> its value for this level. Default: none.
    """

    kernel: Kernel
    tangent: Tangent
    because: str
    rests: tuple[Any, ...]
    meaning: tuple[sp.Expr, sp.Expr] | None = None
    numbers: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    @property
    def made(self) -> tuple[sp.Expr, sp.Expr]:
        """What the functions make of ``LETTERS``."""
        return self.kernel(PAIR), self.tangent(PAIR, theta)

    def at(self, values: Sequence[sp.Expr]) -> tuple[sp.Expr, ...]:
        """Return kernel and tangent kernel by definition, at values of ``LETTERS``, not worked out.

        Args:
            values: one for each letter.
        """
        known = {**dict(zip(LETTERS, values, strict=True)), **self.numbers}
        return tuple(at_values(part, known, known.values()) for part in self.meaning or self.made)


def dense(weights: sp.Expr, biases: sp.Expr, gains: tuple[sp.Expr, sp.Expr]) -> Rule:
    """Return the rule of a dense layer.

    Args:
        weights: variance of a weight times the width below.
        biases: variance of a bias.
        gains: factors of the gradients in weights and biases.
    """
    made, numbers = _affine(weights, biases, gains), _by_letter(weights, biases, gains)
    return Rule(*made, "the kernels below", (dense_lemma(), WIDE), AFFINE, numbers)


def convolution(weights: sp.Expr, biases: sp.Expr, gains: tuple[sp.Expr, sp.Expr]) -> Rule:
    """Return the rule of a convolution, for kernels below that are averaged over its taps by :func:`tapped`.

    Args:
        weights, biases, gains: as for :func:`dense`.
    """
    because = "the kernels below, averaged over the taps"
    made, numbers = _affine(weights, biases, gains), _by_letter(weights, biases, gains)
    return Rule(*made, because, (convolution_lemma(), WIDE), AFFINE, numbers)


def _affine(
    weights: sp.Expr, biases: sp.Expr, gains: tuple[sp.Expr, sp.Expr]
) -> tuple[Kernel, Tangent]:
    def kernel(below: sp.Matrix) -> sp.Expr:
        return weights * below[0, 1] + biases

    def tangent(below: sp.Matrix, theta: sp.Expr) -> sp.Expr:
        return weights * theta + gains[0] * below[0, 1] + gains[1]

    return kernel, tangent


def _by_letter(
    weights: sp.Expr, biases: sp.Expr, gains: tuple[sp.Expr, sp.Expr]
) -> dict[sp.Symbol, sp.Expr]:
    return dict(zip(NUMBERS, (weights, biases, *gains), strict=True))


_kernel, _tangent = _affine(S, Z, (GAIN, GAIN_b))
AFFINE = _kernel(PAIR), _tangent(PAIR, theta)
"""Kernel and tangent kernel above a dense layer, in ``LETTERS`` and ``NUMBERS``."""


def tapped(kernels: sp.Matrix, reach: int, padding: str = "circular") -> sp.Matrix:
    """Return the mean over the taps of a convolution of a kernel between positions: at one shift in both inputs.

    Args:
        kernels: kernel ``[P, P]`` between the positions of two inputs.
        reach: positions to each side.
        padding: "circular", or "zeros" beyond the borders.
    """
    size, taps = kernels.rows, range(-reach, reach + 1)

    def shifted(p: int, q: int) -> sp.Expr:
        is_inside = 0 <= p < size and 0 <= q < size
        return kernels[p % size, q % size] if is_inside or padding == "circular" else sp.S.Zero

    return sp.Matrix(
        size,
        size,
        lambda p, q: sp.Add(*(shifted(p + tap, q + tap) for tap in taps)) / len(taps),
    )


_WEIGHTS, _BIAS = sp.symbols("w1:4", real=True), sp.Symbol("beta", real=True)
F, G, J, H = (sp.symbols(f"{name}1:4", real=True) for name in ("f", "g", "J", "H"))
Features = Sequence[sp.Expr]


@cache
def dense_lemma() -> Step:
    """The rule for a layer above three features, from its weights and gradients."""
    return Step(
        "kernel and tangent kernel above a dense layer",
        _by_definition(F, G, J, H),
        _at_products(AFFINE, _mean(F, G), _mean(J, H)),
        because="the mean over weights and bias; gradients in weights and bias, and through the features",
        uses=(_layer("n features"),),
    )


@cache
def convolution_lemma() -> Step:
    """The rule for two units at neighbouring positions of three, with a feature at each position."""
    ends = 0, 1

    def seen(features: Features, end: int) -> Features:
        return tuple(features[(end + tap) % 3] for tap in (-1, 0, 1))

    f, df, g, dg = seen(F, 0), seen(J, 0), seen(G, 1), seen(H, 1)

    def between(one: Features, other: Features) -> sp.Expr:
        return tapped(sp.Matrix(3, 3, lambda p, q: one[p] * other[q]), 1)[ends]

    return Step(
        "kernel and tangent kernel above a convolution",
        _by_definition(f, g, df, dg),
        _at_products(AFFINE, between(F, G), between(J, H)),
        because="as above a dense layer; a unit sees each tap of one input with the same weight as that of the other",
        uses=(_layer("features at n taps"),),
    )


def _at_products(
    rule: tuple[sp.Expr, sp.Expr], features: sp.Expr, gradients: sp.Expr
) -> sp.Matrix:
    """Return what a rule says where the kernels below are products of features and of gradients."""
    known = {covariance: features, theta: gradients}
    return sp.Matrix([at_values(part, known, known.values()) for part in rule])


def _layer(seen: str) -> Premise:
    return Premise(
        f"h = sqrt(g_w/n) w.f + sqrt(g_b) beta with w ~ N(0, S/g_w), beta ~ N(0, Z/g_b), of {seen} f with gradients J; "
        "g and H at the other input; n = 3"
    )


def _by_definition(f: Features, g: Features, df: Features, dg: Features) -> sp.Matrix:
    """Return kernel and tangent kernel of a unit of three features at two inputs, from weights and gradients."""

    def unit(features: Features) -> sp.Expr:
        drawn = sum(w * value for w, value in zip(_WEIGHTS, features, strict=True))
        return sp.sqrt(GAIN / 3) * drawn + sp.sqrt(GAIN_b) * _BIAS

    letters = (*_WEIGHTS, _BIAS)
    spread = sp.diag(*([S / GAIN] * 3), Z / GAIN_b)
    own = sum(sp.diff(unit(f), letter) * sp.diff(unit(g), letter) for letter in letters)
    through = unit(df).subs(_BIAS, 0) * unit(dg).subs(_BIAS, 0)
    return sp.Matrix(
        [Mean(unit(f) * unit(g), letters, spread), own + Mean(through, letters, spread)]
    )


def _mean(one: Features, other: Features) -> sp.Expr:
    return sp.Add(*(a * b for a, b in zip(one, other, strict=True))) / len(one)


def activation(act: Activation, with_tangent: bool) -> Rule:
    """Return the rule of an activation.

    Args:
        act: the activation.
        with_tangent: whether the tangent kernel is wanted, for which the activation must not jump.
    """
    value = kernel_formula(act)
    slope = slope_kernel_formula(act) if with_tangent else None

    def at(form: Any, below: sp.Matrix) -> sp.Expr:
        values = (below[0, 0], below[1, 1], below[0, 1])
        return form.expression.xreplace(dict(zip(LETTERS, values, strict=False)))

    def kernel(below: sp.Matrix) -> sp.Expr:
        return at(value, below)

    def tangent(below: sp.Matrix, theta: sp.Expr) -> sp.Expr:
        return through_units(at(slope, below), theta) if slope else sp.S.Zero

    rests = (value, *((slope, gradient_lemma()) if slope else ()), act.definition, WIDE)

    def mean(form: Any, order: int) -> sp.Expr:
        if value.expression.has(sp.Integral):  # which is the mean by definition
            return form.expression
        units = (first, second)
        parts = [act.derivative(order).xreplace({z: unit}) for unit in units]
        return Mean(sp.Mul(*parts), units, PAIR)

    through = at_values(THROUGH, _SLOPES, (mean(slope, 1),)) if slope else sp.S.Zero
    because = "means over Gaussian pre-activations"
    return Rule(kernel, tangent, because, rests, (mean(value, 0), through))


def through_units(slopes: sp.Expr, tangent: sp.Expr) -> sp.Expr:
    """Return the tangent kernel above an activation, from the mean product of slopes and the tangent kernel below.

    Args:
        slopes: mean product of the slopes of the activation at both inputs.
        tangent: the tangent kernel below.
    """
    return slopes * tangent


_SLOPES = (sp.Symbol("slopes", real=True),)
THROUGH = through_units(*_SLOPES, theta)
"""The tangent kernel above an activation, in the mean product of slopes and the tangent kernel below."""


@cache
def gradient_lemma() -> Step:
    """The gradients of a unit, by the chain rule."""
    parameter = sp.Symbol("w", real=True)
    phi, one, other = (sp.Function(name, real=True) for name in ("phi", "h", "h'"))
    inside = [unit(parameter) for unit in (one, other)]
    u = sp.Symbol("u", real=True)
    slopes = [sp.Subs(sp.Derivative(phi(u), u), u, value) for value in inside]
    gradients = [sp.Derivative(value, parameter) for value in inside]
    return Step(
        "gradients above an activation",
        sp.Mul(*(sp.Derivative(phi(value), parameter) for value in inside)),
        at_values(THROUGH, (*_SLOPES, theta), (sp.Mul(*slopes), sp.Mul(*gradients))),
        because="the chain rule; slopes and gradients of many units are independent, so that their means multiply",
        uses=(Premise("phi(h) with h a function of every parameter w below"),),
    )


def norm() -> Rule:
    """Return the rule of layer norm over many channels of mean zero."""

    def scale(below: sp.Matrix) -> sp.Expr:
        return 1 / (sp.sqrt(below[0, 0]) * sp.sqrt(below[1, 1]))

    def kernel(below: sp.Matrix) -> sp.Expr:
        return below[0, 1] * scale(below)

    def tangent(below: sp.Matrix, theta: sp.Expr) -> sp.Expr:
        return theta * scale(below)

    rule = Rule(kernel, tangent, "both norms", ())
    return replace(rule, rests=(_norm_lemma(rule), WIDE))


def _norm_lemma(rule: Rule) -> Step:
    """The rule for three channels over their root mean square, which no single parameter moves among many channels."""
    sizes = sp.symbols("F G", positive=True)
    normed = [
        [value / sp.sqrt(size) for value in features]
        for features, size in zip((F, G, J, H), (*sizes, *sizes), strict=True)
    ]
    return Step(
        "kernel and tangent kernel above layer norm",
        sp.Matrix([_mean(*normed[:2]), _mean(*normed[2:])]),
        sp.Matrix(rule.at((*sizes, _mean(F, G), _mean(J, H)))),
        because="every channel is divided by the root of the same mean square",
        uses=(
            Premise(
                "f/sqrt(F), F the mean of f^2 over n channels, whose mean is 0 and of which a parameter moves F by 1/n"
            ),
        ),
    )

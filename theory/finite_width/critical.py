r"""Fluctuations at large depth where the kernel falls to 0: smooth odd activations such as tanh, erf and sin.

Without biases and with :math:`C \varphi'(0)^2 = 1`, the kernel falls as :math:`1/(\alpha L)`, where :math:`C m_2 = K -
\alpha K^2 + \ldots`, and the tangent kernel approaches :math:`1/\alpha`. To first order in 1/width the relative
variance of either approaches :math:`2L/(3n)`, whatever the activation; their means are below those of infinite width by
:math:`L/(3n)` and :math:`L/(4n)` of these. Measured by ``empirics.experiments.finite_width``.
"""

from typing import NamedTuple

import sympy as sp

from theory.core import ClosedForm, Premise, Status, Step, applied
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.engine import Mean, Recursion
from theory.engine.dense_chain import INDEPENDENT, ORDER
from theory.finite_width.layers import MOMENTS, K, above
from theory.finite_width.symbols import DEPTH, WIDTH, L, n

u, p = sp.symbols("u p", real=True)
alpha = sp.Symbol("alpha", positive=True)

CRITICAL = (
    "biases are 0, and the activation is odd and smooth with critical weights and a negative third derivative at 0: "
    "sqrt(C) phi(u) = u - alpha u^3/6 + p u^5 up to higher powers, with alpha > 0"
)
ASSUMED = (ORDER, INDEPENDENT, "the depth is large")
odd = u - alpha * u**3 / 6 + p * u**5
slope = sp.diff(odd, u)
integrands = (odd**2, odd**4, (odd * slope) ** 2, slope**2, slope**4)
meant = [Mean(value, u, K) for value in integrands]
means = {
    name: sp.expand(mean.doit(), deep=False) for name, mean in zip(MOMENTS, meant, strict=True)
}
NEAR_ZERO = Step(
    "means of the activation where the kernel is small",
    sp.Matrix(list(means.values())),
    sp.Matrix(meant),
    because="Gaussian moments",
    uses=(CRITICAL, theorems.ISSERLIS),
)
KERNEL = above("K", means, {}, uses=(NEAR_ZERO,))
falls = Recursion(
    {K: KERNEL.left}, {K: sp.Symbol("x", positive=True)}, uses=(KERNEL,)
).asymptotics()
(_layer,) = falls.expression.free_symbols - {alpha}
far = falls.expression.xreplace({_layer: L})
"""The kernel above many layers."""
FAR = Step(
    "the kernel far down",
    far,
    sp.Subs(falls.expression, _layer, L),
    "at depth L",
    uses=falls.steps[-1:],
)


class Far(NamedTuple):
    """What a number of a network is above many layers, to leading order."""

    meaning: str
    value: sp.Expr
    power: int
    """That of the depth, up to which it is known: a value of 0 is smaller."""
    forgets: int
    """The number q of the factor 1 - q/L by which a layer multiplies a deviation."""


Theta, nu, g, d, t, b, f, h = STATE = sp.symbols("Theta nu g d t b f h", real=True)
NAMES = dict(zip(("theta", "nu", "g", "d", "t", "b", "f", "h"), STATE, strict=True))
"""Letters by their names in the rule of :func:`theory.engine.finite_tangent`, each after those it depends on."""
FAR_DOWN = {
    Theta: Far("the tangent kernel", 1 / alpha, 0, 1),
    nu: Far("the variance of the kernel", 2 / (3 * alpha**2 * n * L), -1, 4),
    g: Far("the shift of the mean kernel", -1 / (3 * alpha * n), 0, 2),
    d: Far("the covariance of kernel and tangent kernel", sp.S.Zero, 0, 3),
    t: Far("the variance of the mean tangent kernel over its layer", sp.S.Zero, 1, 2),
    b: Far("the mean square of the tangent kernel between units", L / (3 * alpha**2 * n), 1, 2),
    f: Far("its mean product with two units", 1 / (4 * alpha**2 * n), 0, 4),
    h: Far("the shift of the mean tangent kernel", -L / (4 * alpha * n), 1, 1),
}
CARRIED = {
    (nu, K): 4 / (3 * alpha * n),
    (g, K): 2 / (3 * n),
    (g, nu): -alpha,
    (d, Theta): -2 / (3 * alpha * n),
    (b, K): -2 / (3 * alpha * n),
    (b, Theta): 2 / (alpha * n),
    (f, Theta): 1 / (alpha * n),
    (h, K): 1 / (4 * n),
    (h, Theta): 1 / (3 * n),
    (h, d): -alpha,
    (h, f): -2 * alpha,
}
"""What a layer makes in the first number of L^s in the second, known up to less than that: c L^(p - 1); else c = 0."""


def _stays(name: str, letter: sp.Symbol, steps: dict[sp.Symbol, Step]) -> Step:
    """Return the step that a number is what ``FAR_DOWN`` says, from those of the numbers on which it depends."""
    there = FAR_DOWN[letter]
    step = above(name, means, NAMES, uses=(NEAR_ZERO,))
    rule = step.left
    others = [other for other in steps if rule.has(other)]
    at_depth = {K: far, letter: there.value, **{other: FAR_DOWN[other].value for other in others}}
    letters, values = tuple(at_depth), tuple(at_depth.values())
    above_it, at_it = sp.symbols("above at", real=True)
    after = (sp.Subs(rule, letters, values), sp.Subs(there.value, L, L + 1))
    moved = sp.Subs(L ** (1 - there.power) * (above_it - at_it), (above_it, at_it), after)
    factor = at_values(sp.Derivative(rule, letter), letters, values)
    known = {K: -1, **{other: FAR_DOWN[other].power for other in others}}
    carried = {
        other: L ** (1 - there.power + power)
        * at_values(sp.Derivative(rule, other), letters, values)
        for other, power in known.items()
    }
    return Step(
        f"{there.meaning} far down",
        sp.Matrix(
            [
                sp.Limit(moved, L, sp.oo),
                sp.Limit(L * (factor - 1), L, sp.oo),
                *(sp.Limit(value, L, sp.oo) for value in carried.values()),
            ]
        ),
        sp.Matrix([0, -there.forgets, *(CARRIED.get((letter, other), 0) for other in carried)]),
        because="the rule of a layer, at the kernel far down",
        uses=(
            FAR,
            *(steps[other] for other in others),
            Premise(f"{there.meaning} far down, to leading order", there.value),
            theorems.DEVIATIONS,
            step,
            *ASSUMED,
        ),
    )


STAYS: dict[sp.Symbol, Step] = {}
for _name, _letter in NAMES.items():
    STAYS[_letter] = _stays(_name, _letter, STAYS)


def _form(name: str, meaning: str, expression: sp.Expr, definition: Premise) -> ClosedForm:
    letters = tuple(definition.expression.free_symbols)
    values = tuple(far if letter == K else FAR_DOWN[letter].value for letter in letters)
    rests = tuple(STAYS[letter] for letter in letters if letter != K)
    stated = tuple(use for step in rests for use in step.uses or () if isinstance(use, Premise))
    last = applied(
        "far down",
        expression,
        definition,
        dict(zip(letters, values, strict=True)),
        because="to leading order",
        uses=(*([FAR] if K in letters else []), *rests, *stated),
    )
    return ClosedForm(
        name=f"finite_width.{name}",
        meaning=meaning,
        arguments=(WIDTH, DEPTH),
        expression=expression,
        status=Status.DERIVED,
        steps=with_lemmas((last,)),
        assumptions=(*ASSUMED, CRITICAL),
    )


critical_spread = _form(
    "critical_spread",
    "Variance over square of a kernel at a critical point where it falls to 0, above many layers.",
    2 * L / (3 * n),
    Premise("the spread is the variance of the kernel over its square", nu / K**2),
)
critical_shift = _form(
    "critical_shift",
    "Shift of a mean kernel over the kernel, at a critical point where it falls to 0, above many layers.",
    -L / (3 * n),
    Premise("the relative shift is that of the mean over the kernel", g / K),
)
critical_tangent_spread = _form(
    "critical_tangent_spread",
    "Variance over square of a tangent kernel at a critical point where the kernel falls to 0, above many layers.",
    2 * L / (3 * n),
    Premise(
        "the spread is the variance of the tangent kernel, t + 2 b, over its square",
        (t + 2 * b) / Theta**2,
    ),
)
critical_tangent_shift = _form(
    "critical_tangent_shift",
    "Shift of a mean tangent kernel over it, at a critical point where the kernel falls to 0, above many layers.",
    -L / (4 * n),
    Premise("the relative shift is that of the mean over the tangent kernel", h / Theta),
)

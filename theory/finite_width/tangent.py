r"""Mean and variance of the tangent kernel of a random network with one hidden layer at one input; exact.

The network is :math:`f = \sqrt{C/n} \sum_i v_i \varphi(z_i) + \sqrt{C_b}\, c`, :math:`z_i = \sqrt{C}\, w_i \cdot x +
\sqrt{C_b}\, b_i`, with all parameters standard normal; they are what is trained. With the kernel :math:`K = C |x|^2 +
C_b`, the tangent kernel is a sum over independent units,

.. math:: \Theta = C_b + \frac{C}{n} \sum_i \bigl(\varphi(z_i)^2 + K v_i^2 \varphi'(z_i)^2\bigr).

Measured by ``empirics.experiments.finite_width``.
"""

from functools import cache

import sympy as sp

from theory.activations import Activation
from theory.activations.naming import cached, slope_of
from theory.core import ClosedForm, Premise, Status, Step
from theory.core.formula.cancelling import is_compensable
from theory.core.formula.let import bound_letter
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import taking
from theory.engine import Mean
from theory.engine.dense_chain import INDEPENDENT
from theory.engine.inputs import R, r
from theory.engine.width import COUNT, MOMENTS, equal_terms_lemma
from theory.finite_width.symbols import BIASES, WEIGHTS, WIDTH, C, C_b, n
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.moments import second_moment
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v

K = sp.Symbol("K", positive=True)
out, into, h, q, weight = sp.symbols("v w h q u", real=True)
"""Readout weight, weight along the input and its bias together, activation and slope of a unit."""
phi = sp.Function("phi", real=True)
unit = sp.sqrt(C / n) * out * phi(sp.sqrt(K) * into)
term = C / n * (h**2 + K * out**2 * q**2)
"""What a unit adds, in its activation and slope."""
MEANS = tuple(bound_letter(name, real=True) for name in ("s2", "d2", "s4", "sd", "d4"))
"""Means of the squares of phi, phi', phi^2, phi phi' and phi'^2."""
s2, d2, s4, sd, d4 = MEANS

NETWORK = Premise(
    "the output is a sum over units and a bias, all parameters standard normal; what is along the input is one weight",
    unit,
)
TANGENT = Premise(
    "the tangent kernel is the sum of the squared slopes of the output in all parameters"
)
SLOPES = Step(
    "what a unit adds to the tangent kernel",
    sp.Derivative(unit, out) ** 2 + sp.Derivative(unit, into) ** 2,
    sp.Subs(
        term,
        (h, q),
        (phi(sp.sqrt(K) * into), sp.Subs(sp.Derivative(phi(h), h), h, sp.sqrt(K) * into)),
    ),
    because="calculus",
    uses=(NETWORK, TANGENT),
)


def _over(power: int, mean: sp.Expr) -> Step:
    return Step(
        f"mean of power {power} of a term over its readout weight",
        # put in, since a mean has a letter of its own
        Mean(sp.Subs(term, out, weight) ** power, weight, 1),
        mean,
        because="Gaussian moments of the readout weight",
        uses=(SLOPES, INDEPENDENT, theorems.ISSERLIS),
    )


once = h**2 + K * q**2
twice = h**4 + 2 * K * h**2 * q**2 + 3 * K**2 * q**4
FIRST, SECOND = _over(1, C / n * once), _over(2, (C / n) ** 2 * twice)


AT_INPUT = Premise("K = C r + C_b is the variance of the pre-activations of an input", C * r + C_b)


def of_moments(expression: sp.Expr) -> sp.Expr:
    """Return the mean of a polynomial in activation and slope, in the letters of their moments.

    Args:
        expression: polynomial in the symbols ``h`` and ``q`` with even powers.
    """
    letters = {(2, 0): s2, (0, 2): d2, (4, 0): s4, (2, 2): sd, (0, 4): d4}
    return sp.Add(
        *(factor * letters[powers] for powers, factor in sp.Poly(expression, h, q).terms())
    )


_z = sp.Symbol("z", real=True)
_unit, _slope = phi(_z), sp.Derivative(phi(_z), _z)
BY_DEFINITION = {
    mean: Mean(value, _z, K)
    for mean, value in zip(
        MEANS, (_unit**2, _slope**2, _unit**4, (_unit * _slope) ** 2, _slope**4), strict=True
    )
}


def _over_units(expression: sp.Expr) -> sp.Expr:
    """Return the mean over the units of a polynomial in activation and slope, not worked out."""
    return Mean(sp.Subs(expression, (h, q), (_unit, _slope)), _z, K)


def _squares(act: Activation) -> tuple[Activation, ...]:
    """Return the functions whose mean squares are the moments."""
    slope, name = slope_of(act), act.name
    products = {
        f"{name}_squared": act.expression**2,
        f"{name}_times_slope": act.expression * slope.expression,
        f"{slope.name}_squared": slope.expression**2,
    }
    rest = (Activation(label, value, act.kinks) for label, value in products.items())
    return (act, slope, *rest)


@cache
def _moments(act: Activation) -> tuple[tuple[sp.Expr, ...], tuple[Step, ...]]:
    """Return the moments in the variance, and steps from the kernels of these functions."""
    values = []
    steps = []
    for function in _squares(act):
        form, value = kernel_formula(function), second_moment(function)[0]
        values.append(value)
        same = sp.Subs(form.expression, (variance_x, variance_y, covariance), (v, v, v))
        if value.free_symbols and not value.has(sp.Integral) and value != form.expression:
            steps.append(
                Step(f"mean square of {function.name}", value, same, "z' = z", uses=(form,))
            )
    return tuple(values), tuple(steps)


def _form(name: str, act: Activation, meaning: str, rule: sp.Expr, in_moments: Step) -> ClosedForm:
    values, moments = _moments(act)
    at_input = AT_INPUT.expression
    expression = rule.xreplace(
        {mean: value.xreplace({v: K}) for mean, value in zip(MEANS, values, strict=True)}
    )
    if is_compensable(expression):
        is_simple = expression.is_rational_function()
        expression = sp.simplify(expression) if is_simple else compensated(expression)
    expression = expression.xreplace({K: at_input})
    there = (
        sp.Subs(value, v, at_input)
        if value.free_symbols
        else sp.Subs(
            kernel_formula(square).expression,
            (variance_x, variance_y, covariance),
            (at_input,) * 3,
        )
        for square, value in zip(_squares(act), values, strict=True)
    )
    pairs = zip((K, *MEANS), (at_input, *there), strict=True)
    inside = {letter: value for letter, value in pairs if rule.has(letter)}
    meant = sp.Subs(rule, tuple(inside), tuple(inside.values()))
    numbers = (
        kernel_formula(square)
        for square, value, mean in zip(_squares(act), values, MEANS, strict=True)
        if not value.free_symbols and rule.has(mean)
    )
    integrals = (
        Premise(f"mean square of {function.name}, as an integral", value)
        for function, value, mean in zip(_squares(act), values, MEANS, strict=True)
        if value.has(sp.Integral) and rule.has(mean)
    )
    last = taking(
        Step("at the kernel of the input", expression, meant, f"with {act.name}"),
        (*moments, *numbers, *integrals, in_moments, AT_INPUT, act.definition),
    )
    listed = (WIDTH, R, WEIGHTS, BIASES)
    return ClosedForm(
        name=f"finite_width.{name}.{act.name}",
        meaning=f"{meaning} of the tangent kernel at an input, of a random network with one layer of {act.name}.",
        arguments=tuple(a for a in listed if a.symbol in expression.free_symbols),
        expression=expression,
        status=Status.DERIVED,
        steps=with_lemmas((last,)),
        assumptions=(INDEPENDENT, act.definition),
    )


@cached(maxsize=64)
def tangent_mean(act: Activation) -> ClosedForm:
    """Return the mean of the tangent kernel, which does not depend on the width.

    Args:
        act: the activation, its name or an expression in z.

    >>> from theory.activations import RELU
    >>> tangent_mean(RELU).expression
    C*(C*r + C_b) + C_b
    """
    rule = C_b + C * of_moments(once)
    in_moments = Step(
        "in the moments",
        at_values(rule, BY_DEFINITION, BY_DEFINITION.values()),
        C_b + n * _over_units(FIRST.right),
        because="all terms have the same mean",
        uses=(FIRST,),
    )
    return _form("tangent_mean", act, "Mean", rule, in_moments)


@cached(maxsize=64)
def tangent_variance(act: Activation) -> ClosedForm:
    """Return the variance of the tangent kernel over networks.

    Args:
        act: the activation, its name or an expression in z.

    >>> from theory.activations import RELU
    >>> round(float(tangent_variance(RELU)(n=100, r=1, C=2, C_b=0)), 6)  # 3 C^2 K^2/n at K = 2
    0.48
    """
    mean, square = of_moments(once), of_moments(twice)
    m2, m4 = MOMENTS[:2]
    spread = equal_terms_lemma().right.subs({m2: mean, m4: square}, simultaneous=True) * n
    rule = C**2 * watched(spread) / n
    in_moments = Step(
        "in the moments",
        at_values(rule, BY_DEFINITION, BY_DEFINITION.values()),
        n**2
        * sp.Subs(
            equal_terms_lemma().right,
            (m2, m4, COUNT),
            (_over_units(FIRST.right), _over_units(SECOND.right), n),
        ),
        because="n times the mean of n independent terms",
        uses=(FIRST, SECOND, equal_terms_lemma()),
    )
    return _form("tangent_variance", act, "Variance", rule, in_moments)

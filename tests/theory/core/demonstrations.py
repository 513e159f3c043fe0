"""Small closed forms for the tests of the core; none of them is in the catalogue."""

from __future__ import annotations

import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Source, Status, Step, phi1, quotient

a = sp.Symbol("a", positive=True)
b = sp.Symbol("b", nonnegative=True)
x = sp.Symbol("x", real=True)
n = sp.Symbol("n", integer=True, positive=True)
z = sp.Symbol("z", real=True)

A = Argument(a, "a rate", unit="1/time", sample=(0.2, 3))
B = Argument(b, "an offset", sample=(0, 2))
X = Argument(x, "an abscissa")
N = Argument(n, "a count")


def transcribed(expression: sp.Expr, *arguments: Argument, **fields: object) -> ClosedForm:
    """A form without derivation, for tests of what can be computed."""
    return ClosedForm(
        "demonstration.form", "A form.", arguments, expression, Status.TRANSCRIBED, **fields
    )


LARGER_ROOT = x / 2 + sp.sqrt(x**2 / 4 + a)
ROOT_LETTER = sp.Symbol("r", real=True)
QUADRATIC = Premise("r^2 - x r is a", ROOT_LETTER**2 - x * ROOT_LETTER)
ROOT = ClosedForm(
    name="demonstration.root",
    meaning="Larger root of r^2 = x r + a.",
    arguments=(X, A),
    expression=LARGER_ROOT,
    assumptions=("there is a larger root",),
    steps=(
        Step("it is the positive one", LARGER_ROOT, a / (sp.sqrt(x**2 / 4 + a) - x / 2)),
        Step(
            "it is a root",
            sp.Subs(QUADRATIC.expression, ROOT_LETTER, LARGER_ROOT),
            a,
            uses=(QUADRATIC, "there is a larger root"),
        ),
    ),
    sources=(Source("vanrossem2024", "eq. (10)"),),
    status=Status.DERIVED,
)

GAUSSIAN_MEAN = sp.Integral(
    sp.exp(-(z**2) / 2) * sp.tanh(a * z) ** 2, (z, -sp.oo, sp.oo)
) / sp.sqrt(2 * sp.pi)

# Expressions that every backend must agree on, by name: (expression, arguments).
EVERYWHERE = {
    "root": (LARGER_ROOT, (X, A)),
    "constants": (sp.sqrt(2) * x + sp.pi / 3 + sp.E * a - sp.Rational(1, 3), (X, A)),
    "powers": (
        x**7 - a ** sp.Rational(3, 2) + a ** sp.Rational(-5, 2) + (1 + x**2) ** sp.Rational(1, 3),
        (X, A),
    ),
    "exponentials": (sp.exp(-a * x) + sp.tanh(x) * sp.cosh(x / 2) + 2**x + a**x, (X, A)),
    "trigonometric": (sp.sin(x) * sp.cos(a) + sp.atan(x) + sp.asinh(x) + sp.atan2(x, a), (X, A)),
    "normal": (sp.erf(x / sp.sqrt(2)) + sp.erfc(x) * sp.exp(-(x**2)), (X,)),
    "phi1": (phi1(x) + phi1(-a * x), (X, A)),
    "quotient": (quotient(b**2, b) + quotient(x * b, a + b), (X, A, B)),
    "piecewise": (
        sp.Piecewise((sp.log(x) + a, x > 1), (sp.sqrt(1 - x), x > -1), (x * sp.Abs(x), True)),
        (X, A),
    ),
    "nested piecewise": (
        a * sp.Piecewise((sp.Piecewise((x, x > 1), (1, True)), x > 0), (1 + x**2, True)),
        (X, A),
    ),
    "joined conditions": (
        sp.Piecewise((x, (x > 0) & (a > 1)), (a, (x < -1) | (a < sp.Rational(1, 2))), (1, True)),
        (X, A),
    ),
    "extrema": (sp.Max(x, a, 0) + sp.Min(x, 1), (X, A)),
    "integer": (n * x**2 + sp.gamma(n + sp.Rational(1, 2)), (X, N)),
    "constant": (sp.Integer(3), (X,)),
    "no arguments": (sp.sqrt(sp.pi), ()),
}

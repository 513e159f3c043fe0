"""Two lines of Saxe et al. (2014), each held to a verdict; the programs read the printed formulas."""

import sympy as sp
from closedform_deep_linear.modes import a, b, loss, rate, s, t, tau, u, u_0

from theory.core import Finding, Paper, Step
from theory.core.printed import equal

PAPER = Paper("saxe2014", "arXiv:1312.6120", {"u_0": "u_0", "tau": r"\tau"})
strength = sp.Function("u", positive=True)
product_rate = -(b * sp.diff(loss, a) + a * sp.diff(loss, b)) / tau
balanced = {a: sp.sqrt(u), b: sp.sqrt(u)}


def follows_from_descent(printed):
    """The printed rate of the product is that of gradient descent on the loss of one mode."""
    yield Step("the product of balanced layers", printed.rhs.subs(strength(t), u) / tau, product_rate.subs(balanced))


def solves_the_equation(printed):
    """The printed course starts at its initial value and changes at the rate of gradient descent."""
    yield Step("initial value", sp.Subs(printed.rhs, t, 0), u_0)
    yield Step("rate", sp.Derivative(printed.rhs, t), rate.subs(u, printed.rhs))


growth = sp.exp(2 * s * t / tau)
EQUATIONS = (
    PAPER.entry(
        "rate of one mode", "1.2", "How fast a mode is learned by balanced layers.", Finding.CONFIRMED,
        "The product rule on gradient descent.", prove=follows_from_descent,
        printed=equal(tau * sp.Derivative(strength(t), t), 2 * strength(t) * (s - strength(t))),
    ),
    PAPER.entry(
        "course of one mode", "1.2", "The strength of a mode at time t.", Finding.CONFIRMED,
        "Differentiation.", prove=solves_the_equation, printed=equal(strength(t), s * growth / (growth - 1 + s / u_0)),
    ),
)  # fmt: skip

"""One equation of Saxe et al. (2014) with a verdict that the program computes from the printed formula."""

import sympy as sp

from closedform_deep_linear.modes import rate, s, t, tau, u, u_0
from theory.core import Finding, Paper, Step
from theory.core.ledger.printed import equal

PAPER = Paper("saxe2014", "arXiv:1312.6120", {"u_0": "u_0", "tau": r"\tau"})
strength = sp.Function("u", positive=True)


def solves_the_equation(printed):
    """Yield that the printed strength has its initial value and changes at the rate of gradient descent."""
    yield Step("initial value", sp.Subs(printed.rhs, t, 0), u_0)
    yield Step("rate", sp.Derivative(printed.rhs, t), rate.subs(u, printed.rhs))


growth = sp.exp(2 * s * t / tau)
EQUATIONS = (
    PAPER.entry(
        "course of one mode", "1.2", "The strength of a mode at time t.", Finding.CONFIRMED,
        "Differentiation.", prove=solves_the_equation, printed=equal(strength(t), s * growth / (growth - 1 + s / u_0)),
    ),
)  # fmt: skip

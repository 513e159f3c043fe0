"""One equation of Saxe et al. (2014) with a verdict that the program computes from the printed formula."""

import sympy as sp

from closedform_deep_linear.modes import s, strength, t, tau, u_0
from theory.core import Finding, Paper, equal, identity

PAPER = Paper("saxe2014", "arXiv:1312.6120", {"u_0": "u_0", "tau": r"\tau"})
course = sp.Function("u", positive=True)(t)
growth = sp.exp(2 * s * t / tau)

EQUATIONS = (
    PAPER.entry(
        "course of one mode",
        "1.2",
        "The strength of a mode at time t.",
        Finding.CONFIRMED,
        "It is the solution of the gradient flow, whose derivation is checked.",
        prove=identity({course: strength}, "gradient flow"),
        printed=equal(course, s * growth / (growth - 1 + s / u_0)),
    ),
)

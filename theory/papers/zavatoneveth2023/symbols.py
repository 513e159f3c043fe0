"""The symbols of this ledger."""

from __future__ import annotations

import sympy as sp

d = sp.Symbol("d", positive=True)
r = sp.Symbol("r", positive=True)
"""Squared norm of the input."""
sigma = sp.Symbol("sigma", positive=True)
zeta = sp.Symbol("zeta", nonnegative=True)
q = sp.Symbol("q", positive=True)
n = sp.Symbol("n", positive=True)
t = sp.Symbol("t", real=True)
omega, omega1, omega2 = sp.symbols("Omega Omega1 Omega2", real=True)
"""The function Omega of Eq. (5) at ``r``, and its derivatives."""

variance = sigma**2 * r + zeta**2
"""Variance of a preactivation, ``sigma**2 r + zeta**2``."""


def display(letter: str, value: sp.Expr) -> sp.Tuple:
    """The display ``letter = value``; the letter in LaTeX."""
    return sp.Tuple(sp.Eq(sp.Symbol(letter), value, evaluate=False))

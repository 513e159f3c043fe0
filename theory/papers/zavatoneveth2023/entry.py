r"""What all entries of this paper share: its key, the edition that was read, its letters, and its symbols.

The text read is extracted from print and has lost some displays, (A.3) to (A.12) among them, and parts of others.
What is meant is then read from the context and derived; nothing is called a misprint because its extraction is
damaged.
"""

from __future__ import annotations

import sympy as sp

from theory.geometry.paper import EDITION
from theory.papers.ledger import Ledger

PAPER = "zavatoneveth2023"
# The text carries no version number. It cites preprints of March 2023, so it is not the first version, of January 2023,
# and its abstract ("We study how training molds ...") is not that of the third: probably the second.

d = sp.Symbol("d", positive=True)
r = sp.Symbol("r", positive=True)
"""Squared norm of the input."""
sigma = sp.Symbol("sigma", positive=True)
zeta = sp.Symbol("zeta", nonnegative=True)
q = sp.Symbol("q", positive=True)
n = sp.Symbol("n", positive=True)
t = sp.Symbol("t", real=True)
omega, omega1, omega2, omega3 = sp.symbols("Omega Omega1 Omega2 Omega3", real=True)
"""The function Omega of Eq. (5) at ``r``, and its derivatives."""

s = sigma**2 * r + zeta**2
"""Variance of a preactivation, ``sigma**2 r + zeta**2``."""

LETTERS = {
    r: r"\|\mathbf{x}\|^2",
    omega: r"\Omega",
    omega1: r"\Omega'",
    omega2: r"\Omega''",
    omega3: r"\Omega'''",
}

entry = Ledger(PAPER, EDITION, LETTERS).entry


def display(letter: str, value: sp.Expr) -> sp.Tuple:
    """The display ``letter = value``; the letter in LaTeX."""
    return sp.Tuple(sp.Eq(sp.Symbol(letter), value, evaluate=False))


def with_factor(latex: str) -> tuple[str, str]:
    """A display as printed and as corrected, where ``@`` stands for the prefactor 3 that is 1."""
    return latex.replace("@ ", "3 "), latex.replace("@ ", "")

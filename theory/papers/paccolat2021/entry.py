r"""What all entries of this paper share: its key, the edition that was read, the paper's letters for our symbols."""

from __future__ import annotations

import sympy as sp

from theory.compression import ntk, scaling
from theory.compression.paper import EDITION
from theory.papers.ledger import Ledger

PAPER = "paccolat2021"
LETTERS = {
    scaling.xi: r"\xi",
    scaling.d_parallel: r"d_{\parallel}",
    scaling.ell: r"\ell",
    ntk.theta: r"\theta",
    sp.Symbol("omega_1", positive=True): r"\omega_1",
    sp.Symbol("x_min", negative=True): r"x_{\min}",
}
entry = Ledger(PAPER, EDITION, LETTERS).entry

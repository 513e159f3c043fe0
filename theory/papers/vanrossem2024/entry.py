r"""What all entries of this paper share: its key, the edition that was read, the paper's letters for our symbols."""

from __future__ import annotations

import sympy as sp

from theory.papers.ledger import Ledger
from theory.two_point import symbols as s
from theory.two_point.paper import EDITION

PAPER = "vanrossem2024"

LETTERS = {
    s.dh2: r"\|dh\|^2",
    s.dy2: r"\|dy\|^2",
    s.dh2_0: r"\|dh(0)\|^2",
    s.dy2_0: r"\|dy(0)\|^2",
    s.dx2: r"\|x_2-x_1\|^2",
    s.target2: r"\|y_2-y_1\|^2",
    s.mean2_0: r"\|y(0)-\frac{y_2+y_1}{2}\|^2",
    s.tau_h: r"\tau_h",
    s.tau_y: r"\tau_y",
    s.tau_mean: r"\tau_{\bar{y}}",
    sp.Symbol("A_high", real=True): r"A_{\mathrm{high}}",
    sp.Symbol("A_low", positive=True): r"A_{\mathrm{low}}",
}

entry = Ledger(PAPER, EDITION, LETTERS).entry

r"""Appendices G.1 and G.2: tasks, networks and numerical remarks, Eqs. (G.1) to (G.3)."""

from __future__ import annotations

import sympy as sp

from theory.core import identity
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.numerical_methods import (
    is_exclusive_or,
    is_expansion,
    is_near_the_smallest,
    is_the_logarithm,
    vanishes,
)

t = sp.Symbol("t", real=True)
plane, x_n = sp.Function("plane"), sp.Function("x_n")


PROGRAMS: Programs = {
    "(G.1)": is_exclusive_or,
    "Figure G.1 flat": vanishes,
    "G.2 expansion": is_expansion,
    "G.2 edges": identity(
        {
            plane: lambda a, b, c: a * sp.Symbol("x1") + b * sp.Symbol("x2") + c * sp.Symbol("x3"),
            x_n: lambda number: sp.Symbol(f"x{number}"),
        },
        "definition of the plane",
    ),
    "G.2 singular values": is_the_logarithm,
    "G.2 range of float64": is_near_the_smallest,
}

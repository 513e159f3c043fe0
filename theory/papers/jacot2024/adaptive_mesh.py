"""Section 3: steps that adapt to the speed of the representations."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import meshes

layers, l, i = sp.symbols("layers l i", integer=True, positive=True)
multiplier = sp.Symbol("multiplier", real=True)
rho_at, c_at = sp.Function("rho_at", positive=True), sp.Function("c_at", positive=True)

PROGRAMS: Programs = {
    "3 adaptive": meshes.equalises,
    "3 adaptive index": Program(
        meshes.equalises,
        lambda: float((1 / np.array(meshes.SPEEDS) / (1 / np.array(meshes.SPEEDS)).sum())[0]),
        value=lambda formula: evaluate(solved(formula, rho_at(l)), {**meshes.LETTERS, "l": 1, "i": 3}),
    ),
    "3 adaptive update": Program(meshes.settles, lambda: meshes.ratio_after(3.0), value=lambda claim: 1.0),
    "3 large steps": meshes.is_the_distance,
}

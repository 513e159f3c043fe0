"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets".

Eqs. (1) to (16), the displayed formulas of the appendices, footnotes with numbers, sentences on time scales, stability
and exponents. One module for each part, entries in the order of the paper within it.
"""

from __future__ import annotations

from theory.papers.paccolat2021 import appendix_c, information, kernel, learning_curves, model, neuron
from theory.papers.paccolat2021.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *model.EQUATIONS,
    *learning_curves.EQUATIONS,
    *neuron.EQUATIONS,
    *appendix_c.EQUATIONS,
    *kernel.EQUATIONS,
    *information.EQUATIONS,
)

r"""Appendix B.3: Riemann and Ricci tensors for any number of inputs, Eqs. (B.25) to (B.34)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theory.core import Equation, Finding
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023 import curvature_forms as forms
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, lamda, mu, nu
from theory.papers.zavatoneveth2023.letters import Ricci, Riemann, Riemann_up
from theory.papers.zavatoneveth2023.network_values import curvature_witness, of_networks
from theory.papers.zavatoneveth2023.paper import PAPER

SUMMED = (
    "Random networks with two, three and four inputs, summed as printed, against the curvature from the definition: "
    "from all Christoffel symbols."
)
TRIPLED = "Three times too large, as is every curvature that follows from Appendix A; nothing else changes."
lowered, raised = (mu, nu, alpha, beta), (lamda, nu, alpha, beta)


def misprint(
    label: str,
    statement: str,
    form: Callable[[int], Any],
    letter: Callable[..., Any],
    indices: tuple[Any, ...],
    evidence: str = SUMMED,
    **fields: Any,
) -> Equation:
    """An entry for a tensor of which the number 3 in its prefactor is the only fault."""
    return PAPER.entry(
        label,
        "B.3",
        statement,
        Finding.MISPRINT,
        evidence,
        printed=form(3),
        corrected=form(1),
        prove=as_printed(of_networks(), "definition of curvature", indices),
        witness=curvature_witness(letter(*indices), indices),
        consequence=TRIPLED,
        **fields,
    )


PROGRAMS: Programs = {
    "(B.25)": as_printed(of_networks(), "inversion by elimination", (mu, nu)),
    "(B.26)": as_printed(of_networks(), "differences", (alpha, mu, nu)),
    **programs_of(
        (
            misprint(
                "(B.27)",
                "The Riemann tensor from the derivatives of the metric, which quotes Appendix A.",
                forms.riemann_27,
                Riemann,
                lowered,
                SUMMED + " What stands before the bracket is damaged but for its 3; the 4 is that of (A.18).",
                heirs=("(B.28)", "(B.29)", "(B.30)", "(B.32)", "(B.34)", "(B.36)", "(B.40)", "(B.42)", "(B.43)"),
            ),
        )
    ),
    **programs_of(
        (
            misprint(
                "(B.28)",
                "The inverse and the derivatives inserted.",
                forms.riemann_28,
                Riemann,
                lowered,
                SUMMED + " What the 3 is divided by is that of (B.30).",
            ),
        )
    ),
    **programs_of(
        (misprint("(B.29)", "Weights collected with each antisymmetric symbol.", forms.riemann_29, Riemann, lowered),)
    ),
    **programs_of((misprint("(B.30)", "The Riemann tensor in minors.", forms.riemann_30, Riemann, lowered),)),
    **programs_of(
        (misprint("(B.32)", "The Riemann tensor with one index up, in minors.", forms.riemann_32, Riemann_up, raised),)
    ),
    **programs_of((misprint("(B.34)", "The Ricci tensor in minors.", forms.ricci_34, Ricci, (nu, beta)),)),
}

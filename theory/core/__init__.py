"""What every subject is written with; knows no subject itself.

A :class:`ClosedForm` is a formula with its meaning, domain, derivation and source. Its :class:`Step` s are checked by
program. An :class:`Equation` is what a paper printed, with the :class:`Finding` that a program reaches about it.
"""

from __future__ import annotations

from theory.core.closed_form import ClosedForm
from theory.core.derivation import Check, Step, Verdict
from theory.core.domain import Argument, Condition
from theory.core.equation import Equation, Finding, Reading
from theory.core.paper import Paper
from theory.core.provenance import Source, Status, references
from theory.core.special import besselk_scaled, correlation, normal_cdf, normal_pdf, phi1, quotient

__all__ = [
    "Argument",
    "Check",
    "ClosedForm",
    "Condition",
    "Equation",
    "Finding",
    "Paper",
    "Reading",
    "Source",
    "Status",
    "Step",
    "Verdict",
    "besselk_scaled",
    "correlation",
    "normal_cdf",
    "normal_pdf",
    "phi1",
    "quotient",
    "references",
]

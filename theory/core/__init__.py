"""What every subject is written with; knows no subject itself.

A :class:`ClosedForm` is a formula with its meaning, domain, derivation and source. Its :class:`Step` s are checked by
program. An :class:`Equation` is what a paper printed, with the :class:`Finding` that a program reaches about it.
"""

from __future__ import annotations

from theory.core.closed_form import ClosedForm
from theory.core.derivation import Check, Step, Verdict
from theory.core.domain import Argument, Condition
from theory.core.equation import Equation
from theory.core.evidence import for_all
from theory.core.findings import Finding, Outcome, Reading, Witness
from theory.core.measurement import Measurement, measurements
from theory.core.paper import Paper
from theory.core.printed import Approximates, Claim, Given, Scales, Tends, Word, decimal, equal
from theory.core.provenance import Source, Status, references
from theory.core.proving import identity, numerically
from theory.core.special import besselk_scaled, correlation, normal_cdf, normal_pdf, phi1, quotient

__all__ = [
    "Approximates",
    "Argument",
    "Check",
    "Claim",
    "ClosedForm",
    "Condition",
    "Equation",
    "Finding",
    "Given",
    "Measurement",
    "Outcome",
    "Paper",
    "Reading",
    "Scales",
    "Source",
    "Status",
    "Step",
    "Tends",
    "Verdict",
    "Witness",
    "Word",
    "besselk_scaled",
    "correlation",
    "decimal",
    "equal",
    "for_all",
    "identity",
    "measurements",
    "normal_cdf",
    "normal_pdf",
    "numerically",
    "phi1",
    "quotient",
    "references",
]

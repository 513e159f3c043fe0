"""A derivation as one file of Coq: its premises in words, its steps as lemmas, and the axioms on which they rest."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from theory.core.certify.kernel import LIBRARIES
from theory.core.certify.proofs import Lemma, lemmas
from theory.core.certify.verdicts import Authority, Certificate
from theory.core.proof.derivation import Check

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm


def document(form: ClosedForm, certificates: Sequence[Certificate]) -> str:
    """Return the text of a file that Coq compiles.

    Args:
        form: the closed form.
        certificates: one for each step; the file has a lemma for each that the kernel has proved.
    """
    lines = [_comment([f"{form.name}: {form.meaning}", *(f"Rests on {premise}" for premise in form.premises)])]
    lines += [f"Require Import prelude {LIBRARIES}.", "Open Scope R_scope.", ""]
    proved: list[Lemma] = []
    for number, (step, found) in enumerate(zip(form.steps, certificates, strict=True), start=1):
        words = [f"Step {number}, {found}: {step.claim}"]
        words += [f"because: {step.because}"] if step.because else []
        words += [] if isinstance(step, Check) else [step.latex]
        lines.append(_comment(words))
        if found.kind is Authority.KERNEL:
            made = lemmas(step, f"step_{number}")  # type: ignore[arg-type]  # programs have another kind
            proved += made
            lines += [str(lemma) for lemma in made]
        lines.append("")
    return "\n".join([*lines, *_conclusion(proved)])


def _conclusion(proved: Sequence[Lemma]) -> Iterable[str]:
    if not proved:
        return
    statement = " /\\ ".join(lemma.name for lemma in proved)
    proof = f"{proved[-1].name}_holds"
    for lemma in reversed(proved[:-1]):
        proof = f"(conj {lemma.name}_holds {proof})"
    yield from textwrap.wrap(f"Theorem derivation : {statement}.", 110, subsequent_indent="  ")
    yield f"Proof. exact {proof}. Qed."
    yield "Print Assumptions derivation."
    yield ""


def _comment(lines: Iterable[str]) -> str:
    """Return a comment of Coq, in which neither quotes nor the marks of a comment may occur."""
    plain = (re.sub(r"\(\*|\*\)", "* ", line).replace('"', "'") for line in lines)
    wrapped = (part for line in plain for part in textwrap.wrap(line, 110, subsequent_indent="  ") or [""])
    return "(* " + "\n   ".join(wrapped) + " *)"

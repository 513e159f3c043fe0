"""The kernel accepts the proofs of right steps, and of no step in which an error is planted; skipped without Coq."""

from __future__ import annotations

import random
import shutil

import pytest

from tests.theory.test_planted_steps import KINDS, NAMES, planted, steps_of
from theory.core import Step
from theory.core.certify import documents, kernel, verdicts
from theory.core.certify.proofs import lemmas
from theory.core.certify.terms import Unsupported
from theory.core.proof.decision import decide

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqtop") is None, reason=f"needs Coq, as in {kernel.PACKAGES}"),
]
STEPS = 200


def test_no_step_with_a_planted_error_is_proved():
    """One error a step, of a sign, a factor or an exponent in turn; what changes nothing is no error."""
    steps = [step for step in steps_of(NAMES) if len(str(step.left)) + len(str(step.right)) < 600]
    random.Random(0).shuffle(steps)
    wrong = []
    for index, step in enumerate(steps):
        left = next(planted(step.left, KINDS[index % 3]), None)
        if left is None:
            continue
        try:
            made = lemmas(Step(step.claim, left, step.right, where=dict(step.where)), f"planted{index}")
        except (Unsupported, ValueError):
            continue
        wrong.append((step, left, made))
        if len(wrong) == STEPS:
            break
    answers = kernel.accepted([lemma for _, _, made in wrong for lemma in made])
    survivors = [
        (step.claim, left)
        for step, left, made in wrong
        if all(answers[lemma.name] == "" for lemma in made) and decide(step.left, left, step.where) is not True
    ]
    assert len(wrong) >= 0.9 * STEPS
    assert survivors == []


def test_a_file_compiles_and_names_its_axioms():
    import theory

    form = theory.catalogue()["collapse.simplex_nc1"]
    tried, _ = kernel.tried(step for step in form.steps if isinstance(step, Step))
    found = [verdicts.certificate(step, {"steps": tried}) for step in form.steps]
    assert [certificate.kind for certificate in found] == [verdicts.Authority.KERNEL] * len(form.steps)
    axioms, _ = kernel.axioms(documents.document(form, found))
    assert axioms
    assert set(axioms) <= kernel.AXIOMS
    with pytest.raises(ChildProcessError, match="axioms"):
        kernel.axioms("Axiom odd : 1 = 2. Theorem t : 2 = 1. Proof. exact (eq_sym odd). Qed. Print Assumptions t.")
    with pytest.raises(ChildProcessError, match="does not compile"):
        kernel.axioms(documents.document(form, found).replace("Qed.", "Qed", 1))

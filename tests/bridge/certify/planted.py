"""Steps with a planted error, which the kernel must not prove: ``make certificates`` counts them for the record."""

from __future__ import annotations

import random
import sys
from collections import Counter

from bridge.certify import kernel
from bridge.certify.command import record
from tests.theory.test_planted_steps import KINDS, NAMES, planted, steps_of
from theory.core import Step, Verdict
from theory.core.proof import certificates
from theory.core.proof.decision import decide

LONGEST = 600  # characters of both sides of a step


def wrong_steps(number, kinds=KINDS):
    """The kind of the error, the step and the wrong step, for a number of random steps and each kind of error."""
    steps = [
        step for step in steps_of(NAMES) if len(str(step.left)) + len(str(step.right)) < LONGEST
    ]
    random.Random(0).shuffle(steps)
    for step in steps[:number]:
        for kind in kinds:
            left = next(planted(step.left, kind), None)
            if left is not None and left != step.right:
                yield kind, step, Step(step.claim, left, step.right, where=dict(step.where))


def tried(wrong):
    """How many errors of each kind Coq tried, and the steps that it proved although the error matters."""
    reasons, _ = kernel.tried(step for _, _, step in wrong)
    tried_by_coq = {"", kernel.REFUSED, kernel.TOO_SLOW}
    counts = Counter(
        kind for kind, _, step in wrong if reasons[certificates.digest(step)] in tried_by_coq
    )
    survivors = [
        (right.claim, step.left)
        for _, right, step in wrong
        if reasons[certificates.digest(step)] == ""
        and decide(right.left, step.left, right.where).verdict is not Verdict.HOLDS
    ]
    return counts, survivors


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    counts, survivors = tried(list(wrong_steps(number)))
    print(f"{number} steps, planted {counts.total()} ({dict(counts)}), proved {len(survivors)}")
    record(
        planted={
            "steps": number,
            **{kind: counts[kind] for kind in KINDS},
            "proved": len(survivors),
        }
    )

"""A derivation as one file of Coq: its premises as hypotheses, and its steps as lemmas, each an identity of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import sympy as sp

from bridge.certify.kernel import LIBRARIES
from bridge.certify.proofs import Lemma, lemmas
from bridge.certify.terms import Names, Unsupported, text
from bridge.certify.writing import arguments, term
from theory.core.proof.certificates import Authority, Certificate
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import premises_of, way
from theory.core.text.comments import in_comment

if TYPE_CHECKING:
    from theory.core.formula.form import Form

FORMULA = "formula"


def document(form: Form, certificates: Sequence[Certificate]) -> str:
    """Return the text of a file that Coq compiles, with a lemma for each step that the kernel has proved.

    A premise that gives an expression a name, and the formula itself, are functions with a hypothesis that says what
    they are; they stand for their expressions in the statements. What Coq cannot read of a premise is a comment. The
    last theorems collect the identities; how a step follows from those that it uses stands in comments only.
    """
    whole, premises = way(form), premises_of(form)
    number = {node: f"step {i}" for i, node in enumerate(whole.steps, 1)}
    number |= {premise: f"premise {i}" for i, premise in enumerate(premises, 1)}
    expressions = {
        FORMULA: form.expression,
        **{f"premise_{i}": p.expression for i, p in enumerate(premises, 1)},
    }
    hypotheses = {name: _hypothesis(name, value) for name, value in expressions.items()}
    hypotheses = {name: lines for name, lines in hypotheses.items() if lines}
    proved: dict[int, tuple[Lemma, ...]] = {}
    lines = [
        _comment([f"{form.name}: {form.meaning}"]),
        f"Require Import prelude {LIBRARIES}.",
        "Open Scope R_scope.",
    ]
    lines += ["Section derivation.", ""]
    for premise in premises:
        lines += [_comment([f"{number[premise].capitalize()}, {premise}"])]
        lines += hypotheses.get(number[premise].replace(" ", "_"), [])
    lines += [
        "",
        _comment(
            [
                f"The formula, stated by {', '.join(number[whole.steps[i]] for i in whole.conclusions)}"
            ]
        ),
    ]
    lines += [*hypotheses.get(FORMULA, []), ""]
    for index, (step, certificate) in enumerate(zip(whole.steps, certificates, strict=True)):
        lines.append(
            _about(index, step, certificate, [number[node] for node in whole.uses[index]])
        )
        if certificate.kind is Authority.KERNEL:
            named = {
                expressions[name]: name for name in hypotheses if step.mentions(expressions[name])
            }
            proved[index] = lemmas(step, f"step_{index + 1}", named)
            lines += map(str, proved[index])
    lines += ["", *_theorem("identities", list(chain.from_iterable(proved.values())))]
    if set(whole.conclusions) <= set(proved):
        lines += _theorem(
            "identities_of_the_formula",
            list(chain.from_iterable(proved[index] for index in whole.conclusions)),
        )
    return "\n".join(
        [*lines, "End derivation.", *(["Print Assumptions identities."] if proved else []), ""]
    )


def _about(index: int, step: Step | Check, found: Certificate, used: Sequence[str]) -> str:
    """Return the comment on a step: its verdict, its claim and reason, what it uses, and its LaTeX."""
    words = [
        f"Step {index + 1}, {found}: {step.claim}",
        f"because: {step.because}" if step.because else "",
    ]
    words += [
        f"uses {', '.join(used)}" if used else "",
        "" if isinstance(step, Check) else step.latex,
    ]
    return _comment(words)


def _hypothesis(name: str, expression: sp.Expr | None) -> list[str]:
    """Return the lines that give a name to a number as a function of its symbols; none if it is not exported."""
    names = Names()
    if not isinstance(expression, sp.Expr) or not expression.free_symbols or expression.is_Symbol:
        return []
    try:
        written = text(term(expression, names))
    except Unsupported:
        return []
    if names.functions:  # a step holds for all of them
        return []
    bound = [names.of(symbol) for symbol in arguments(expression)]
    return [
        f"Variable {name} : {' -> '.join(['R'] * (len(bound) + 1))}.",
        f"Hypothesis {name}_is : {name} = fun {' '.join(bound)} => {written}.",
    ]


def _theorem(name: str, proved: Sequence[Lemma]) -> Iterable[str]:
    """Return the lines that state and prove a conjunction of lemmas."""
    if not proved:
        return
    *others, last = [f"{lemma.name}_holds" for lemma in proved]
    proof = (
        "".join(f"(conj {name_of_lemma} " for name_of_lemma in others) + last + ")" * len(others)
    )
    statement = " /\\ ".join(lemma.name for lemma in proved)
    yield from textwrap.wrap(f"Theorem {name} : {statement}.", 110, subsequent_indent="  ")
    yield f"Proof. exact {proof}. Qed."


def _comment(lines: Iterable[str]) -> str:
    """Return a comment of Coq, in which neither quotes nor the marks of a comment may occur."""
    plain = (in_comment(line).replace('"', "'") for line in lines if line)
    wrapped = chain.from_iterable(
        textwrap.wrap(line, 110, subsequent_indent="  ") for line in plain
    )
    return "(* " + "\n   ".join(wrapped) + " *)"

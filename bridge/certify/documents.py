"""A derivation as one file of Coq: premises and values as hypotheses, steps as lemmas, the conclusion as a theorem."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import sympy as sp

from bridge.certify.conclusions import Conclusion, values_of
from bridge.certify.kernel import LIBRARIES
from bridge.certify.proofs import Lemma, lemmas
from bridge.certify.statements import Statement, statements
from bridge.certify.terms import Names, Unsupported, text
from bridge.certify.writing import arguments, term
from theory.core.proof.certificates import Authority, Certificate, of_cited
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import Way, premises_of, way
from theory.core.text.comments import in_comment

if TYPE_CHECKING:
    from theory.core.formula.form import Form

FORMULA, IDENTITIES, CONCLUSION = "formula", "identities", "conclusion"


def document(
    form: Form,
    certificates: Sequence[Certificate],
    concluding: bool = True,
    record: Mapping[str, Any] | None = None,
) -> str:
    """Return the text of a file that Coq compiles, with a lemma for each step that the kernel has proved.

    A premise that gives an expression a name, and the formula itself, are functions with a hypothesis that says what
    they are, as are values that steps take from each other; they stand for their expressions in the statements. What
    Coq cannot read of a premise is a comment. A theorem collects the identities. The last one is the conclusion, from
    which :mod:`bridge.certify.conclusions` has removed the values; where a step is used in words alone, or is not
    proved, there is none, and a comment says why.

    Args:
        form: the closed form.
        certificates: by whom each of its steps is decided.
        concluding: whether to write the conclusion. Default: True.
        record: verdicts on the steps of closed forms that are premises. Default: those of the package.
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
    named = {expressions[name]: name for name in reversed(hypotheses)}
    kernel = [
        i for i, certificate in enumerate(certificates) if certificate.kind is Authority.KERNEL
    ]
    values = values_of(whole, kernel, named)
    of_values = {value: _hypothesis(letter.name, value) for value, letter in values.items()}
    named |= {value: letter.name for value, letter in values.items() if of_values[value]}
    lines = [
        _comment([f"{form.name}: {form.meaning}"]),
        f"Require Import prelude calculus {LIBRARIES}.",
        "Open Scope R_scope.",
        "Section derivation.",
        "",
    ]
    for premise in premises:
        about = f" ({of_cited(premise.form, record)})" if premise.form else ""
        lines += [_comment([f"{number[premise].capitalize()}, {premise}{about}"])]
        lines += hypotheses.get(number[premise].replace(" ", "_"), [])
    stating = ", ".join(number[whole.steps[i]] for i in whole.conclusions)
    lines += ["", _comment([f"The formula, stated by {stating}"])]
    lines += [*hypotheses.get(FORMULA, []), ""]
    lines += [
        _comment(["Values that steps take from each other"]),
        *chain.from_iterable(of_values.values()),
        "",
    ]
    of_steps, proved, made = _steps(whole, certificates, named, number)
    lines += [*of_steps, "", *_theorem(IDENTITIES, proved)]
    conclusion = Conclusion(whole, made, named, values.values()) if concluding else None
    lines += [*_concluded(conclusion), "End derivation."]
    theorems = [IDENTITIES] * bool(proved) + [CONCLUSION] * is_concluded("\n".join(lines))
    return "\n".join([*lines, *(f"Print Assumptions {name}." for name in theorems), ""])


def _steps(
    whole: Way,
    certificates: Sequence[Certificate],
    named: Mapping[Any, str],
    number: Mapping[Any, str],
) -> tuple[list[str], list[Lemma], dict[str, Statement]]:
    """Return the lines of all steps, with the lemmas of those that are proved, and their statements by name."""
    lines: list[str] = []
    proved: list[Lemma] = []
    made: dict[str, Statement] = {}
    for index, (step, certificate) in enumerate(zip(whole.steps, certificates, strict=True)):
        used = [number[node] for node in whole.uses[index]]
        lines.append(_about(index, step, certificate, used))
        if certificate.kind is Authority.KERNEL:
            inside = {value: name for value, name in named.items() if step.mentions(value)}
            made |= {s.name: s for s in statements(step, f"step_{index + 1}", inside)}
            of_step = lemmas(step, f"step_{index + 1}", inside)
            proved += of_step
            lines += map(str, of_step)
    return lines, proved, made


def _concluded(conclusion: Conclusion | None) -> Iterator[str]:
    """Yield the parts of a conclusion and the theorem that collects them, or a comment that says why there is none."""
    try:
        parts = conclusion.lemmas() if conclusion else []
    except Unsupported as problem:
        yield _comment([f"No theorem {CONCLUSION}: {problem}"])
    else:
        yield from map(str, parts)
        yield from _theorem(CONCLUSION, parts)


def is_concluded(document: str) -> bool:
    """Return whether a file has the theorem that is the conclusion."""
    return f"\nTheorem {CONCLUSION} :" in document


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

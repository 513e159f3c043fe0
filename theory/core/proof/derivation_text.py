"""Derivations as text for a terminal, and in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from theory.core.formula.form import Form
from theory.core.proof.certificates import certificate, is_concluded, of_cited
from theory.core.proof.derivation import Step
from theory.core.proof.premises import Node, Premise, way
from theory.core.text.render import WIDTH, latex, wrapped


def derivation_text(form: Form, width: int = WIDTH) -> str:
    """Return the steps of a derivation as text, numbered, each with what it uses and by whom it is decided.

    Args:
        form: the closed form with its steps.
        width: largest number of columns. Default: 100.
    """
    whole = way(form)
    number = {step.claim: str(index) for index, step in enumerate(whole.steps, 1)}
    parts = []
    for step, used in zip(whole.steps, whole.uses, strict=True):
        names = [
            *earlier_steps(used, number),
            *(_premise(n) for n in used if isinstance(n, Premise)),
        ]
        first, *rest = step.text(width - 4, form.letters).splitlines()
        uses = [f"  uses {names[0]}", *(f"       {name}" for name in names[1:])] if names else []
        uses.append(f"  checked: {certificate(step)}")
        rest += list(chain.from_iterable(wrapped(row, width - 4, " " * 9) for row in uses))
        parts.append(
            "\n".join([f"{number[step.claim]:>2}. {first}", *(f"    {line}" for line in rest)])
        )
    return "\n\n".join([*parts, *wrapped(about_conclusion(form), width, "  ")])


def _premise(premise: Premise) -> str:
    """Return a premise in words, with what is known of the steps of a closed form."""
    return f"{premise} ({of_cited(premise.form)})" if premise.form else str(premise)


def about_conclusion(form: Form) -> str:
    """Return by whom it is proved that the formula follows from the premises."""
    if is_concluded(form):
        return "The kernel of Coq has proved the conclusion from the premises."
    return "Identities are checked as said; that they form a derivation is checked of the last step and read by people."


def earlier_steps(used: Sequence[Node], number: Mapping[str, str]) -> list[str]:
    """Return by their numbers the earlier steps of which a step takes a value, if there are any.

    Args:
        used: what it uses.
        number: number of each step by its claim.
    """
    taken = [number[node.claim] for node in used if not isinstance(node, Premise)]
    return [f"a value of step {', '.join(taken)}"] if taken else []


def steps_latex(form: Form) -> str:
    """Return the derivation in LaTeX: each identity in the letters of the arguments, below a comment with its claim."""
    parts = []
    for step in form.steps:
        reason = f" ({step.because})" if step.because else ""
        identity = "% a program decides"
        if isinstance(step, Step):
            identity = f"{latex(step.left, form.arguments)} = {latex(step.right, form.arguments)}"
        parts.append(f"% {step.claim}{reason}\n{identity}")
    return "\n\n".join(parts)

"""The way from the network to a formula, drawn as a tree from the formula down to the premises."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from theory.core.proof.premises import Premise, way

if TYPE_CHECKING:
    from theory.core.formula.form import Form

WIDTH = 80


@dataclass(frozen=True)
class Branch:
    """The number of a step or the letter of a premise, its words where they are new, and what it uses below it."""

    label: str
    below: tuple[Branch, ...] = ()


def tree(form: Form) -> Branch:
    """Return the formula with the steps that state it, and below each step what it uses."""
    whole = way(form)
    index = {step.claim: number for number, step in enumerate(whole.steps)}
    letters: dict[Premise, str] = {}
    seen: set[Any] = set()

    def branch(node: Any) -> Branch:
        seen.add(node if isinstance(node, Premise) else node.claim)
        if isinstance(node, Premise):
            return Branch(
                f"[{letters.setdefault(node, _letter(len(letters)))}] {node}", below(node.premises)
            )
        return Branch(
            f"{index[node.claim] + 1}. {node.claim}", below(whole.uses[index[node.claim]])
        )

    def below(nodes: Sequence[Any]) -> tuple[Branch, ...]:
        branches, again = [], []
        for node in nodes:
            if (node if isinstance(node, Premise) else node.claim) not in seen:
                branches.append(branch(node))
            else:
                again.append(
                    f"[{letters[node]}]"
                    if isinstance(node, Premise)
                    else str(index[node.claim] + 1)
                )
        return (*branches, *([Branch(f"{', '.join(again)} above")] if again else []))

    used = [
        node for i in whole.conclusions for node in whole.uses[i] if not isinstance(node, Premise)
    ]
    inside = {index[node.claim] for node in used}
    stated = below([whole.steps[i] for i in whole.conclusions if i not in inside])
    asides = tuple(
        Branch(
            f"side remark, {step.aside}: {index[step.claim] + 1}. {step.claim}",
            below(whole.uses[number]),
        )
        for number, step in enumerate(whole.steps)
        if number not in whole.reached
    )
    return Branch(f"{form.name}: {form.meaning}", (*stated, *asides))


def text(form: Form, width: int = WIDTH) -> str:
    """Return the tree for a terminal, with at most ``width`` columns."""
    return "\n".join(_lines(tree(form), "", "", width))


def _lines(branch: Branch, first: str, rest: str, width: int) -> Iterator[str]:
    hanging = "│  " if branch.below else "   "
    wrapped = textwrap.wrap(branch.label, max(width - len(rest) - 3, 20), break_on_hyphens=False)
    yield first + wrapped[0]
    yield from (rest + hanging + line for line in wrapped[1:])
    for number, child in enumerate(branch.below):
        is_last = number == len(branch.below) - 1
        yield from _lines(
            child,
            rest + ("└─ " if is_last else "├─ "),
            rest + ("   " if is_last else "│  "),
            width,
        )


def _letter(number: int) -> str:
    return (
        ascii_lowercase[number]
        if number < len(ascii_lowercase)
        else f"{_letter(number // 26 - 1)}{_letter(number % 26)}"
    )

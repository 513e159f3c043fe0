"""What a derivation starts from, and what each of its steps uses.

The premises of a derivation are definitions (of the network, of the data, of the quantity), assumptions, and other
closed forms. Together with the steps they form a graph without cycles, which ends in the formula.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from closedform import checks
from theory.core.formula.form import Form
from theory.core.formula.provenance import Source, reference
from theory.core.proof.values import takes


class Kind(enum.Enum):
    """The kinds of premises."""

    DEFINITION = "definition"
    """The meaning of a letter: what the network computes, how it is trained, how the data are drawn."""
    ASSUMPTION = "assumption"
    """Something that may be wrong of a network; the closed form has it among its assumptions."""
    CLOSED_FORM = "closed form"
    """Another closed form, which has a derivation of its own."""
    THEOREM = "theorem"
    """A theorem that is quoted and not proved here; ``theory.core.proof.theorems`` has them all."""


@dataclass(frozen=True)
class Premise:
    """Something from which a derivation starts.

    Args:
        text: a definition, an assumption or a theorem in words, or the name of a closed form.
        expression: expression or matrix that a definition gives a name to; the steps that use the premise contain it.
            Default: none.
        kind: kind of the premise. Default: a definition.
        form: the closed form, if the premise is one.
        source: where a theorem is proved. Default: none, for all else.

    Raises:
        TypeError: if the text is none, or the expression is text.
        ValueError: if the text is empty, a theorem has no source, or something else has one.

    >>> import theory
    >>> theory.catalogue()["two_point.final_distance"].premises[0].kind.value
    'closed form'
    """

    text: str
    expression: Any = None
    kind: Kind = Kind.DEFINITION
    form: Form | None = field(default=None, compare=False, repr=False)
    source: Source | None = None

    def __post_init__(self) -> None:
        checks.text("text of a premise", self.text)
        if isinstance(self.expression, str):
            raise TypeError(
                f"expression of {self.text!r}: got {checks.shown(self.expression)}, needs an expression or a matrix"
            )
        if (self.kind is Kind.THEOREM) is not (self.source is not None):
            raise ValueError(
                f"source of {self.text!r}: got {self.source} for a {self.kind.value}, needs a source for a theorem and "
                "for nothing else"
            )
        if hasattr(self.expression, "as_immutable"):
            object.__setattr__(self, "expression", self.expression.as_immutable())

    @property
    def premises(self) -> tuple[Premise, ...]:
        """What a premise that is a closed form rests on."""
        return premises_of(self.form) if self.form else ()

    def __str__(self) -> str:
        if self.source is None:
            return f"{self.kind.value}: {self.text}"
        title = reference(self.source.key)["title"]
        place = f"{self.source.citation}, {title}, {self.source.locator}"
        return f"{self.kind.value}, not proved here: {self.text} ({place})"


Node = Any
"""A step, a check or a premise."""


@dataclass(frozen=True)
class Way:
    """The way from the premises to the formula."""

    steps: tuple[Node, ...]
    uses: tuple[tuple[Node, ...], ...]  # for each step the premises and earlier steps that it uses
    # indices of the last step and of all steps that contain the expression
    conclusions: tuple[int, ...]

    @property
    def premises(self) -> tuple[Premise, ...]:
        """The premises in the order of their first use."""
        return tuple(
            dict.fromkeys(node for used in self.uses for node in used if isinstance(node, Premise))
        )

    @property
    def reached(self) -> frozenset[int]:
        """Indices of the steps from which the formula follows."""
        index = {step.claim: i for i, step in enumerate(self.steps)}
        found, waiting = set(self.conclusions), list(self.conclusions)
        while waiting:
            below = {
                index[node.claim]
                for node in self.uses[waiting.pop()]
                if not isinstance(node, Premise)
            }
            waiting += below - found
            found |= below
        return frozenset(found)


def way(form: Form) -> Way:
    """Return the way from the premises to the formula; ValueError if a step uses what neither it nor the form has.

    It is found once for each form, whose checks and texts all ask for it.
    """
    known: Way | None = form.__dict__.get("_way")
    if known is None:
        known = form.__dict__["_way"] = _searched(form)
    return known


def _searched(form: Form) -> Way:
    earlier: dict[str, Node] = {}
    uses = []
    for step in form.steps:
        if step.uses is None:
            used = _taken_from(step, earlier.values())
        else:
            _require_namesakes(form, step, earlier)
            nodes = _taken_from(step, step.uses)
            used = [_resolved(form, step, item, earlier) for item in nodes]
        uses.append(tuple(dict.fromkeys(used)))
        earlier[step.claim] = step
    # a number is in too many steps to be what they state
    is_stated = bool(form.expression.free_symbols)
    last = len(form.steps) - 1
    states = [
        i
        for i, step in enumerate(form.steps)
        if i == last
        or (is_stated and hasattr(step, "mentions") and step.mentions(form.expression))
    ]
    return Way(tuple(form.steps), tuple(uses), tuple(states))


def premises_of(form: Form) -> tuple[Premise, ...]:
    """Return definitions, assumptions and closed forms from which a derivation starts, in the order of their use.

    Args:
        form: the formula with its steps; its own assumptions come last.
    """
    assumed = (Premise(sentence, kind=Kind.ASSUMPTION) for sentence in form.assumptions)
    return tuple(dict.fromkeys((*way(form).premises, *assumed)))


def concluding(form: Form) -> tuple[Node, ...]:
    """Return the steps that state the formula, for a step of another derivation that rests on them."""
    whole = way(form)
    return tuple(whole.steps[index] for index in whole.conclusions)


def ends(steps: Sequence[Node]) -> tuple[Node, ...]:
    """Return the steps from which nothing follows yet, for the step of a family that rests on all of them."""
    used = {
        item.claim
        for number, step in enumerate(steps)
        for item in _taken_from(step, steps[:number] if step.uses is None else step.uses)
        if hasattr(item, "claim")
    }
    return tuple(step for step in steps if step.claim not in used and not step.aside)


def require_connected(form: Form) -> None:
    """Raise ValueError for a step from which nothing follows and that does not say why it is a side remark."""
    whole = way(form)
    for index, step in enumerate(whole.steps):
        if index not in whole.reached and not step.aside:
            raise ValueError(
                f"step {step.claim!r} of {form.name}: got no later step that uses it and has a value of it, needs one, "
                "or the reason why it is a side remark in aside"
            )


def with_lemmas(steps: Iterable[Node]) -> tuple[Node, ...]:
    """Return steps with the lemmas of which they have values before them, each once."""
    known: dict[str, Any] = {}

    def visit(step: Node) -> None:
        if known.get(step.claim, step) != step:
            raise ValueError(
                f"name: got {step.claim!r}, which is the claim of a lemma, needs another name"
            )
        if step.claim not in known:
            for item in _taken_from(step, step.uses or ()):
                if hasattr(item, "claim"):
                    visit(item)
            known[step.claim] = step

    for step in steps:
        visit(step)
    return tuple(known.values())


def _taken_from(step: Node, nodes: Iterable[Node]) -> list[Node]:
    """Return premises as they are, and those steps of which a step has a value: a name alone connects nothing."""
    return [node for node in nodes if not hasattr(node, "claim") or takes(step, node)]


def _require_namesakes(form: Form, step: Node, earlier: dict[str, Node]) -> None:
    """Raise ValueError if a step names another that says something else than the one of that claim before it."""
    for item in step.uses:
        claim = getattr(item, "claim", None)
        if claim in earlier and item != earlier[claim]:
            raise ValueError(
                f"step {step.claim!r} of {form.name}: got a step {claim!r} that says something else than the step of "
                "that name before it, needs that one"
            )


def _resolved(form: Form, step: Node, item: Any, earlier: dict[str, Node]) -> Node:
    if isinstance(item, Premise):
        return item
    if isinstance(item, str):
        if item not in form.assumptions:
            raise ValueError(
                f"step {step.claim!r} of {form.name}: got {item!r}, needs one of its assumptions, "
                f"such as assumptions=({item!r},)"
            )
        return Premise(item, kind=Kind.ASSUMPTION)
    if hasattr(item, "claim"):
        if item.claim not in earlier:
            raise ValueError(
                f"step {step.claim!r} of {form.name}: got {item.claim!r}, needs a step before it"
            )
        return earlier[item.claim]
    return Premise(item.name, item.expression, Kind.CLOSED_FORM, item)

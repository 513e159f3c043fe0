"""The conclusion of a derivation in Coq: the last step, with its values replaced by what earlier steps say they are.

A value that one step takes from another has a name, as premises and the formula have. Where it is a side of a step, the
lemma of that step replaces it by the other side, which consists of premises and of values of steps before, and so on.
Where a step says something about a value inside it, such as an eigenvalue, the conclusion says this step, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from bridge.certify.proofs import Lemma
from bridge.certify.rewriting import Rewriting, Side
from bridge.certify.statements import Statement, scalars
from bridge.certify.terms import Names, Term, Unsupported, rebuilt, reduced, substituted
from bridge.certify.writing import applied, arguments, term
from theory.core.formula.subexpressions import distinct
from theory.core.proof.derivation import Step
from theory.core.proof.premises import Premise, Way
from theory.core.proof.values import stated, takes


@dataclass(frozen=True)
class Value:
    """A value that a step takes from an earlier one, its name in Coq, and where it is a side, if it is."""

    name: str
    expression: sp.Expr
    side: Side | None


def values_of(
    whole: Way, proved: Collection[int], named: Collection[sp.Expr]
) -> dict[sp.Expr, Value]:
    """Return the values that steps take from each other, by their expressions.

    Args:
        whole: the way from the premises to the formula.
        proved: indices of the steps that the kernel proves.
        named: expressions that have a name already, premises and the formula.
    """
    index = {step.claim: number for number, step in enumerate(whole.steps)}
    taken: dict[sp.Expr, None] = {}
    for number in sorted(proved):
        parts: set[Any] = set()
        for pair in scalars(whole.steps[number]):
            parts.update(distinct(pair[0]), distinct(pair[1]))
        for node in whole.uses[number]:
            if not isinstance(node, Premise) and index[node.claim] in proved:
                shared = [value for value in stated(node) & parts if _is_named(value)]
                taken |= dict.fromkeys(sorted(shared, key=sp.default_sort_key))
    return {
        value: Value(f"value_{number}", value, _side(value, whole.steps, proved))
        for number, value in enumerate((value for value in taken if value not in named), 1)
    }


def _is_named(value: Any) -> bool:
    """Return whether a value gets a name: a number, and no letter times a number."""
    return isinstance(value, sp.Expr) and not value.as_coeff_Mul()[1].is_Symbol


def _side(value: sp.Expr, steps: Sequence[Any], proved: Collection[int]) -> Side | None:
    """Return the first proved identity that has the value as a side."""
    for number in sorted(proved):
        if value.free_symbols & set(steps[number].where):
            continue  # it is a side at these values alone
        for lemma, (left, right) in identities(steps[number], f"step_{number + 1}"):
            other = right if value == left else left
            if value in (left, right) and value not in set(distinct(other)):
                return Side(number, lemma, other, value == left)
    return None


def identities(step: Step, name: str) -> list[tuple[str, tuple[sp.Expr, sp.Expr]]]:
    """Return the identities between numbers that a step consists of, with the names of their lemmas."""
    pairs = [pair for pair in scalars(step) if pair[0] != pair[1]]
    many = len(pairs) > 1
    return [(f"{name}_{n}" if many else name, pair) for n, pair in enumerate(pairs, 1)]


class Conclusion:
    """The parts of the conclusion of one derivation, each a lemma.

    Args:
        whole: the way from the premises to the formula.
        made: the statements of the proved steps, by the names of their lemmas.
        quantities: all that has a name in Coq: premises, the formula and values.
        values: the values.
    """

    def __init__(
        self,
        whole: Way,
        made: Mapping[str, Statement],
        quantities: Mapping[Any, str],
        values: Collection[Value],
    ) -> None:
        self._whole, self._made = whole, made
        self._names = Names(quantities)
        self._bodies = {name: self._body(value) for value, name in quantities.items()}
        self._unfold = "".join(f" rewrite ?{name}_is;" for name in quantities.values())
        by_side = [value for value in values if value.side]
        self._values = sorted(by_side, key=lambda value: -value.side.step)  # type: ignore[union-attr]
        self._covered: set[int] = set()

    def lemmas(self) -> list[Lemma]:
        """Return the parts; Unsupported if one has no proof, or a step of the way is not in any of them."""
        index = {step.claim: number for number, step in enumerate(self._whole.steps)}
        waiting, seen = list(self._whole.conclusions), set[int]()
        made: list[Lemma] = []
        while waiting:
            number = waiting.pop()
            step, before = self._whole.steps[number], set(self._covered)
            if not isinstance(step, Step) or number in self._covered:
                continue
            self._covered.add(number)
            for lemma, pair in identities(step, f"step_{number + 1}"):
                if lemma not in self._made:
                    raise Unsupported(f"step {number + 1} is not proved by the kernel")
                made.append(self._part(f"conclusion_{len(made) + 1}", lemma, step, pair))
            for new in sorted(self._covered - before - seen):
                seen.add(new)
                used = [n for n in self._whole.uses[new] if not isinstance(n, Premise)]
                waiting += [index[n.claim] for n in used if takes(self._whole.steps[new], n)]
        missing = [str(number + 1) for number in sorted(self._whole.reached - self._covered)]
        if missing:
            raise Unsupported(f"step {', '.join(missing)} is used in words alone")
        return made

    def _part(self, name: str, lemma: str, step: Step, pair: tuple[sp.Expr, sp.Expr]) -> Lemma:
        writer = Rewriting(self._names, self._made, self._bodies, self._unfold)
        left, right = (self._written(side, step) for side in pair)
        writer.begin(lemma, left, right)
        for value in self._values:
            side = value.side
            if side and writer.has(value.name):
                source = self._whole.steps[side.step]
                other = self._written(side.other, source)
                letters = tuple(map(self._names.of, arguments(value.expression)))
                writer.replace(value.name, letters, other, side)
                self._covered.add(side.step)
        return writer.end(name)

    def _written(self, side: sp.Expr, step: Step) -> Term:
        whole = term(side, self._names)
        if step.where:
            values = {old: term(new, self._names) for old, new in step.where.items()}
            whole = applied(side, values, self._names)
        return _with_names(whole)

    def _body(self, value: sp.Expr) -> tuple[tuple[str, ...], Term]:
        plain = Names()
        letters = tuple(plain.of(symbol) for symbol in arguments(value))
        return letters, reduced(term(value, plain))


def _with_names(whole: Term) -> Term:
    """Return the term with functions applied to their values, and what has a name in Coq as a function of that name."""
    whole = rebuilt(whole, _with_names)
    if whole[0] != "app":
        return whole
    if len(whole) > 4:
        return ("fn", whole[4], *whole[3])
    return substituted(whole[2], dict(zip(whole[1], whole[3], strict=True)))

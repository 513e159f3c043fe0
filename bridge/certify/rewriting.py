"""An equation of Coq that the lemmas of a derivation rewrite: a value becomes the other side of the lemma that has it.

Within a derivative a lemma is used at all points nearby, where what it needs is asked for at the point itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sympy as sp

from bridge.certify.proofs import Lemma, require_satisfiable
from bridge.certify.statements import OF_GAMMA, Hypothesis, Statement, known, written
from bridge.certify.terms import (
    BINDERS,
    Names,
    Term,
    Unsupported,
    inside,
    parts_of,
    rebuilt,
    substituted,
    text,
)

LONGEST = 60_000  # characters of one part


class Side(NamedTuple):
    """Where a value is one side of a proved identity: the step, the identity's lemma, the other side, and which."""

    step: int
    lemma: str
    other: sp.Expr
    is_left: bool


class Rewriting:
    """The proof of one part: the equation ``C`` in the context, which the lemmas of earlier steps rewrite."""

    def __init__(
        self,
        names: Names,
        made: Mapping[str, Statement],
        bodies: Mapping[str, tuple[tuple[str, ...], Term]],
        unfold: str,
    ) -> None:
        self._names, self._made, self._bodies, self._unfold = names, made, bodies, unfold
        self._given: dict[str, Hypothesis] = {}
        self._assumed: Mapping[str, str] = {}
        self._used: set[str] = set()
        self._lines: list[str] = []
        self._sides: tuple[Term, Term] = (("num", 0), ("num", 0))
        self._number = 0

    def begin(self, lemma: str, left: Term, right: Term) -> None:
        """Begin with a lemma in its own letters."""
        self._sides = (left, right)
        by = self._instance(lemma, {}, self._given)
        self._lines.append(f"assert (C : {text(left)} = {text(right)}) by ({by}).")

    def has(self, name: str) -> bool:
        """Return whether the equation has a value in it."""
        return any(part[:2] == ("fn", name) for side in self._sides for part in inside(side))

    def replace(self, name: str, letters: Sequence[str], other: Term, side: Side) -> None:
        """Replace a value by the other side of a lemma, outside of derivatives first."""
        while free := next((v for s in self._sides for v in _calls(s, name, outside=True)), None):
            new = substituted(other, dict(zip(letters, free[2:], strict=True)))
            at = dict(zip(letters, free[2:], strict=True))
            by = self._instance(side.lemma, at, self._given)
            self._rewrite(free, new, by if side.is_left else f"symmetry; {by}", "V")
        while whole := next((d for s in self._sides for d in _slopes(s, name)), None):
            new, by, conditions = self._nearby(whole, name, letters, other, side)
            self._given |= {key: (r, self._explicit(h)) for key, (r, h) in conditions.items()}
            self._rewrite(whole, new, by, "D")
        if self.has(name):
            raise Unsupported("a value within a limit or a sum")

    def _nearby(
        self, whole: Term, name: str, letters: Sequence[str], other: Term, side: Side
    ) -> tuple[Term, str, dict[str, Hypothesis]]:
        """Return a derivative with a value replaced in its body, the tactic for it, and what it needs at the point."""
        _, bound, body, point = whole
        lines, needed = [], dict[str, Hypothesis]()
        while inner := next(_slopes(body, name), None):
            new, by, inner_needs = self._nearby(inner, name, letters, other, side)
            needed |= inner_needs
            lines.append(f"replace ({text(inner)}) with ({text(new)}) by (symmetry; {by})")
            body = _exchanged(body, inner, new)
        while call := next(_calls(body, name, outside=True), None):
            at = dict(zip(letters, call[2:], strict=True))
            new = substituted(other, at)
            by = self._instance(side.lemma, at, needed)
            by = by if side.is_left else f"symmetry; {by}"
            lines.append(f"replace ({text(call)}) with ({text(new)}) by (symmetry; {by})")
            body = _exchanged(body, call, new)
        conditions, there = list[Hypothesis](), dict[str, Hypothesis]()
        for relation, whole_condition in needed.values():
            here_too = relation, whole_condition
            if ("var", bound) in inside(whole_condition):
                conditions.append(("<" if relation == "<=" else relation, whole_condition))
                at_point = substituted(whole_condition, {bound: self._explicit(point)})
                here_too = conditions[-1][0], at_point
            there.setdefault(written(here_too), here_too)
        words = [written(condition) for condition in conditions]
        pattern = "".join(f"[N{n}_{bound} " for n in range(len(words))) + "_" + "]" * len(words)
        nearby = " /\\ ".join([*words, "True"])
        away = f"intros {bound} {pattern}; cbv beta; {'; '.join([*lines, 'reflexivity'])}"
        here = f"{self._unfold} cbv beta; near"
        by = f"apply (nearby (fun {bound} => {nearby})); [{here} | {away}]"
        return ("derive", bound, body, point), by, there

    def end(self, name: str) -> Lemma:
        """Return the lemma that the equation, as it is now, holds."""
        left, right = self._sides
        identity = f"{text(left, 1)} = {text(right, 1)}"
        if len(identity) > LONGEST:
            raise Unsupported("a conclusion that is too long")
        for whole in (left, right, *(h for _, h in self._given.values())):
            self._used |= {part[1] for part in inside(whole) if part[0] == "var"}
        symbols = {key: s for key, s in self._names.symbols.items() if key in self._used}
        functions = self._names.functions
        given = {f"H{n}": h for n, h in enumerate(dict.fromkeys(self._given.values()), 1)}
        binders = [f"({f} : {' -> '.join(['R'] * (n + 1))})" for f, n in functions.items()]
        binders += [f"({' '.join(symbols)} : R)"] if symbols else []
        head = f"forall {' '.join(binders)},\n  " if binders else ""
        lines = [*(f"({fact}) ->" for fact in self._assumed.values())]
        lines += [*(f"{written(h)} ->" for h in given.values()), identity]
        intros = (*functions, *symbols, *self._assumed, *given)
        statement = Statement(
            name, head + "\n  ".join(lines), (left, right), self._names, given, symbols, intros
        )
        require_satisfiable(statement)
        begin = [f"unfold {name}.", *([f"intros {' '.join(intros)}."] if intros else [])]
        return Lemma(name, statement.proposition, (*begin, *self._lines, "exact C."))

    def _rewrite(self, old: Term, new: Term, by: str, letter: str) -> None:
        self._number += 1
        name = f"{letter}{self._number}"
        self._lines.append(f"assert ({name} : {text(old, 1)} = {text(new, 1)}).")
        self._lines.append(f"{{ {by}. }}")
        self._lines.append(f"rewrite {name} in C; clear {name}.")
        self._sides = (
            _exchanged(self._sides[0], old, new),
            _exchanged(self._sides[1], old, new),
        )

    def _instance(
        self,
        lemma: str,
        at: Mapping[str, Term],
        needed: dict[str, Hypothesis],
    ) -> str:
        """Return the tactic that applies a lemma with these values of its letters, and note what it needs."""
        made = self._made[lemma]
        if OF_GAMMA.keys() <= set(made.intros):
            self._assumed = OF_GAMMA
            self._names.functions.update({"f_gamma": 1, "f_polygamma": 2})
        values: dict[str, Term] = {}
        for own, symbol in made.symbols.items():
            letter = self._names.of(symbol)
            values[own] = at.get(letter, ("var", letter))
        for relation, whole in made.given.values():
            hypothesis = (relation, self._explicit(substituted(whole, values)))
            letters = {part[1] for part in inside(hypothesis[1]) if part[0] == "var"}
            if hypothesis[1][0] != "var" and (
                not letters or known(hypothesis, self._names.symbols)
            ):
                continue
            needed.setdefault(written(hypothesis), hypothesis)
        given = [*made.names.functions, *(text(values[own], 6) for own in made.symbols)]
        self._used |= {part[1] for v in values.values() for part in inside(v) if part[0] == "var"}
        side = f"{self._unfold} cbv beta; first [assumption | lra | pos | nonneg | nz]"
        return f"apply ({' '.join([f'{lemma}_holds', *given])}); {side}"

    def _explicit(self, whole: Term) -> Term:
        """Return the term without names of premises and values."""
        whole = rebuilt(whole, self._explicit)
        if whole[0] != "fn" or whole[1] not in self._bodies:
            return whole
        letters, body = self._bodies[whole[1]]
        return substituted(body, dict(zip(letters, whole[2:], strict=True)))


def _calls(whole: Term, name: str, outside: bool = False) -> Iterator[Term]:
    """Yield the calls of a value in a term, the innermost first; only those outside of binders if wanted."""
    if whole[0] in BINDERS and outside:
        for part in whole[3:]:
            yield from _calls(part, name, outside)
        return
    for part in parts_of(whole):
        yield from _calls(part, name, outside)
    if whole[:2] == ("fn", name):
        yield whole


def _slopes(whole: Term, name: str) -> Iterator[Term]:
    """Yield the derivatives in a term with a call of a value in their body, the outermost alone."""
    if whole[0] == "derive" and any(_calls(whole[2], name)):
        yield whole
        return
    for part in parts_of(whole):
        yield from _slopes(part, name)


def _exchanged(whole: Term, old: Term, new: Term) -> Term:
    """Return the term with a part replaced wherever it occurs."""
    return new if whole == old else rebuilt(whole, lambda part: _exchanged(part, old, new))

"""Propositions with proofs that Coq may accept or refuse."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

import sympy as sp

from bridge.certify.derivatives import without_derivatives, worked_out
from bridge.certify.letters import Letters
from bridge.certify.limits import without_limits
from bridge.certify.statements import (
    Hypothesis,
    Statement,
    Symbols,
    definedness,
    different,
    known,
    statements,
    written,
)
from bridge.certify.terms import OPERATORS, Names, Term, Unsupported, expression, inside, text
from bridge.certify.writing import term
from theory.core.formula.sampling import rational_point
from theory.core.proof.derivation import Step

_TRIES = 100  # random points
_CLEAR = 1e-9
_PASSES = 4  # until the common denominators of the exponents are known


@dataclass(frozen=True)
class Lemma:
    """A proposition of Coq, and lines of tactics that prove it under ``name_holds``."""

    name: str
    proposition: str
    proof: tuple[str, ...]

    def __str__(self) -> str:
        lines = "\n  ".join(self.proof)
        return (
            f"Definition {self.name} : Prop :=\n  {self.proposition}.\n"
            f"Lemma {self.name}_holds : {self.name}.\nProof.\n  {lines}\nQed."
        )


def lemmas(
    step: Step, name: str, quantities: Mapping[Any, str] = MappingProxyType({})
) -> tuple[Lemma, ...]:
    """Return the statements of a step with their proofs; arguments and errors are those of ``statements``."""
    made_lemmas = []
    for made in statements(step, name, quantities):
        require_satisfiable(made)
        proof = [
            f"unfold {made.name}.",
            *(f"rewrite ?{quantity}_is." for quantity in quantities.values()),
        ]
        proof += [f"intros {' '.join(made.intros)}."] if made.intros else []
        made_lemmas.append(
            Lemma(made.name, made.proposition, (*proof, "cbv beta.", *_proof(made)))
        )
    return tuple(made_lemmas)


def refutation(printed: sp.Expr, corrected: sp.Expr, name: str, at: Mapping[str, Any]) -> Lemma:
    """Return the lemma that two expressions differ at a point; its proof needs the library Interval."""
    ways = " | ".join(f"apply {rule}; interval" for rule in ("Rlt_not_eq", "Rgt_not_eq"))
    proof = (f"unfold {name}, Rpower.", "cbv beta.", f"first [{ways}].")
    return Lemma(name, different(printed, corrected, at), proof)


def require_satisfiable(made: Statement) -> None:
    """Raise Unsupported unless a random point satisfies all hypotheses, which would else prove anything."""
    values = [
        (relation, expression(whole, made.symbols)) for relation, whole in made.given.values()
    ]
    for number in range(_TRIES):
        point = {
            symbol: value.evalf()
            for symbol, value in rational_point(made.symbols.values(), str(number)).items()
        }
        numbers = [(relation, value.subs(point).evalf()) for relation, value in values]
        if all(
            v.is_Float and v.is_finite and abs(v) > _CLEAR and (r == "<>" or v > 0)
            for r, v in numbers
        ):
            return
    if values:
        raise Unsupported("no point was found at which both sides are defined")


def _proof(made: Statement) -> Iterator[str]:
    hypotheses = dict(made.given)
    conditions = chain.from_iterable(map(definedness, made.sides))
    wanted = dict.fromkeys((relation, worked_out(part)) for relation, part in conditions)
    for number, (relation, whole) in enumerate(wanted, 1):
        if (relation, whole) not in hypotheses.values() and whole[0] not in ("num", "var"):
            name = f"G{number}"
            if _has_function(whole):
                yield f"fact {name} ({written((relation, whole))})."
                if known((relation, whole), made.symbols) or "phi1" in str(whole):
                    hypotheses[name] = (relation, whole)
            elif relation == "<>":
                value = term(sp.factor(expression(whole, made.symbols)), Names())
                yield f"fact_as {name} ({text(whole)}) ({text(value)})."
            else:
                hypotheses[name] = (relation, whole)
                fact = f"fact {name} ({written((relation, whole))})"
                value = sp.factor(expression(whole, made.symbols))
                if relation == "<" and whole[0] == "sub" and value.is_positive:
                    in_factors = f"replace ({text(whole)}) with ({text(term(value, Names()))})"
                    by = f"{in_factors} by (first [ring | field; nz]); pos"
                    fact = f"first [assert ({name} : {written((relation, whole))}) by ({by}) | {fact}]"
                yield f"{fact}."
    lines: list[str] = []
    counter = iter(range(1, 10**6))

    def equal(
        one: Term, other: Term, symbols: Symbols, more: Mapping[str, Hypothesis]
    ) -> Iterator[str]:
        return _in_letters(one, other, symbols, {**hypotheses, **more})

    sides = [without_limits(side, lines, made.symbols, equal) for side in made.sides]
    left, right = (without_derivatives(side, lines, counter, made.symbols) for side in sides)
    yield from lines
    if _is_same(left, right):
        yield "unfold Rdiv; ring."
    else:
        yield from _in_letters(left, right, made.names.symbols, hypotheses)


def _is_same(left: Term, right: Term) -> bool:
    """Return whether two terms with functions are the same polynomial of these and of inverses, whatever these are."""
    letters: dict[Term, sp.Symbol] = {}

    def letter(whole: Term) -> sp.Symbol:
        return letters.setdefault(whole, sp.Symbol(f"letter_{len(letters)}"))

    def value(whole: Term) -> sp.Expr:
        kind, *parts = whole
        if kind == "num":
            return sp.Integer(parts[0])
        if kind == "div":
            return value(parts[0]) * letter(("inverse", parts[1]))
        if kind == "pow":
            return value(parts[0]) ** parts[1]
        if kind in OPERATORS:
            return OPERATORS[kind][2](*map(value, parts))
        return letter(whole)

    return _has_function(left) and sp.expand(value(left) - value(right)) == 0


def _has_function(whole: Term) -> bool:
    return any(part[0] == "fn" for part in inside(whole))


def _in_letters(
    left: Term, right: Term, symbols: Symbols, given: Mapping[str, Hypothesis]
) -> Iterator[str]:
    orders: dict[Any, int] = {}
    rewritten = [name for name, (_, whole) in given.items() if _has_function(whole)]
    for _ in range(_PASSES):
        before = dict(orders)
        letters = Letters(symbols, rewritten, orders)
        for name, hypothesis in given.items():
            if hypothesis[1][0] != "var":
                letters.use(name, *hypothesis)
        plain = [letters.reduced(side) for side in (left, right)]
        letters.again()
        for side in plain:
            letters.flat(side)
        if before == orders:
            break
    yield from letters.lines
    yield f"{letters.identity()}."

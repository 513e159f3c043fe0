"""A step of a derivation as definitions and lemmas of Coq, with proofs that Coq may accept or refuse."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy as sp

from theory.core.certify.derivatives import needed, without_derivatives
from theory.core.certify.domains import Hypothesis, Symbols, assumed, known, plain, require_satisfiable, written
from theory.core.certify.entries import scalars
from theory.core.certify.letters import RelatedLetters
from theory.core.certify.terms import Names, Term, Unsupported, expression, inside, reduced, text
from theory.core.certify.writing import applied, term
from theory.core.proof.derivation import Step

_PASSES = 4  # until the common denominators of the exponents are known
_OF_GAMMA = {  # what is assumed of it, as a hypothesis, because Coq's libraries do not have it
    "gamma_pos": "forall x, 0 < x -> 0 < f_gamma x",
    "gamma_next": "forall x, 0 < x -> f_gamma (x + 1) = x * f_gamma x",
    "gamma_slope": "forall x, 0 < x -> is_derive f_gamma x (f_gamma x * f_polygamma 0 x)",
}
_LONGEST = 15000  # characters of a statement; ring and field take minutes beyond


@dataclass(frozen=True)
class Lemma:
    """One identity between numbers: a proposition of Coq, and lines of tactics that prove it under ``name_holds``."""

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
    step: Step, name: str, quantities: Mapping[Any, str] = MappingProxyType({}), with_proofs: bool = True
) -> tuple[Lemma, ...]:
    """Return the identities of numbers that a step consists of, several for a matrix; proofs take most of the time.

    ``quantities`` are expressions with a name in Coq. Unsupported is raised for a part that is not exported.
    """
    pairs = [pair for pair in scalars(step) if pair[0] != pair[1]]
    if not pairs:
        raise Unsupported("sympy makes both sides the same when it writes them out, and nothing is left to prove")
    numbered = [f"{name}_{number}" if len(pairs) > 1 else name for number in range(1, len(pairs) + 1)]
    return tuple(_lemma(*pair, step, each, quantities, with_proofs) for pair, each in zip(pairs, numbered, strict=True))


def _side(side: Any, step: Step, names: Names) -> Term:
    if not step.where:
        return term(side, names)
    return applied(side, {old: term(new, names) for old, new in step.where.items()}, names)


def _lemma(left: Any, right: Any, step: Step, name: str, quantities: Mapping[Any, str], with_proof: bool) -> Lemma:
    names = Names(quantities)
    sides = [_side(side, step, names) for side in (left, right)]
    whole = [reduced(side) for side in sides]
    symbols, stated = _hypotheses(sides, whole, names)
    if with_proof:
        require_satisfiable(stated, symbols)
    of_gamma = _OF_GAMMA if "f_gamma" in names.functions else {}
    if of_gamma:
        names.function("f_polygamma", 2)
    identity = f"{text(sides[0], 1)} = {text(sides[1], 1)}"
    if len(identity) > _LONGEST:
        raise Unsupported("more than the kernel's field takes in a minute")
    lines = [*(f"({fact}) ->" for fact in of_gamma.values()), *(f"{written(h)} ->" for h in stated), identity]
    binders = [f"({f} : {' -> '.join(['R'] * (arity + 1))})" for f, arity in names.functions.items()]
    binders += [f"({' '.join(symbols)} : R)"] if symbols else []
    head = f"forall {' '.join(binders)},\n  " if binders else ""
    given = [f"H{number}" for number in range(1, len(stated) + 1)]
    intros = [*names.functions, *symbols, *of_gamma, *given]
    proof = [f"unfold {name}.", *(f"rewrite ?{quantity}_is." for quantity in quantities.values())]
    proof += [f"intros {' '.join(intros)}." if intros else "", "cbv beta."]
    if with_proof:
        proof += _proof(whole[0], whole[1], names, dict(zip(given, stated, strict=True)), symbols)
    return Lemma(name, head + "\n  ".join(lines), tuple(line for line in proof if line))


def _hypotheses(sides: list[Term], whole: list[Term], names: Names) -> tuple[Symbols, list[Hypothesis]]:
    free = {part[1] for side in sides for part in inside(side) if part[0] == "var"}
    symbols = {key: symbol for key, symbol in names.symbols.items() if key in free}
    wanted = (h for side in whole for h in needed(side) if not known(h, symbols))
    return symbols, list(dict.fromkeys([*assumed(symbols), *wanted]))


def _proof(left: Term, right: Term, names: Names, given: dict[str, Hypothesis], symbols: Symbols) -> Iterator[str]:
    before: list[str] = []
    counter = iter(range(1, 10**6))
    for fact in dict.fromkeys(h for side in (left, right) for h in needed(side)):
        if fact in given.values() or fact[1][0] in ("num", "var"):
            continue
        name = f"G{len(before) + 1}"
        if fact[0] == "<>":
            before.append(_of_denominator(fact[1], name, given, symbols))
        elif plain(fact[0], fact[1], symbols):
            given[name] = fact
            before.append(f"assert ({name} : {written(fact)}) by {'pos' if fact[0] == '<' else 'nonneg'}.")
    left, right = (without_derivatives(side, before, counter, symbols) for side in (left, right))
    yield from before
    yield from _in_letters(left, right, names, given)


def _of_denominator(whole: Term, name: str, given: dict[str, Hypothesis], symbols: Symbols) -> str:
    """Return the line that proves that a denominator is not 0; if it has phi1, it is a fact that is rewritten."""
    names = {part[1] for part in inside(whole) if part[0] == "fn"}
    has_square = whole[0] == "add" and any(part[0] == "pow" and part[2] == 2 for part in whole[1:])
    if "phi1" in names or (("ln" in names or ("exp" in names and has_square)) and known(("<>", whole), symbols)):
        given[name] = ("<>", whole)
        return f"assert ({name} : {written(given[name])}) by nz."
    if names:
        return f"try assert ({name} : {written(('<>', whole))}) by nz."
    value = term(sp.factor(expression(whole, symbols)), Names())
    plain = f"replace {text(whole, 6)} with ({text(value)}) by (first [ring | field; nz]); nz"
    return f"try assert ({name} : {written(('<>', whole))}) by (first [nz | {plain}])."


def _in_letters(left: Term, right: Term, names: Names, given: dict[str, Hypothesis]) -> Iterator[str]:
    orders: dict[Any, int] = {}
    rewritten = [name for name, (_, whole) in given.items() if any(part[0] == "fn" for part in inside(whole))]
    for _ in range(_PASSES):
        known = dict(orders)
        letters = RelatedLetters(names, rewritten, orders)
        for name, (relation, whole) in given.items():
            if whole[0] != "var" or relation == "<>":
                letters.signs(name, relation, letters.reduced(whole))
        plain = [letters.reduced(side) for side in (left, right)]
        letters.again()
        for name, (relation, whole) in letters.added.items():
            letters.signs(name, relation, letters.reduced(whole))
        for name, (relation, whole) in (given | letters.added).items():
            if relation == "<>" and whole[0] != "var":
                letters.conditions(name, letters.reduced(whole))
        for side in plain:
            letters.flat(side)
        if known == orders:
            break
    yield from letters.lines
    yield f"{letters.identity()}."

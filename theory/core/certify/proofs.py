"""A step of a derivation as definitions and lemmas of Coq, with proofs that Coq may accept or refuse."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.certify.derivatives import needed, without_derivatives
from theory.core.certify.domains import Hypothesis, Symbols, assumed, known, plain, require_satisfiable, written
from theory.core.certify.letters import RelatedLetters
from theory.core.certify.terms import Names, Term, Unsupported, expression, inside, reduced, text
from theory.core.certify.writing import applied, term
from theory.core.proof.derivation import Step

Parts = tuple[Any, Any]

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


def refutation(printed: sp.Expr, corrected: sp.Expr, name: str, at: Mapping[str, Any]) -> Lemma:
    """Return the lemma that two expressions differ where letters, and values of functions, are these numbers or primes.

    Its proof needs the library Interval. Unsupported is raised for several values of one function, and matrices.
    """
    calls = printed.atoms(AppliedUndef) | corrected.atoms(AppliedUndef)
    if len({call.func for call in calls}) < len(calls):
        raise Unsupported("several values of one function")
    letters = {call: sp.Symbol(call.func.__name__, positive=True) for call in calls}
    sides = [side.xreplace(letters) for side in (printed, corrected)]
    if not all(isinstance(side, sp.Expr) and side.is_commutative for side in sides):
        raise Unsupported("matrices")
    names = Names()
    values: dict[sp.Symbol, Term] = {}
    for number, symbol in enumerate(sorted(sides[0].free_symbols | sides[1].free_symbols, key=str), start=2):
        value = sp.Integer(-sp.prime(number) if symbol.is_negative else sp.prime(number))
        with suppress(TypeError, ValueError, KeyError):
            value = sp.Rational(str(at[str(symbol)]))
        values[symbol] = term(value, names)
    statement = " <> ".join(text(applied(side, values, names), 1) for side in sides)
    if names.functions:
        raise Unsupported("a function without an enclosure")
    ways = " | ".join(f"apply {rule}; interval" for rule in ("Rlt_not_eq", "Rgt_not_eq"))
    return Lemma(name, statement, (f"unfold {name}, Rpower.", "cbv beta.", f"first [{ways}]."))


def scalars(step: Step) -> list[tuple[Any, Any]]:
    """Return the pairs of numbers that must be equal, with products of matrices written out."""
    sides = [_matrix(side) for side in (step.left, step.right)]
    pairs = [(sides[0], sides[1])]
    if any(isinstance(side, sp.MatrixBase) for side in sides):
        pairs = list(zip(*sides, strict=True))
    if not any(side.has(sp.I) for pair in pairs for side in pair):
        return pairs
    return [found for left, right in pairs for found in zip(parts(left), parts(right), strict=True)]


def _matrix(side: Any) -> Any:
    """Return a side with its matrices worked out; their values at a point and derivatives are kept, entry by entry."""
    if isinstance(side, (sp.Subs, sp.Derivative)):
        inner, rest = _matrix(side.expr), side.args[1:]
        if isinstance(inner, sp.MatrixBase):
            return inner.applyfunc(lambda entry: side.func(entry, *rest) if entry.free_symbols else entry)
        return side
    if not side.args or isinstance(side, sp.MatrixBase) or not side.has(sp.MatrixBase, sp.MatrixExpr):
        return side
    return side.func(*map(_matrix, side.args)).doit(deep=False)


def parts(node: Any) -> Parts:
    """Return the real and the imaginary part of an expression in real letters, with its derivatives and values kept.

    Unsupported is raised for other functions of complex numbers than sums, products, integer powers and exponentials.
    """
    if node is sp.I:
        return sp.S.Zero, sp.S.One
    if not node.has(sp.I):
        return node, sp.S.Zero
    if isinstance(node, (sp.Derivative, sp.Subs)):
        return tuple(part if part.is_number else node.func(part, *node.args[1:]) for part in parts(node.expr))  # type: ignore[return-value]
    pairs = [parts(argument) for argument in node.args]
    if isinstance(node, sp.Add):
        return sp.Add(*(real for real, _ in pairs)), sp.Add(*(imaginary for _, imaginary in pairs))
    if isinstance(node, sp.Mul):
        return reduce(_product, pairs)
    if isinstance(node, sp.exp):
        size, angle = sp.exp(pairs[0][0]), pairs[0][1]
        return size * sp.cos(angle), size * sp.sin(angle)
    if isinstance(node, sp.Pow) and node.exp.is_Integer and node.exp > 0:
        return reduce(_product, pairs[:1] * int(node.exp))
    raise Unsupported("a function of complex numbers")


def _product(one: Parts, other: Parts) -> Parts:
    return one[0] * other[0] - one[1] * other[1], one[0] * other[1] + one[1] * other[0]

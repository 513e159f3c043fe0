"""A step of a derivation as propositions of Coq: with ``terms`` and ``writing``, the exporter.

It reads the sides and the domain of a step, and nothing that says how it was decided. Both sides keep the structure
that they have in the step. Hypotheses are the domains of symbols and where both sides are defined.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from bridge.certify.terms import (
    Names,
    Term,
    Unsupported,
    expression,
    inside,
    parts_of,
    reduced,
    substituted,
    text,
)
from bridge.certify.writing import applied, term
from theory.core.proof.derivation import Step

Symbols = Mapping[str, sp.Symbol]
Hypothesis = tuple[str, Term]
"""A relation of a term to 0, "<>", "<" (0 < term) or "<=" (0 <= term)."""

OF_GAMMA = {  # what is assumed of it, as a hypothesis, because Coq's libraries do not have it
    "gamma_pos": "forall x, 0 < x -> 0 < f_gamma x",
    "gamma_next": "forall x, 0 < x -> f_gamma (x + 1) = x * f_gamma x",
    "gamma_slope": "forall x, 0 < x -> is_derive f_gamma x (f_gamma x * f_polygamma 0 x)",
}
_LONGEST = 15000  # characters of a statement; ring and field take minutes beyond


@dataclass(frozen=True)
class Statement:
    """One identity between numbers as a proposition of Coq; the rest is for the search of its proof.

    ``sides`` have every function applied to its values, ``given`` names the hypotheses, ``intros`` are the names of all
    that the proposition quantifies and assumes.
    """

    name: str
    proposition: str
    sides: tuple[Term, Term]
    names: Names
    given: Mapping[str, Hypothesis]
    symbols: Symbols
    intros: tuple[str, ...]


def statements(
    step: Step, name: str, quantities: Mapping[Any, str] = MappingProxyType({})
) -> tuple[Statement, ...]:
    """Return the identities of numbers that a step consists of, several for a matrix.

    ``quantities`` are expressions with a name in Coq. Unsupported is raised for a part that is not exported.
    """
    pairs = [pair for pair in scalars(step) if pair[0] != pair[1]]
    if not pairs:
        raise Unsupported(
            "sympy makes both sides the same when it writes them out, and nothing is left to prove"
        )
    numbered = [
        f"{name}_{number}" if len(pairs) > 1 else name for number in range(1, len(pairs) + 1)
    ]
    return tuple(
        _statement(pair, step, lemma, quantities)
        for pair, lemma in zip(pairs, numbered, strict=True)
    )


def _statement(
    pair: tuple[Any, Any], step: Step, name: str, quantities: Mapping[Any, str]
) -> Statement:
    names = Names(quantities)
    sides = [term(side, names) for side in pair]
    if step.where:
        values = {old: term(new, names) for old, new in step.where.items()}
        sides = [applied(side, values, names) for side in pair]
    left, right = (reduced(side) for side in sides)
    free = {part[1] for part in chain.from_iterable(map(inside, sides)) if part[0] == "var"}
    symbols = {key: symbol for key, symbol in names.symbols.items() if key in free}
    stated = _hypotheses(left, right, symbols)
    of_gamma = OF_GAMMA if "f_gamma" in names.functions else {}
    if of_gamma:
        names.functions["f_polygamma"] = 2
    identity = f"{text(sides[0], 1)} = {text(sides[1], 1)}"
    if len(identity) > _LONGEST:
        raise Unsupported("more than the kernel's field takes in a minute")
    binders = [
        f"({f} : {' -> '.join(['R'] * (arity + 1))})" for f, arity in names.functions.items()
    ]
    binders += [f"({' '.join(symbols)} : R)"] if symbols else []
    lines = [
        *(f"({fact}) ->" for fact in of_gamma.values()),
        *(f"{written(h)} ->" for h in stated),
        identity,
    ]
    hypotheses = {f"H{number}": hypothesis for number, hypothesis in enumerate(stated, 1)}
    head = f"forall {' '.join(binders)},\n  " if binders else ""
    intros = (*names.functions, *symbols, *of_gamma, *hypotheses)
    return Statement(
        name, head + "\n  ".join(lines), (left, right), names, hypotheses, symbols, intros
    )


def _hypotheses(left: Term, right: Term, symbols: Symbols) -> list[Hypothesis]:
    wanted = [h for h in (*definedness(left), *definedness(right)) if not known(h, symbols)]
    return list(dict.fromkeys([*assumed(symbols), *wanted]))


def different(one: sp.Expr, other: sp.Expr, at: Mapping[str, Any]) -> str:
    """Return the proposition that two expressions differ where letters are these numbers, or primes.

    Unsupported is raised for several values of one function, and for matrices.
    """
    calls = one.atoms(AppliedUndef) | other.atoms(AppliedUndef)
    if len({call.func for call in calls}) < len(calls):
        raise Unsupported("several values of one function")
    letters = {call: sp.Symbol(call.func.__name__, positive=True) for call in calls}
    sides = [side.xreplace(letters) for side in (one, other)]
    if not all(isinstance(side, sp.Expr) and side.is_commutative for side in sides):
        raise Unsupported("matrices")
    names = Names()
    values: dict[sp.Symbol, Term] = {}
    for number, symbol in enumerate(
        sorted(sides[0].free_symbols | sides[1].free_symbols, key=str), start=2
    ):
        value = sp.Integer(-sp.prime(number) if symbol.is_negative else sp.prime(number))
        with suppress(TypeError, ValueError, KeyError):
            value = sp.Rational(str(at[str(symbol)]))
        values[symbol] = term(value, names)
    proposition = " <> ".join(text(applied(side, values, names), 1) for side in sides)
    if names.functions:
        raise Unsupported("a function without an enclosure")
    return proposition


def scalars(step: Step) -> list[tuple[Any, Any]]:
    """Return the pairs of numbers that must be equal, with products of matrices written out."""
    sides = [_matrix(side) for side in (step.left, step.right)]
    pairs = [(sides[0], sides[1])]
    if any(isinstance(side, sp.MatrixBase) for side in sides):
        pairs = list(zip(*sides, strict=True))
    if any(left.has(sp.I) or right.has(sp.I) for left, right in pairs):
        raise Unsupported("complex numbers")
    return pairs


def _matrix(side: Any) -> Any:
    """Return a side with its matrices worked out; their values at a point and derivatives are kept, entry by entry."""
    if isinstance(side, (sp.Subs, sp.Derivative)):
        inner, rest = _matrix(side.expr), side.args[1:]
        if isinstance(inner, sp.MatrixBase):
            return inner.applyfunc(
                lambda entry: side.func(entry, *rest) if entry.free_symbols else entry
            )
        if isinstance(side, sp.Subs):  # a determinant may be one of its values
            return side.func(inner, side.variables, tuple(map(_matrix, side.point)))
        return side
    if (
        not side.args
        or isinstance(side, sp.MatrixBase)
        or not side.has(sp.MatrixBase, sp.MatrixExpr)
    ):
        return side
    parts = tuple(map(_matrix, side.args))
    if isinstance(side, sp.MatMul) and all(isinstance(part, sp.MatrixBase) for part in parts):
        return reduce(_multiplied, parts)
    return side.func(*parts).doit(deep=False)


def _multiplied(one: sp.MatrixBase, other: sp.MatrixBase) -> sp.MatrixBase:
    """Return the product of two matrices with entries that are not worked out, so that they are left to prove."""

    def entry(row: int, column: int) -> sp.Expr:
        pairs = zip(one.row(row), other.col(column), strict=True)
        terms = [sp.Mul(*pair, evaluate=False) for pair in pairs if 0 not in pair]
        return sp.Add(*terms, evaluate=False) if len(terms) != 1 else terms[0]

    return sp.ImmutableMatrix(one.rows, other.cols, entry)


# Hypotheses.
def written(hypothesis: Hypothesis) -> str:
    """Return the hypothesis in Coq's syntax."""
    relation, whole = hypothesis
    return f"{text(whole, 1)} <> 0" if relation == "<>" else f"0 {relation} {text(whole, 1)}"


def assumed(symbols: Symbols) -> Iterator[Hypothesis]:
    """Yield the domains of symbols."""
    for name, symbol in symbols.items():
        whole: Term = ("var", name)
        if symbol.is_integer and symbol.is_positive:
            yield "<=", ("sub", whole, ("num", 1))
        if symbol.is_positive or symbol.is_negative:
            yield "<", whole if symbol.is_positive else ("neg", whole)
        elif symbol.is_nonnegative or symbol.is_nonpositive:
            yield "<=", whole if symbol.is_nonnegative else ("neg", whole)
        elif symbol.is_nonzero:
            yield "<>", whole


def sign_of(symbol: sp.Symbol) -> dict[str, bool]:
    """Return what the assumptions of a symbol say about its sign."""
    words = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")
    return {word: True for word in words if symbol.assumptions0.get(word)}


def known(hypothesis: Hypothesis, symbols: Symbols) -> bool:
    """Return whether the hypothesis follows from the domains of symbols."""
    relation, whole = hypothesis
    if relation == "<=" and _is_sum_of_squares(whole):
        return True
    value = expression(
        whole, {name: sp.Symbol(name, real=True, **sign_of(old)) for name, old in symbols.items()}
    )
    return bool(
        {"<>": value.is_nonzero, "<": value.is_positive, "<=": value.is_nonnegative}[relation]
    )


def _is_sum_of_squares(whole: Term) -> bool:
    """Return whether a term is a sum of even powers, whatever is in them."""
    if whole[0] == "add":
        return _is_sum_of_squares(whole[1]) and _is_sum_of_squares(whole[2])
    return whole[0] == "pow" and bool(whole[2] % 2 == 0)


def definedness(whole: Term, strict: bool = False) -> Iterator[Hypothesis]:
    """Yield what makes a term without applied functions defined; inside a derivative, or if strict, differentiable."""
    kind, *parts = whole
    if kind == "derive":
        _, body, point = parts
        at = {parts[0]: point}
        yield from (
            (relation, substituted(part, at)) for relation, part in definedness(body, strict=True)
        )
        yield from definedness(point, strict)
        return
    if kind in ("limit", "sum"):
        free = (
            part
            for part in definedness(parts[1], strict)
            if ("var", parts[0]) not in inside(part[1])
        )
        yield from free
        for end in parts[2:]:
            yield from definedness(end, strict)
        return
    for part in parts_of(whole):
        yield from definedness(part, strict)
    if kind == "div" and not is_zero(parts[0]):  # zero over zero is zero, as of a ``quotient``
        yield from (("<>", factor) for factor in factors(parts[1]))
    elif kind == "fn" and len(parts) > 1:
        yield from _domain(parts[0], parts[1], strict)


def is_zero(whole: Term) -> bool:
    """Return whether a term has zero as a factor."""
    return whole == ("num", 0) or (
        whole[0] in ("mul", "div", "neg")
        and any(map(is_zero, whole[1:2] if whole[0] == "div" else whole[1:]))
    )


def _domain(function: str, argument: Term, strict: bool) -> Iterator[Hypothesis]:
    """Yield what a function needs of its argument."""
    if function in ("ln", "Rpower") or (strict and function == "f_gamma"):
        yield "<", argument
    elif function == "sqrt":
        yield ("<" if strict else "<="), argument
    elif function in ("asin", "acos"):
        yield ("<" if strict else "<="), ("sub", ("num", 1), ("pow", argument, 2))
    elif function == "phi1" or (strict and function in ("Rabs", "sign")):
        with suppress(Unsupported):
            if expression(argument, {}) == 0:
                return
        yield "<>", argument


def factors(whole: Term) -> Iterator[Term]:
    """Yield the factors of a product other than numbers."""
    if whole[0] == "mul":
        yield from factors(whole[1])
        yield from factors(whole[2])
    elif whole[0] == "pow":
        yield from factors(whole[1])
    elif whole[0] != "num" or whole == ("num", 0):
        yield whole

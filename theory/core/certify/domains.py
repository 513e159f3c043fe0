"""Where a term is defined, as hypotheses, and which of these the tactics of ``prelude.v`` find by themselves."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import sympy as sp

from theory.core.certify.terms import ONE, ZERO, Term, Unsupported, expression, parts_of, substituted, text
from theory.core.formula.sampling import rational_point

Symbols = Mapping[str, sp.Symbol]
Hypothesis = tuple[str, Term]
"""A relation of a term to 0, "<>", "<" (0 < term) or "<=" (0 <= term)."""


_POSITIVE = ("exp", "Rpower", "cosh", "phi1", "PI")
_TRIES = 100  # random points
_CLEAR = 1e-9


def written(hypothesis: Hypothesis) -> str:
    """Return the hypothesis in Coq's syntax."""
    relation, whole = hypothesis
    return f"{text(whole, 1)} <> 0" if relation == "<>" else f"0 {relation} {text(whole, 1)}"


def assumed(symbols: Symbols) -> Iterator[Hypothesis]:
    """Yield the domains of symbols."""
    for name, symbol in symbols.items():
        whole: Term = ("var", name)
        if symbol.is_integer and symbol.is_positive:
            yield "<=", ("sub", whole, ONE)
        if symbol.is_positive or symbol.is_negative:
            yield "<", whole if symbol.is_positive else ("neg", whole)
        elif symbol.is_nonnegative or symbol.is_nonpositive:
            yield "<=", whole if symbol.is_nonnegative else ("neg", whole)
        elif symbol.is_nonzero:
            yield "<>", whole


def sign_of(symbol: sp.Symbol) -> dict[str, bool]:
    """Return what the assumptions of a symbol say about its sign."""
    given = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")
    return {word: True for word in given if symbol.assumptions0.get(word)}


def known(hypothesis: Hypothesis, symbols: Symbols) -> bool:
    """Return whether the hypothesis follows from the domains of symbols."""
    relation, whole = hypothesis
    value = expression(whole, {name: sp.Symbol(name, real=True, **sign_of(old)) for name, old in symbols.items()})
    return bool({"<>": value.is_nonzero, "<": value.is_positive, "<=": value.is_nonnegative}[relation])


def plain(relation: str, whole: Term, symbols: Symbols) -> bool:
    """Return whether 0 < whole or 0 <= whole is found part by part, as the tactics ``pos`` and ``nonneg`` do."""
    kind, *parts = whole
    if kind == "add":
        return all(plain("<=", part, symbols) for part in parts) and (
            relation == "<=" or any(plain("<", part, symbols) for part in parts)
        )
    if kind in ("mul", "div"):
        return plain(relation, parts[0], symbols) and plain("<" if kind == "div" else relation, parts[1], symbols)
    if kind == "pow":
        return (relation == "<=" and parts[1] in (2, 4)) or plain(relation, parts[0], symbols)
    if kind == "fn" and parts[0] in ("sqrt", "Rabs"):
        return relation == "<=" or (parts[0] == "sqrt" and plain("<", parts[1], symbols))
    if kind in ("var", "num"):
        return known((relation, whole), symbols)
    return kind == "fn" and parts[0] in _POSITIVE


def require_satisfiable(stated: Sequence[Hypothesis], symbols: Symbols) -> None:
    """Raise Unsupported unless a random point satisfies all hypotheses, which would else prove anything."""
    values = [(relation, expression(whole, symbols)) for relation, whole in stated]
    for number in range(_TRIES if stated else 0):
        point = {symbol: value.evalf() for symbol, value in rational_point(symbols.values(), str(number)).items()}
        if all(_holds(relation, value.subs(point).evalf()) for relation, value in values):
            return
    if stated:
        raise Unsupported("no point was found at which both sides are defined")


def _holds(relation: str, value: sp.Expr) -> bool:
    return bool(value.is_Float and value.is_finite and abs(value) > _CLEAR and (relation == "<>" or value > 0))


def definedness(whole: Term, strict: bool = False) -> Iterator[Hypothesis]:
    """Yield what makes a term without applied functions defined; inside a derivative, or if strict, differentiable."""
    kind, *parts = whole
    if kind == "derive":
        _, body, point = parts
        at = {parts[0]: point}
        yield from ((relation, substituted(part, at)) for relation, part in definedness(body, strict=True))
        yield from definedness(point, strict)
        return
    for part in parts_of(whole):
        yield from definedness(part, strict)
    if kind == "div":
        yield from ((("<>", factor)) for factor in factors(parts[1]))
    elif kind == "fn" and len(parts) > 1:
        yield from _domain(parts[0], parts[1], strict)


def _domain(function: object, argument: Term, strict: bool) -> Iterator[Hypothesis]:
    """Yield what a function needs of its argument."""
    if function in ("ln", "Rpower") or (strict and function == "f_gamma"):
        yield "<", argument
    elif function == "sqrt":
        yield ("<" if strict else "<="), argument
    elif function in ("asin", "acos"):
        yield ("<" if strict else "<="), ("sub", ONE, ("pow", argument, 2))
    elif (function == "phi1" or (strict and function in ("Rabs", "sign"))) and not _is_zero(argument):
        yield "<>", argument


def _is_zero(whole: Term) -> bool:
    with suppress(Unsupported):
        return bool(expression(whole, {}) == 0)
    return False


def factors(whole: Term) -> Iterator[Term]:
    """Yield the factors of a product other than numbers."""
    if whole[0] == "mul":
        yield from factors(whole[1])
        yield from factors(whole[2])
    elif whole[0] == "pow":
        yield from factors(whole[1])
    elif whole[0] != "num" or whole == ZERO:
        yield whole

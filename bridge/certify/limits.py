r"""Limits at infinity of sums and quotients of decaying exponentials, powers of 1/t and constants.

By computer algebra a term is a quotient of sums of :math:`c\, t^j e^{-a t}` and :math:`c\, t^{-k}`, whose limits are
the constants. That it is, the search for proofs shows for all t > 0; the limits are lemmas of ``calculus.v``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial, reduce
from typing import Any

import sympy as sp

from bridge.certify.facts import Same
from bridge.certify.statements import Hypothesis, Symbols
from bridge.certify.terms import (
    ONE,
    ZERO,
    Term,
    Unsupported,
    expression,
    rebuilt,
    text,
)
from bridge.certify.terms import (
    inside as parts_inside,
)
from bridge.certify.writing import term
from theory.core.formula.special import phi1

Sum = dict[tuple[int, sp.Expr], sp.Expr]
"""A sum by powers of time and rates of decay: the constants in front."""
Prover = Callable[[Term, Term, Symbols, Mapping[str, Hypothesis]], Iterator[str]]


def without_limits(whole: Term, lines: list[str], symbols: Symbols, proof: Prover) -> Term:
    """Return the term with every limit worked out, after the lines that prove and rewrite each of them.

    Args:
        whole: the term.
        lines: lines of the proof, to which those of its limits are added.
        symbols: symbols by identifier.
        proof: function of two terms, the symbols in them and hypotheses to the lines that prove that they are equal.

    Raises:
        Unsupported: for a limit of another kind.
    """
    if whole[0] != "limit":
        return rebuilt(whole, lambda part: without_limits(part, lines, symbols, proof))
    _, bound, body = whole
    time = sp.Symbol(bound, positive=True)
    inside = {**symbols, bound: time}
    changes: dict[Term, Term] = {}
    plain = _with_short_constants(body, bound, inside, changes)
    sums = _quotient(_opened(expression(plain, inside)), time)
    over, under = (_written(part, partial(_term, bound)) for part in sums)
    ends = [_written(part, _end) for part in sums]
    end = sp.factor(sums[1].get((0, sp.S.Zero), sp.S.Zero))
    if end == 0:
        raise Unsupported("a limit whose denominator vanishes")
    factored = text(_plain(end), 6)
    value: Term = ("div", *ends)
    lines += [
        f"assert (L : {text(whole)} = {text(value)}).",
        f"{{ apply limit_is, (l_quotient _ (fun {bound} => {text(over)}) (fun {bound} => {text(under)})).",
        f"- intros {bound} T V.",
        *_changed(changes, inside, proof),
        *proof(plain, ("div", over, under), inside, {"V": ("<>", under)}),
        "- lim.",
        "- lim.",
        f"- replace ({text(ends[1])}) with {factored} by (first [ring | field; nz]); nz. }}",
        "rewrite ?L; clear L.",
    ]
    return value


def _plain(value: sp.Expr) -> Term:
    return term(value, Same())


def _with_short_constants(
    whole: Term, bound: str, symbols: Symbols, changes: dict[Term, Term]
) -> Term:
    """Return the term with each part that is constant in factors, and note which became which."""
    if any(part == ("var", bound) for part in parts_inside(whole)):
        return rebuilt(whole, lambda part: _with_short_constants(part, bound, symbols, changes))
    if whole[0] in ("num", "var"):
        return whole
    if whole not in changes:
        value = sp.factor(_opened(expression(whole, symbols)))
        changes[whole] = whole if value.has(sp.Function) else _plain(value)
    return changes[whole]


def _changed(changes: Mapping[Term, Term], symbols: Symbols, proof: Prover) -> Iterator[str]:
    """Yield the lines that rewrite constants, the longest first, in which others may occur."""
    longest = sorted(changes.items(), key=lambda change: -len(text(change[0])))
    for number, (old, new) in enumerate(longest, 1):
        if old != new:
            yield f"assert (S{number} : {text(old)} = {text(new)}). {{"
            yield from proof(old, new, symbols, {})
            yield f"}} rewrite ?S{number}; clear S{number}."


def _opened(value: sp.Expr) -> sp.Expr:
    """Return an expression with roots, magnitudes, signs and exponents in factors, which opens those of squares."""
    factored: dict[Any, Callable[[sp.Expr], sp.Expr]] = {
        sp.Abs: lambda x: sp.Abs(sp.factor(x)),
        sp.sign: lambda x: sp.sign(sp.factor(x)),
        sp.exp: lambda x: sp.exp(sp.factor(x)),
        phi1: lambda x: (sp.exp(sp.factor(x)) - 1) / sp.factor(x),
    }
    for _ in range(2):  # a magnitude may stand in a root
        for kind, rule in factored.items():
            value = value.replace(kind, rule)
        value = value.replace(
            lambda part: part.is_Pow and part.exp in (sp.S.Half, -sp.S.Half),
            lambda part: sp.Pow(sp.factor(part.base), part.exp),
        )
    return value


def _quotient(value: sp.Expr, time: sp.Symbol) -> tuple[Sum, Sum]:
    """Return numerator and denominator."""
    rates: dict[sp.Symbol, sp.Expr] = {}

    def decay(exponent: sp.Expr) -> sp.Expr:
        exponent = sp.expand(exponent)
        start, slope = (exponent.coeff(time, order) for order in (0, 1))
        rate = sp.factor(-slope)
        if sp.expand(exponent - start - slope * time) != 0 or not rate.is_nonnegative:
            raise Unsupported("the limit of an exponential that does not decay")
        if rate == 0:
            return sp.exp(start)
        letter = next((letter for letter, known in rates.items() if known == rate), None)
        if letter is None:
            letter = sp.Symbol(f"decay_{len(rates)}", positive=True)
            rates[letter] = rate
        return letter * sp.exp(start)

    value = value.replace(sp.exp, decay)
    parts = [sp.expand(part) for part in sp.fraction(sp.together(value))]
    slow = parts[1].subs(dict.fromkeys(rates, 0))
    if not slow.is_polynomial(time):
        raise Unsupported("a limit of another kind")
    largest = sp.degree(slow, time) if slow.has(time) else 0
    over, under = (_collected(sp.expand(part / time**largest), time, rates) for part in parts)
    return over, under


def _collected(part: sp.Expr, time: sp.Symbol, rates: Mapping[sp.Symbol, sp.Expr]) -> Sum:
    """Return a sum by powers of time and rates of decay."""
    collected: Sum = {}
    for piece in sp.Add.make_args(part):
        powers = piece.as_powers_dict()
        rate = sp.factor(sp.Add(*(powers[letter] * known for letter, known in rates.items())))
        power, rest = sp.sympify(powers[time]), piece
        for letter in (time, *rates):
            rest = rest / letter ** powers[letter]
        if rest.has(time, *rates) or not power.is_Integer or (rate == 0 and power > 0):
            raise Unsupported("a limit of another kind")
        key = (int(power), rate)
        collected[key] = collected.get(key, sp.S.Zero) + rest
    return {key: sp.factor(factor) for key, factor in collected.items()}


def _written(part: Sum, of_term: Callable[[tuple[int, sp.Expr], sp.Expr], Term]) -> Term:
    terms = [of_term(key, factor) for key, factor in part.items()]
    return reduce(lambda one, other: ("add", one, other), terms) if terms else ZERO


def _term(bound: str, key: tuple[int, sp.Expr], factor: sp.Expr) -> Term:
    power, rate = key
    now: Term = ("var", bound)
    slow: Term = ("pow", now, power) if power >= 0 else ("pow", ("div", ONE, now), -power)
    if rate == 0:
        return ("mul", _plain(factor), slow) if power else _plain(factor)
    decay = ("fn", "exp", ("neg", ("mul", _plain(rate), now)))
    return ("mul", _plain(factor), ("mul", slow, decay))


def _end(key: tuple[int, sp.Expr], factor: sp.Expr) -> Term:
    """Return the limit of a term."""
    return _plain(factor) if key == (0, sp.S.Zero) else ZERO

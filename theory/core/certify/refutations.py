"""Two expressions that differ at a rational point, which refutes a printed one if the other is right."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.certify.proofs import Lemma
from theory.core.certify.terms import Names, Term, Unsupported, text
from theory.core.certify.writing import applied, term


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

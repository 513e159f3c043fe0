"""Functions as sums of products of two functions, each of which is a sum of atoms or has a letter of its own."""

from __future__ import annotations

import sympy as sp

from theory.activations import z
from theory.gaussian.decomposition import atoms_of


def halved(function: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]] | None:
    """Return a function of ``z`` as a sum of products of two sums of atoms, such as erf z times erf z; None if none."""
    parts = [_halves(term) for term in sp.Add.make_args(sp.expand(function))]
    return None if None in parts else [part for part in parts if part is not None]


def _halves(term: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    for factor in (sp.S.One, *term.as_powers_dict()):
        if atoms_of(factor) is not None and atoms_of(term / factor) is not None:
            return factor, term / factor
    return None


def separated(
    function: sp.Expr, letters: tuple[sp.Symbol, ...]
) -> list[tuple[sp.Expr, sp.Expr]] | None:
    """Return a function of two letters as a sum of products of functions of one, in ``z``; None if it is none."""
    for whole in (function, sp.expand(function)):
        parts = [_apart(term, letters) for term in sp.Add.make_args(whole)]
        if None not in parts:
            return [part for part in parts if part is not None]
    return None


def _apart(term: sp.Expr, letters: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, sp.Expr] | None:
    other, one = term.as_independent(letters[0], as_Add=False)
    if one.has(letters[1]):
        return None
    return one.xreplace({letters[0]: z}), other.xreplace({letters[1]: z})

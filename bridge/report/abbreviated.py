"""Abbreviation of long formulas: subexpressions that occur repeatedly get a letter and a separate line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy as sp

    from theory.core import ClosedForm

LONGEST_LINE = 320  # characters of LaTeX; about what fits into one line of a page
WORTH_A_LETTER = 3  # smallest number of operations of a subexpression that is abbreviated


def pieces(expression: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Symbol, sp.Expr]]]:
    """Return the abbreviated expression and the definitions of its letters, which use only earlier letters."""
    import sympy as sp

    named, (whole,) = sp.cse(expression, symbols=sp.numbered_symbols("X"))
    names: dict[sp.Symbol, sp.Expr] = {}
    letters: list[tuple[sp.Symbol, sp.Expr]] = []
    for symbol, piece in named:
        written = piece.xreplace(names)
        if written.count_ops() >= WORTH_A_LETTER:
            letters.append((sp.Symbol(f"X_{{{len(letters) + 1}}}"), written))
            written = letters[-1][0]
        names[symbol] = written
    return whole.xreplace(names), letters


def lines(form: ClosedForm) -> tuple[str, list[str]]:
    """Return the LaTeX of the formula, and one line for each letter that abbreviates a part of it."""
    from theory.core.render import latex, lettered

    whole, named = lettered(form)
    if len(latex(whole, form.arguments)) > LONGEST_LINE:
        whole, letters = pieces(whole)
        named = [*named, *letters]
    return latex(whole, form.arguments), [f"{latex(n)} = {latex(part, form.arguments)}" for n, part in named]

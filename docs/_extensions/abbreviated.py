"""Long formulas, legibly: pieces that occur more than once get a letter of their own, and a line."""

from __future__ import annotations

import sympy as sp

from theory.core import ClosedForm
from theory.core.render import latex

LONGEST_LINE = 320  # characters of LaTeX; about what fits into one line of a page
WORTH_A_LETTER = 3  # operations


def lines(form: ClosedForm) -> tuple[str, list[str]]:
    """LaTeX of the formula, and of the letters it is written with: each uses earlier ones only."""
    if len(form.latex) <= LONGEST_LINE:
        return form.latex, []
    found, (whole,) = sp.cse(form.expression, symbols=sp.numbered_symbols("X"))
    kept: list[tuple[sp.Symbol, sp.Expr]] = []
    small: dict[sp.Symbol, sp.Expr] = {}
    for symbol, piece in found:
        piece = piece.xreplace(small)
        if piece.count_ops() < WORTH_A_LETTER:
            small[symbol] = piece
        else:
            kept.append((symbol, piece))
    names = {symbol: sp.Symbol(f"X_{{{i}}}") for i, (symbol, _) in enumerate(kept, 1)}

    def written(piece: sp.Expr) -> str:
        return latex(piece.xreplace(small).xreplace(names), form.arguments)

    return written(whole), [f"{names[symbol]} = {written(piece)}" for symbol, piece in kept]

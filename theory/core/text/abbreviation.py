"""Abbreviation of long formulas: letters for parts, each with its own line of LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import sympy as sp

from theory.core.formula.subexpressions import binds, distinct
from theory.core.text.render import latex, lettered, with_fractions

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument
    from theory.core.formula.form import Form

LONGEST_LINE = 320  # characters of LaTeX; about what fits into one line of a page
WORTH_A_LETTER = 3  # smallest number of operations of a subexpression that is abbreviated


@dataclass(frozen=True)
class AbbreviatedFormula:
    """A formula with letters for some of its parts, as pairs (letter, part); a part may contain other letters."""

    expression: sp.Expr
    letters: tuple[tuple[sp.Expr, sp.Expr], ...]
    arguments: tuple[Argument, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The LaTeX of the formula, followed by one equation for each letter."""
        definitions = (
            f"{latex(name)} = {latex(with_fractions(part), self.arguments)}"
            for name, part in self.letters
        )
        return (latex(with_fractions(self.expression), self.arguments), *definitions)

    @property
    def latex(self) -> str:
        """The formula and, if there are letters, their equations in one ``aligned`` block for displayed mathematics."""
        if not self.letters:
            return self.lines[0]
        return "\\begin{aligned}\n& " + " \\\\\n& ".join(self.lines) + "\n\\end{aligned}"

    def expanded(self) -> sp.Expr:
        """Return the formula with every letter replaced by its part."""
        parts = dict(self.letters)
        expression, shorter = self.expression.xreplace(parts), self.expression
        while expression != shorter:
            expression, shorter = expression.xreplace(parts), expression
        return expression

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"


def abbreviated(form: Form, longest: int = LONGEST_LINE) -> AbbreviatedFormula:
    """Return a closed form with the letters of the literature, and X_1, X_2, ... if it is longer than ``longest``."""
    expression, letters = lettered(form)
    if len(latex(expression, form.arguments)) > longest:
        expression, repeated = repeated_parts(expression)
        letters = [*letters, *repeated]
    return AbbreviatedFormula(expression, tuple(letters), form.arguments)


def repeated_parts(expression: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Symbol, sp.Expr]]]:
    """Return the expression with letters for its repeated parts, and their definitions, which use earlier letters."""
    bound = set(
        chain.from_iterable(node.atoms(sp.Symbol) for node in distinct(expression) if binds(node))
    )
    bound -= expression.free_symbols
    named, (whole,) = sp.cse(
        expression, symbols=sp.numbered_symbols("part", cls=sp.Dummy), ignore=bound
    )
    taken = {symbol.name for symbol in expression.atoms(sp.Symbol)}
    unused = (
        name
        for name in map("X_{{{}}}".format, range(1, len(named) + len(taken) + 1))
        if name not in taken
    )
    names: dict[sp.Symbol, sp.Expr] = {}
    letters: list[tuple[sp.Symbol, sp.Expr]] = []
    for symbol, part in named:
        written = part.xreplace(names)
        if written.count_ops() >= WORTH_A_LETTER:
            letters.append((sp.Symbol(next(unused)), written))
            written = letters[-1][0]
        names[symbol] = written
    return whole.xreplace(names), letters

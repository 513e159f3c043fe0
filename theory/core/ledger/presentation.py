"""Conversion of printed statements into plain data, which can be displayed without computer algebra."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.str import StrPrinter

from theory.core.ledger.algorithm import Algorithm
from theory.core.ledger.printed import Claim, Conditional, PrintedRelation, Word
from theory.core.ledger.typesetting import Letters, matrix_terms, typeset
from theory.core.text.plain_letters import plain

FORMULA, SENTENCE, CODE = "formula", "sentence", "code"
_SENTENCE = re.compile(r"\\text\{([^{}]*)\}")


class ShownLine(NamedTuple):
    """One line of a displayed statement.

    Args:
        kind: "formula", "sentence" or "code".
        text: plain text for a terminal.
        latex: LaTeX in the notation of the paper.
    """

    kind: str
    text: str
    latex: str


def lines(statement: Any, letters: Letters) -> tuple[ShownLine, ...]:
    """Return the lines of a statement without its condition; empty if there is no statement.

    Args:
        statement: formula, claim, statement under a condition, algorithm, or string of LaTeX.
        letters: the paper's LaTeX for symbols and functions, by name.
    """
    if statement is None or (isinstance(statement, str) and not statement):
        return ()
    if isinstance(statement, Conditional):
        return lines(statement.statement, letters)
    if isinstance(statement, sp.Tuple):
        return tuple(line for part in statement for line in lines(part, letters))
    return (ShownLine(*_kind_and_text(statement, letters), typeset(statement, letters)),)


def condition_lines(condition: Any, corrected: Any, letters: Letters) -> tuple[ShownLine, ...]:
    """Return the lines of a condition, which is given separately or as words "if ..." instead of a corrected form."""
    if isinstance(corrected, Conditional):
        return lines(corrected.condition, letters)
    return lines(condition or (corrected if is_condition(corrected) else ""), letters)


def is_condition(corrected: Any) -> bool:
    """Return whether a corrected form is only a condition in words."""
    return isinstance(corrected, str) and corrected.startswith(r"\text{if ")


def _kind_and_text(statement: Any, letters: Letters) -> tuple[str, str]:
    if isinstance(statement, Algorithm):
        return CODE, str(statement)
    if isinstance(statement, Claim):
        values = {
            n: str(v) if isinstance(v, Word) else _TextPrinter(letters).doprint(v) for n, v in statement.values.items()
        }
        return SENTENCE, statement.text.format(**values)
    if isinstance(statement, str):
        words = _SENTENCE.fullmatch(statement)
        return (SENTENCE, words[1].replace(r"\_", "_")) if words else (FORMULA, statement)
    return FORMULA, _TextPrinter(letters).doprint(statement)


class _TextPrinter(StrPrinter):
    """A printer of sympy expressions as text in the paper's letters, with the usual signs of relations."""

    def __init__(self, letters: Letters) -> None:
        super().__init__()
        self._letters = letters

    def doprint(self, expr: Any) -> str:
        return str(super().doprint(expr)).replace("**", "^").replace(".T", "^T")

    def _print_Or(self, expr: sp.Or) -> str:
        return " or ".join(self._print(part) for part in expr.args)

    def _print_And(self, expr: sp.And) -> str:
        return " and ".join(self._print(part) for part in expr.args)

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        latex = self._letters.get(expr.name, "#")
        return plain(sp.latex(sp.Symbol(expr.name)) if "#" in latex else latex)

    _print_MatrixSymbol = _print_Symbol

    def _print_Pi(self, expr: Any) -> str:
        return "π"

    def _print_Infinity(self, expr: Any) -> str:
        return "∞"

    def _print_Order(self, expr: Any) -> str:
        return f"O({self._print(expr.expr)})"

    def _print_Limit(self, expr: sp.Limit) -> str:
        what, variable, place = (self._print(part) for part in expr.args[:3])
        return f"lim_({variable} → {place}) {what}"

    def _print_Function(self, expr: Any) -> str:
        latex = self._letters.get(expr.func.__name__) if isinstance(expr, AppliedUndef) else None
        if latex is None:
            return str(super()._print_Function(expr))
        arguments = [self._print(argument) for argument in expr.args]
        return re.sub(r"#(\d)", lambda place: arguments[int(place[1]) - 1], plain(latex))

    def _print(self, expr: Any, **settings: Any) -> str:
        if not isinstance(expr, PrintedRelation):
            return str(super()._print(expr, **settings))
        sign = {r"\sim": "~", r"\propto": "∝", r"\simeq": "≈", r"\to": "→"}[expr.sign]
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_Relational(self, expr: Relational) -> str:
        signs = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
        return f"{self._print(expr.lhs)} {signs.get(expr.rel_op, expr.rel_op)} {self._print(expr.rhs)}"

    def _as_ordered_terms(self, expr: sp.Expr, order: Any = None) -> list[sp.Expr]:
        return matrix_terms(expr) if expr.is_MatAdd else list(super()._as_ordered_terms(expr, order))

    def _print_Implies(self, expr: sp.Implies) -> str:
        return " ⇒ ".join(self._print(part) for part in expr.args)

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        if isinstance(expr.expr, (AppliedUndef, sp.Symbol)) and len(expr.variable_count) == 1:
            (variable, order) = expr.variable_count[0]
            power = "" if order == 1 else f"^{order}"
            return f"d{power}{self._print(expr.expr)}/d{self._print(variable)}{power}"
        return str(super()._print_Derivative(expr))

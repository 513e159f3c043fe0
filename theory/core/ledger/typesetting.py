"""LaTeX of printed statements in the notation of their paper."""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from theory.core.ledger.algorithm import Algorithm
from theory.core.ledger.printed import Claim, Conditional, PrintedRelation, Word

Letters = Mapping[str, str]
_HALF = sp.Rational(1, 2)
_WITH_INDICES = re.compile(r"\\?[A-Za-z]+_\{(?:[^{}]|\{[^{}]*\})*\}")
_IN_BRACKETS = re.compile(r"\\left\((\\frac\{\d+\}\{\d+\})\\right\)")


def typeset(statement: Any, letters: Letters | None = None) -> str:
    """Return the LaTeX of a statement in the letters of its paper, by name; a string is returned unchanged.

    ``#1``, ``#2`` in a letter are arguments of the function; without them it is shown without arguments.
    """
    letters = letters or {}
    if isinstance(statement, str):
        return statement
    if isinstance(statement, Conditional):
        return rf"{typeset(statement.statement, letters)} \quad\text{{if}}\quad {typeset(statement.condition, letters)}"
    if isinstance(statement, Claim):
        return rf"\text{{{_sentence(statement, letters, _escaped)}}}"
    if isinstance(statement, Algorithm):
        code = [
            rf"\texttt{{{_escaped(line).replace(' ', '~')}}}"
            for line in str(statement).splitlines()
        ]
        return r"\begin{array}{l} " + r" \\ ".join(code) + r" \end{array}"
    if isinstance(statement, sp.Tuple):
        lines = r" \\ & ".join(typeset(line, letters) for line in statement)
        return lines if len(statement) == 1 else rf"\begin{{aligned}} & {lines} \end{{aligned}}"
    return str(_Printer(letters).doprint(statement))


def in_html(statement: Any, letters: Letters) -> str:
    """Return a statement for a notebook: sentences and code as HTML, formulas as LaTeX, which a notebook typesets."""
    if isinstance(statement, Algorithm):
        return f"<pre>{escape(str(statement))}</pre>"
    if isinstance(statement, Claim):
        return f"<p>{escape(_sentence(statement, letters, str))}</p>"
    return escape(rf"$$\displaystyle {typeset(statement, letters)}$$")


def _sentence(claim: Claim, letters: Letters, escaped: Callable[[str], str]) -> str:
    """Return a sentence with formulas between dollar signs, and its other words as ``escaped`` writes them."""
    values = {
        name: escaped(value.text) if isinstance(value, Word) else f"${typeset(value, letters)}$"
        for name, value in claim.values.items()
    }
    return escaped(claim.text).format(**values)


def _escaped(text: str) -> str:
    return re.sub(r"([_%&#])", r"\\\1", text)


def matrix_terms(expression: sp.MatAdd) -> list[sp.Expr]:
    """Return the terms of a sum of matrices, those with a minus sign last: x_2 - x_1 and not - x_1 + x_2."""
    return sorted(expression.args, key=lambda term: term.could_extract_minus_sign())


class _Printer(LatexPrinter):
    """sympy's LaTeX printer with the notation of a paper, and with dots for derivatives with respect to time ``t``."""

    def __init__(self, letters: Letters) -> None:
        super().__init__({"inv_trig_style": "full"})
        self._letters = dict(letters)

    def _print_Symbol(self, expr: sp.Symbol, style: str = "plain") -> str:
        letter = self._letters.get(expr.name, "#")
        return letter if "#" not in letter else super()._print_Symbol(expr, style)

    def _print_MatrixSymbol(self, expr: sp.MatrixSymbol) -> str:
        letter = self._letters.get(expr.name, "#")
        return letter if "#" not in letter else super()._print_MatrixSymbol(expr)

    def _print_Function(self, expr: Any, exp: str | None = None) -> str:
        name = expr.func.__name__
        if not isinstance(expr, AppliedUndef) or name not in self._letters:
            return super()._print_Function(expr, exp)
        shown = self._letters[name]
        for index, argument in enumerate(expr.args, 1):
            is_index = re.search(rf"_\{{[^{{}}]*#{index}", shown)
            shown = shown.replace(
                f"#{index}", self._small(argument) if is_index else self._print(argument)
            )
        if exp is None:
            return shown
        # A norm needs no bracket, and neither does a letter that has its arguments as indices.
        is_closed = (
            "#" not in self._letters[name]
            or shown.startswith(r"\left\|")
            or _WITH_INDICES.fullmatch(shown)
        )
        return rf"{{{shown}}}^{{{exp}}}" if is_closed else rf"\left({shown}\right)^{{{exp}}}"

    def _print_Add(self, expr: sp.Expr, order: Any = None) -> str:
        """Print a term that begins with a sign without the plus sign that sympy puts before it."""
        return (
            str(super()._print_Add(expr, order)).replace("+ - ", "- ").replace(r"+ \pm ", r"\pm ")
        )

    def _as_ordered_terms(self, expr: sp.Expr, order: Any = None) -> list[sp.Expr]:
        return (
            matrix_terms(expr) if expr.is_MatAdd else list(super()._as_ordered_terms(expr, order))
        )

    def _print_MatMul(self, expr: sp.MatMul) -> str:
        """Print a fraction in front of a matrix without the brackets that sympy puts around it."""
        return _IN_BRACKETS.sub(r"\1", super()._print_MatMul(expr))

    def _print_Mul(self, expr: sp.Expr) -> str:
        """Print products of roots under one root, as papers do: sqrt(2 pi) where sympy prints sqrt(2) sqrt(pi)."""
        if not expr.is_Mul:  # sympy also calls this method for the power 1/sqrt(x)
            return super()._print_Mul(expr)
        coefficient, factors = expr.as_coeff_mul()
        roots = {
            power: [f.base for f in factors if f.is_Pow and f.exp == power]
            for power in (_HALF, -_HALF)
        }
        for base in [
            base
            for base in roots[_HALF]
            if base.is_Integer and (coefficient * base).q < coefficient.q
        ]:
            coefficient *= base  # sqrt(2)/2 is 1/sqrt(2)
            roots[_HALF].remove(base)
            roots[-_HALF].append(base)
        rest = [factor for factor in factors if not (factor.is_Pow and abs(factor.exp) == _HALF)]
        gathered = [self._root(bases, power) for power, bases in roots.items() if bases]
        parts = [*([] if coefficient == 1 else [coefficient]), *gathered, *rest]
        return (
            super()._print_Mul(sp.Mul(*parts, evaluate=False))
            if len(parts) > 1
            else self._print(parts[0])
        )

    def _root(self, bases: list[sp.Expr], power: sp.Rational) -> sp.Expr:
        if len(bases) == 1:
            return sp.Pow(bases[0], power, evaluate=False)
        name = f"product {len(self._letters)}"
        ordered = sorted(bases, key=sp.default_sort_key)
        self._letters[name] = " ".join(
            self.parenthesize(base, PRECEDENCE["Mul"]) for base in ordered
        )
        return sp.Symbol(name, positive=True) ** power

    def _print_ExpBase(self, expr: sp.Expr, exp: str | None = None) -> str:
        return str(self._do_exponent(f"e^{{{self._small(expr.args[0])}}}", exp))

    def _print_HadamardProduct(self, expr: Any) -> str:
        return str(super()._print_HadamardProduct(expr)).replace(r"\circ", r"\odot")

    def _print_Heaviside(self, expr: Any, exp: str | None = None) -> str:
        return str(super()._print_Heaviside(expr, exp)).replace(r"\theta", r"\Theta", 1)

    def _small(self, expr: Any) -> str:
        """Print an exponent or an index over one letter or number with a solidus: a fraction would be hard to read."""
        above, below = sp.fraction(expr) if expr.is_Mul else (expr, sp.S.One)
        is_short = below != 1 and below.is_Atom and not above.is_Add
        return (
            f"{self._print(above)} / {self._print(below)}" if is_short else str(self._print(expr))
        )

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        in_time = [str(symbol) for symbol, _ in expr.variable_count] == ["t"]
        order = int(expr.derivative_count) if in_time else 0
        if in_time and order < 3 and isinstance(expr.expr, AppliedUndef):
            return rf"\{'d' * order}ot{{{self._print(expr.expr)}}}"
        return super()._print_Derivative(expr)

    def _print_PrintedRelation(self, expr: PrintedRelation) -> str:
        return f"{self._print(expr.lhs)} {expr.sign} {self._print(expr.rhs)}"

r"""What a paper printed, as an object that is typeset for the reader and read by the program that checks it.

A formula is a sympy object in the paper's notation: undefined functions, sums, integrals and derivatives as they stand.
A sentence is a :class:`Claim`: its words, and the values in them that can be right or wrong. A statement that holds
under a condition is :class:`Given`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import BooleanFunction
from sympy.printing.latex import LatexPrinter

Letters = Mapping[str, str]


class PrintedRelation(sp.Basic):
    """A relation that sympy has no sign for; ``lhs`` and ``rhs`` are its sides."""

    sign = ""

    def __new__(cls, left: Any, right: Any) -> PrintedRelation:
        """Takes both sides, numbers or expressions."""
        return super().__new__(cls, sp.sympify(left), sp.sympify(right))

    @property
    def lhs(self) -> Any:
        """Left-hand side."""
        return self.args[0]

    @property
    def rhs(self) -> Any:
        """Right-hand side."""
        return self.args[1]

    def _sympystr(self, printer: Any) -> str:
        return f"{printer.doprint(self.lhs)} {self.sign.removeprefix(chr(92))} {printer.doprint(self.rhs)}"


class Scales(PrintedRelation):
    """Left is proportional to right in a limit; constant factors do not count."""

    sign = r"\sim"


class Approximates(PrintedRelation):
    """Left is right to the printed digits."""

    sign = r"\simeq"


class Tends(PrintedRelation):
    """Left has the limit right."""

    sign = r"\to"


def equal(left: Any, right: Any) -> sp.Eq:
    """The equation as it stands, also where sympy sees that it is true or false."""
    return sp.Eq(sp.sympify(left), sp.sympify(right), evaluate=False)


class decimal(sp.NumberSymbol):
    """A number with the digits that are printed, ``decimal("1.180")``; its value is exact.

    Args:
        text: as printed.

    Raises:
        ValueError: if ``text`` is no finite decimal number.
    """

    __slots__ = ("text",)
    is_real = True

    def __new__(cls, text: str) -> decimal:
        """Takes the printed digits."""
        try:
            finite = Decimal(text).is_finite()
        except InvalidOperation:
            finite = False
        if not finite:
            raise ValueError(f"text: got {text!r}, needs a decimal number such as '1.180'")
        number = super().__new__(cls)
        number.text = text
        return number

    @property
    def exact(self) -> sp.Rational:
        """Its value."""
        return sp.Rational(self.text)

    @property
    def last_place(self) -> sp.Rational:
        """One unit of its last digit: 1/1000 of "1.180"."""
        return sp.Rational(10) ** int(Decimal(self.text).as_tuple().exponent)

    def __getnewargs__(self) -> tuple[str]:
        return (self.text,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, decimal) and self.text == other.text

    def __hash__(self) -> int:
        return hash((decimal, self.text))

    def _hashable_content(self) -> tuple[str]:
        return (self.text,)

    def _as_mpf_val(self, prec: int) -> Any:
        return self.exact._as_mpf_val(prec)

    def _eval_is_positive(self) -> bool:
        return bool(self.exact > 0)

    def _eval_is_negative(self) -> bool:
        return bool(self.exact < 0)

    def _eval_is_zero(self) -> bool:
        return bool(self.exact == 0)

    def _sympystr(self, _: Any) -> str:
        return self.text

    def _latex(self, _: Any) -> str:
        return self.text

    _pythoncode = _numpycode = _scipycode = _sympystr


@dataclass(frozen=True)
class Word:
    """A word of a sentence that can be right or wrong.

    Args:
        text: as printed, "furthest".
        others: what could stand there instead, ("closest",).
    """

    text: str
    others: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.others or self.text in self.others:
            raise ValueError(f"others: got {self.others}, needs at least one word that is not {self.text!r}")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Claim:
    """A printed sentence with the values in it that can be right or wrong; programs take the values from here.

    Args:
        text: the sentence, each value in braces: "The first points to drop out are the {extreme} ones."
        values: a :class:`Word`, number, or sympy expression for each pair of braces. A truth value is a Word.

    Raises:
        ValueError: if nothing in the sentence can be wrong, or the braces are not those of the values.
    """

    text: str
    values: Mapping[str, Any] = field(hash=False)

    def __post_init__(self) -> None:
        slots = {name for _, name, _, _ in string.Formatter().parse(self.text) if name}
        if not slots or slots != set(self.values):
            needed = ", ".join(sorted(slots)) or "at least one pair of braces in the text"
            raise ValueError(f"values: got {', '.join(self.values) or 'none'}, needs {needed}")
        if floats := [name for name, value in self.values.items() if isinstance(value, float)]:
            raise TypeError(f"values: got a float for {', '.join(floats)}, needs decimal(...) of its digits")
        checked = {k: v if isinstance(v, Word) else sp.sympify(v, strict=True) for k, v in self.values.items()}
        object.__setattr__(self, "values", checked)

    def __getitem__(self, name: str) -> Any:
        """The printed value: the text of a word, a sympy number or expression."""
        value = self.values[name]
        return value.text if isinstance(value, Word) else value

    def __str__(self) -> str:
        return self.text.format(**{name: str(value) for name, value in self.values.items()})


@dataclass(frozen=True)
class Given:
    """A statement under a condition.

    Args:
        statement: what is printed.
        condition: formula or claim without which it fails.
    """

    statement: Any
    condition: Any

    def __str__(self) -> str:
        return f"{self.statement} if {self.condition}"


Statement = sp.Basic | Claim | Given


def relations(statement: Any) -> tuple[Any, ...]:
    """The equations, inequalities and other relations of a statement, one after the other."""
    if isinstance(statement, Given):
        return relations(statement.statement)
    if isinstance(statement, (sp.Tuple, sp.And)):
        return tuple(relation for part in statement.args for relation in relations(part))
    if not hasattr(statement, "lhs") and not isinstance(statement, BooleanFunction):
        raise TypeError(f"statement: got {statement}, needs an equation, an inequality or a tuple of them")
    return (statement,)


def solved(equation: Any, letter: sp.Expr) -> sp.Expr:
    """What a printed equation says of a letter in which its left-hand side is linear.

    Raises:
        ValueError: if the left-hand side does not depend on the letter, or not linearly.
    """
    if equation.lhs == letter:
        return equation.rhs
    slope = sp.diff(equation.lhs, letter)
    if slope == 0 or slope.has(letter):
        raise ValueError(f"equation: got {equation}, needs a left-hand side that is linear in {letter}")
    return (equation.rhs - equation.lhs.subs(letter, 0)) / slope


def typeset(statement: Any, letters: Letters | None = None) -> str:
    """LaTeX of a statement in the letters of its paper; text stays as it is.

    Args:
        statement: formula, claim, statement under a condition, or LaTeX text.
        letters: LaTeX for symbols and undefined functions by their names; ``#1``, ``#2`` stand for arguments, and a
            function without them is shown without its arguments.
    """
    letters = letters or {}
    if isinstance(statement, str):
        return statement
    if isinstance(statement, Given):
        return rf"{typeset(statement.statement, letters)} \quad\text{{if}}\quad {typeset(statement.condition, letters)}"
    if isinstance(statement, Claim):
        values = {name: _in_text(value, letters) for name, value in statement.values.items()}
        return rf"\text{{{_escaped(statement.text).format(**values)}}}"
    if isinstance(statement, sp.Tuple):
        lines = r" \\ & ".join(typeset(line, letters) for line in statement)
        return lines if len(statement) == 1 else rf"\begin{{aligned}} & {lines} \end{{aligned}}"
    return str(_Printer(letters).doprint(statement))


def _in_text(value: Any, letters: Letters) -> str:
    return _escaped(value.text) if isinstance(value, Word) else f"${typeset(value, letters)}$"


def _escaped(text: str) -> str:
    return re.sub(r"([_%&#])", r"\\\1", text)


class _Printer(LatexPrinter):
    """sympy's printer with the letters of a paper, and dots for derivatives in the time ``t``."""

    def __init__(self, letters: Letters) -> None:
        super().__init__({"inv_trig_style": "full"})
        self._letters = letters

    def _print_Symbol(self, expr: sp.Symbol, style: str = "plain") -> str:
        letter = self._letters.get(expr.name, "#")
        return letter if "#" not in letter else super()._print_Symbol(expr, style)

    def _print_MatrixSymbol(self, expr: sp.MatrixSymbol) -> str:
        return self._letters.get(expr.name) or super()._print_MatrixSymbol(expr)

    def _print_Function(self, expr: Any, exp: str | None = None) -> str:
        name = expr.func.__name__
        if not isinstance(expr, AppliedUndef) or name not in self._letters:
            return super()._print_Function(expr, exp)
        shown = self._letters[name]
        for index, argument in enumerate(expr.args, 1):
            shown = shown.replace(f"#{index}", self._print(argument))
        if exp is None:
            return shown
        return rf"{{{shown}}}^{{{exp}}}" if "#" not in self._letters[name] else rf"\left({shown}\right)^{{{exp}}}"

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        in_time = [str(symbol) for symbol, _ in expr.variable_count] == ["t"]
        order = int(expr.derivative_count) if in_time else 0
        if in_time and order < 3 and isinstance(expr.expr, AppliedUndef):
            return rf"\{'d' * order}ot{{{self._print(expr.expr)}}}"
        return super()._print_Derivative(expr)

    def _print_PrintedRelation(self, expr: PrintedRelation) -> str:
        return f"{self._print(expr.lhs)} {expr.sign} {self._print(expr.rhs)}"

r"""Printed statements as objects that are both typeset for the reader and read by the program that checks them.

A formula is a sympy object in the paper's notation, with unevaluated sums, integrals and derivatives and undefined
functions. A sentence is a :class:`Claim`: its words, and the values in them that can be right or wrong. An algorithm is
an :class:`theory.core.Algorithm`. A statement that holds under a condition is a :class:`Conditional`.
"""

import numbers
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeAlias

import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from closedform import checks
from theory.core.formula.parsing import sympy_object
from theory.core.ledger.algorithm import Algorithm


class PrintedRelation(sp.Basic):
    """A relation that sympy does not have, with the sides ``lhs`` and ``rhs``; ``sign`` is its LaTeX."""

    sign = ""

    def __new__(cls, left: Any, right: Any) -> "PrintedRelation":
        """Create the relation of two sides, which are numbers or expressions."""
        return super().__new__(cls, sympy_object("left", left), sympy_object("right", right))

    @property
    def lhs(self) -> Any:
        """The left-hand side."""
        return self.args[0]

    @property
    def rhs(self) -> Any:
        """The right-hand side."""
        return self.args[1]

    def _sympystr(self, printer: Any) -> str:
        return f"{printer.doprint(self.lhs)} {self.sign.removeprefix(chr(92))} {printer.doprint(self.rhs)}"


class Scales(PrintedRelation):
    """The left-hand side is asymptotically proportional to the right-hand side; constant factors are ignored.

    >>> n = sp.Symbol("n", positive=True)
    >>> Scales(n**2 + n, n**2).lhs
    n**2 + n
    """

    sign = r"\sim"


class Proportional(Scales):
    """The left-hand side is the right-hand side times a positive factor.

    >>> print(Proportional(*sp.symbols("E V")))
    E propto V
    """

    sign = r"\propto"


class Approximates(PrintedRelation):
    """The left-hand side equals the right-hand side to the number of printed digits.

    >>> Approximates(sp.sqrt(2), sp.Float("1.414"))
    sqrt(2) simeq 1.414
    """

    sign = r"\simeq"


class Tends(PrintedRelation):
    """The left-hand side tends to the right-hand side.

    >>> n = sp.Symbol("n", positive=True)
    >>> Tends(1 / n, sp.Integer(0)).rhs
    0
    """

    sign = r"\to"


def equal(left: Any, right: Any) -> sp.Eq:
    """Return the unevaluated equation ``left = right``, even if sympy can decide whether it is true.

    Args:
        left, right: its sides, expressions or numbers.

    Raises:
        TypeError: if a side is no expression.

    >>> equal(sp.Integer(1), sp.Integer(1))
    Eq(1, 1)
    """
    return sp.Eq(sympy_object("left", left), sympy_object("right", right), evaluate=False)


@dataclass(frozen=True)
class Word:
    """A word of a sentence that can be right or wrong, and the words in its place that would change the meaning.

    ValueError is raised for no other words, or the same one.

    >>> str(Word("increases", ("decreases",)))
    'increases'
    """

    text: str
    others: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "others", checks.texts("others", self.others))
        if not self.others or checks.text("text", self.text) in self.others:
            raise ValueError(
                f"others: got {self.others}, needs at least one word that is not {self.text!r}"
            )

    def exchanged(self, text: str) -> "Word":
        """Return one of the other words in the place of this one."""
        return Word(text, (self.text, *(other for other in self.others if other != text)))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Claim:
    """A printed sentence with the values in it that can be right or wrong; programs read the values from it.

    Each name in braces has a :class:`Word`, number or sympy expression; ValueError if others have, or there is none, or
    the braces do not match, and TypeError for a float.

    >>> print(Claim("The factor is {a}.", {"a": 3}))
    The factor is 3.
    """

    text: str
    values: Mapping[str, Any] = field(hash=False)

    def __post_init__(self) -> None:
        slots = _slots(checks.text("text", self.text))
        if not slots or slots != set(checks.mapping("values", self.values)):
            needed = ", ".join(sorted(slots)) or "at least one pair of braces in the text"
            raise ValueError(
                f"values: got {', '.join(map(checks.shown, self.values)) or 'none'}, needs {needed}"
            )
        floats = [name for name, value in self.values.items() if _is_float(value)]
        if floats:
            raise TypeError(
                f"values: got a float for {', '.join(floats)}, needs decimal(...) of its digits"
            )
        checked = {
            k: v if isinstance(v, Word) else sympy_object(k, v) for k, v in self.values.items()
        }
        object.__setattr__(self, "values", checked)

    def __getitem__(self, name: str) -> Any:
        """Return a printed value: the text of a word, or a sympy number or expression."""
        value = self.values[name]
        return value.text if isinstance(value, Word) else value

    def __str__(self) -> str:
        return self.text.format(**{name: str(value) for name, value in self.values.items()})


def _slots(text: str) -> set[str]:
    """Return the names in the braces of a text."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}
    except ValueError as error:
        raise ValueError(
            f"text: got {checks.shown(text)} ({error}), needs braces in pairs"
        ) from None


def _is_float(value: Any) -> bool:
    """Return whether a number is one of Python or numpy that was rounded to binary digits."""
    is_rounded = isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational)
    return is_rounded and not isinstance(value, sp.Basic)


@dataclass(frozen=True)
class Conditional:
    """A statement under a condition, the formula or claim without which it fails.

    >>> x = sp.Symbol("x")
    >>> Conditional(equal(sp.sqrt(x**2), x), x > 0).condition
    x > 0
    """

    statement: Any
    condition: Any

    def __str__(self) -> str:
        return f"{self.statement} if {self.condition}"


Statement: TypeAlias = sp.Basic | Claim | Conditional | Algorithm


def relations(statement: Any) -> tuple[Any, ...]:
    """Return the equations, inequalities and other relations of a statement, in order.

    Args:
        statement: a relation, a tuple or conjunction of them, or one of these with a condition.

    Raises:
        TypeError: if the statement does not consist of relations.

    >>> x = sp.Symbol("x")
    >>> relations(sp.And(x > 0, sp.Eq(x, 2)))
    (Eq(x, 2), x > 0)
    """
    if isinstance(statement, Conditional):
        return relations(statement.statement)
    if isinstance(statement, (sp.Tuple, sp.And)):
        return tuple(chain.from_iterable(relations(part) for part in statement.args))
    is_relation = isinstance(statement, sp.Basic) and hasattr(statement, "lhs")
    if not is_relation and not isinstance(statement, BooleanFunction):
        got = checks.shown(statement)
        raise TypeError(
            f"statement: got {got}, needs an equation, an inequality or a tuple of them"
        )
    return (statement,)


def solved(equation: Any, letter: sp.Expr) -> sp.Expr:
    """Solve a printed equation for a letter in which its left-hand side is linear, and return the result.

    Args:
        equation: the printed equation.
        letter: the letter for which it is solved.

    Raises:
        TypeError: if the equation has no sides, or is an inequality, or the letter is no expression.
        ValueError: if the left-hand side is not a linear function of the letter, or does not depend on it.

    >>> x, y = sp.symbols("x y")
    >>> solved(sp.Eq(2 * x + y, 4), x)
    2 - y/2
    """
    if not isinstance(equation, (sp.Equality, PrintedRelation)):
        raise TypeError(
            f"equation: got {checks.shown(equation)}, needs an equation with two sides"
        )
    checks.instance("letter", letter, sp.Expr, "an expression of sympy")
    if equation.lhs == letter:
        return equation.rhs
    slope = sp.diff(equation.lhs, letter)
    if slope == 0 or slope.has(letter):
        raise ValueError(
            f"equation: got {equation}, needs a left-hand side that is linear in {letter}"
        )
    return (equation.rhs - equation.lhs.subs(letter, 0)) / slope

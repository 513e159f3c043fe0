"""Formulas and exact numbers from text, by the grammar of ``closedform.expressions``; nothing is ever executed."""

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp

from closedform import expressions
from closedform.expressions import MOST_DIGITS, shortened

_LARGEST_EXPONENT = 1000
_LARGEST_ARGUMENT = 2000
_MOST_COMPARED = 14  # functions of which sympy compares each with each to find the largest
_MOST_TERMS = 1000  # of a Hermite polynomial of a sum, written out
# of numbers in functions, whose digits have to be known beyond their exponents
_BITS_OF_AN_ARGUMENT = 1000
_BITS_PER_DIGIT = 3.33
_FAST_GROWING = (
    *(
        "exp",
        "sinh",
        "cosh",
        "gamma",
        "loggamma",
        "factorial",
        "factorial2",
        "erfi",
        "besseli",
        "Ei",
        "Shi",
        "Chi",
    ),
    "He",
)


def _hermite(q: sp.Expr, x: sp.Expr) -> sp.Expr:
    if not (q.is_Integer and 0 <= q <= _LARGEST_EXPONENT):
        raise ValueError(f"degree of He: got {q}, needs an integer from 0 to {_LARGEST_EXPONENT}")
    degree, terms = int(q), len(sp.Add.make_args(x))
    if math.comb(degree + terms, terms) > _MOST_TERMS and terms > 1:
        raise ValueError(
            f"He: got degree {degree} of a sum of {terms} terms, needs at most {_MOST_TERMS} terms in all"
        )
    numbers = [number for number in x.atoms(sp.Rational) if number not in (0, 1, -1)]
    require_digits(
        degree
        * max((max(int(n.p).bit_length(), int(n.q).bit_length()) for n in numbers), default=0)
    )
    last, coefficient, total = degree % 2, 1, []
    # the coefficient of the next lower power follows from each
    for power in range(degree, last - 1, -2):
        total.append(coefficient * x**power)
        coefficient = -coefficient * power * (power - 1) // (degree - power + 2)
    return sp.expand(sp.Add(*total)) if x.is_Add else sp.Add(*total)


CONSTANTS: Mapping[str, sp.Expr] = {name: getattr(sp, name) for name in expressions.CONSTANTS}
OPERATIONS: Mapping[str, Callable[..., sp.Expr]] = {
    **{name: getattr(sp, name) for name in expressions.FUNCTIONS if name not in ("relu", "He")},
    "relu": lambda x: sp.Max(0, x),
    "He": _hermite,
    expressions.NEGATIVE: lambda x: -x,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: _power(a, b),
}


def parse(text: str, symbols: Mapping[str, sp.Expr] | None = None) -> sp.Expr:
    """Return the expression in ``symbols`` that a string contains, nothing of which is executed, or a ValueError."""
    ratio = expressions.ratio(text)
    if ratio is not None:
        return _finite(_rational(ratio), text)

    def apply(operation: str, arguments: Sequence[sp.Expr]) -> sp.Expr:
        if operation in _FAST_GROWING:
            _require_arguments(operation, arguments)
        if (
            operation in ("Max", "Min")
            and sum(not argument.is_polynomial() for argument in arguments) > _MOST_COMPARED
        ):
            raise ValueError(
                f"{operation} takes at most {_MOST_COMPARED} functions that are no polynomials"
            )
        if operation in expressions.FUNCTIONS:
            _require_moderate_numbers(operation, arguments)
        try:
            return _finite(OPERATIONS[operation](*arguments), text)
        # faults of sympy at extreme numbers
        except (AttributeError, NotImplementedError, RecursionError) as error:
            raise ValueError(
                f"got {shortened(text)!r}, of which {operation} has no value ({error})"
            ) from None

    return _finite(
        expressions.read(text, {**CONSTANTS, **(symbols or {})}, _rational, apply), text
    )


def require_moderate(expression: sp.Basic) -> None:
    """Raise ValueError for what text may not contain either: too many levels or digits, and powers that have these."""
    seen: set[sp.Basic] = set()

    def visit(node: sp.Basic, level: int) -> None:
        if level > expressions.MOST_LEVELS:
            raise ValueError(
                f"got more than {expressions.MOST_LEVELS} operations inside one another"
            )
        if node in seen:
            return
        seen.add(node)
        if node.is_Rational:
            require_digits(max(int(node.p).bit_length(), int(node.q).bit_length()))
        for argument in node.args:
            visit(argument, level + 1)
        if node.is_Pow and node.base.is_number:
            _require_exponent(*node.args)
        elif type(node).__name__ in _FAST_GROWING:
            _require_arguments(type(node).__name__, node.args)

    visit(expression, 0)


def require_digits(bits: Any) -> None:
    """Raise ValueError for numbers of more bits than the digits that a text may have."""
    if bits > _BITS_PER_DIGIT * MOST_DIGITS:
        raise ValueError(f"a number may have at most {MOST_DIGITS} digits, got one that has more")


def _require_exponent(base: sp.Expr, exponent: sp.Expr) -> None:
    if _exceeds(exponent, _LARGEST_EXPONENT):
        raise ValueError(
            f"an exponent may be at most {_LARGEST_EXPONENT}, got {shortened(str(exponent))}"
        )
    if base.is_Rational and exponent.is_Rational and not exponent.is_Integer:
        _require_moderate_numbers("a root", [base])
    if base.is_Rational and exponent.is_Rational:
        require_digits(max(int(base.p).bit_length(), int(base.q).bit_length()) * abs(exponent))


def _require_arguments(function: str, arguments: Sequence[sp.Expr]) -> None:
    if any(_exceeds(argument, _LARGEST_ARGUMENT) for argument in arguments):
        raise ValueError(f"{function} takes numbers of magnitude {_LARGEST_ARGUMENT} at most")


def _require_moderate_numbers(operation: str, arguments: Sequence[sp.Expr]) -> None:
    """Raise ValueError for ratios of too many digits in a function: those of its value are looked for in vain."""
    ratios = [argument for argument in arguments if argument.is_Rational]
    # of a product of small primes, such as a factorial, the root is found at once
    if operation in ("sqrt", "a root"):
        ratios = [
            _without_small_primes(int(ratio.p)) / sp.Integer(_without_small_primes(int(ratio.q)))
            for ratio in ratios
        ]
    if any(
        max(int(ratio.p).bit_length(), int(ratio.q).bit_length()) > _BITS_OF_AN_ARGUMENT
        for ratio in ratios
    ):
        most = int(_BITS_OF_AN_ARGUMENT / _BITS_PER_DIGIT)
        raise ValueError(f"{operation} takes numbers of at most {most} digits with their zeros")


def _rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    _require_exponent(base, exponent)
    return base**exponent


def _exceeds(value: sp.Expr, bound: int) -> bool:
    """Whether a number is larger than a bound in magnitude; False for what has symbols in it."""
    return bool(value.is_number and not abs(value.evalf(5)) <= bound)


def _finite(value: Any, text: str) -> sp.Expr:
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise ValueError(f"got {shortened(text)!r}, which is not finite")
    if value.is_Rational:
        require_digits(max(int(value.p).bit_length(), int(value.q).bit_length()))
    return value


def sympy_object(name: str, value: Any, needs: str = "a number or an object of sympy") -> Any:
    """Return a number or an object of sympy as an immutable one; TypeError for others, and for text (:func:`parse`)."""
    if isinstance(value, sp.MatrixBase):
        return value.as_immutable()
    if not isinstance(value, (sp.Basic, numbers.Number, mpmath.mpf, mpmath.mpc)):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
    return sp.sympify(value, strict=True)


def _without_small_primes(number: int) -> int:
    """Return what is left of an integer without its prime factors below 2000."""
    for prime in sp.primerange(2000) if number else ():
        while number % prime == 0:
            number //= prime
    return number

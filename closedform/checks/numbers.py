"""Checks of single numbers and of sequences of integers, for numbers of Python, numpy and sympy."""

import math
import numbers
from functools import partial
from typing import Any, TypeVar

from closedform.checks.plain import plain, require, sequence, shown

Number = TypeVar("Number", int, float)

LARGEST_INTEGER = 2**63 - 1  # of 64 bits with a sign
LARGEST_SEED = LARGEST_INTEGER  # of torch
LARGEST_SIZE = 10**9  # number of points, neurons, steps or seeds that no machine can finish
# of a network, or of a limit of infinite width; each takes time, however narrow it is
MOST_LAYERS = 100_000
# learning rate or scale; a larger one is a mistake, and its products overflow
LARGEST_REAL = 1e200


def integer(name: str, value: Any, least: int | None = None, most: int = LARGEST_INTEGER) -> int:
    """Return ``value`` as an int from ``least`` to ``most``; booleans and floats, such as 2.0, are refused."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: got {shown(value)}, needs {_range_of_integers(least, most)}")
    number = int(value)
    if number > most or (least is not None and number < least):
        raise ValueError(
            f"{name}: got {shown(number)}, needs {_range_of_integers(least, most, number)}"
        )
    return number


def _range_of_integers(least: int | None, most: int, got: int | None = None) -> str:
    """Return the requirement in words; a limit of the machine is stated only if it is exceeded."""
    if most in (LARGEST_INTEGER, LARGEST_SIZE) and not (got is not None and got > most):
        return "an integer" if least is None else f"an integer of at least {least}"
    return (
        f"an integer of at most {most}" if least is None else f"an integer from {least} to {most}"
    )


def integers(
    name: str,
    value: Any,
    least: int | None = None,
    most: int = LARGEST_INTEGER,
    *,
    some: bool = False,
) -> tuple[int, ...]:
    """Return a tuple of integers in the given range; with ``some``, an empty sequence is refused."""
    result = tuple(
        integer(name, number, least, most) for number in sequence(name, value, "integers")
    )
    require(not some or bool(result), name, "none", "at least one")
    return result


def size(name: str, value: Any, least: int = 1) -> int:
    """Return ``value`` as an integer from ``least`` to ``LARGEST_SIZE``, so that no size exhausts the memory."""
    return integer(name, value, least, LARGEST_SIZE)


def sizes(name: str, value: Any, least: int = 1, *, some: bool = False) -> tuple[int, ...]:
    """Return :func:`integers` of which each is a :func:`size`."""
    return integers(name, value, least, LARGEST_SIZE, some=some)


def layers(name: str, value: Any, least: int = 1) -> int:
    """Return ``value`` as a number of layers, an integer from ``least`` to ``MOST_LAYERS``."""
    return integer(name, value, least, MOST_LAYERS)


def seed(name: str, value: Any) -> int:
    """Return ``value`` as the seed of a random generator, an integer from 0 to ``LARGEST_SEED``."""
    return integer(name, value, 0, LARGEST_SEED)


def increasing(name: str, numbers: tuple[Number, ...], fewest: int = 1) -> tuple[Number, ...]:
    """Return the numbers, of which each must be larger than the one before; ValueError otherwise, or for too few."""
    is_increasing = list(numbers) == sorted(set(numbers))
    require(
        len(numbers) >= fewest and is_increasing, name, numbers, f"at least {fewest}, increasing"
    )
    return numbers


def real_number(
    name: str,
    value: Any,
    needs: str = "",
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
) -> float:
    """Return ``value``, also an array of shape [], as a finite float within limits, which ``needs`` puts in words."""
    needed = partial(_range_of_numbers, needs, least, above, most, below)
    value = plain(name, value)
    is_array = getattr(value, "ndim", None) == 0 and hasattr(value, "item")
    number = value.item() if is_array else value
    if isinstance(number, bool) or not isinstance(number, numbers.Real):
        raise TypeError(f"{name}: got {shown(value)}, needs {needed()}")
    try:
        result = float(number)
    except OverflowError:  # an integer beyond the range of float64
        raise ValueError(
            f"{name}: got a number beyond the range of float64, needs {needed()}"
        ) from None
    if result == 0 and number != 0:  # of a type with a wider range
        raise ValueError(
            f"{name}: got a number below the range of float64 that is not 0, needs {needed()}"
        )
    if not (math.isfinite(result) and least <= result <= most and above < result < below):
        raise ValueError(f"{name}: got {result!r}, needs {needed(result)}")
    return result


def exact_number(name: str, number: Any, rounded: float) -> None:
    """Raise ValueError if ``number`` is whole and ``rounded``, the float64 that takes its place, is another one."""
    is_whole = isinstance(number, numbers.Rational) and number.denominator == 1
    if is_whole and (not math.isfinite(rounded) or int(number) != int(rounded)):
        needs = "one that it holds, such as the difference from a round number, or a float"
        raise ValueError(
            f"{name}: got {shown(int(number))}, which float64 does not hold exactly, needs {needs}"
        )


def _range_of_numbers(
    needs: str, least: float, above: float, most: float, below: float, got: float | None = None
) -> str:
    """Return the requirement in words: "a finite number", "a positive number", "a number in [0, 1)"."""
    if needs:
        return needs
    if most == LARGEST_REAL and not (got is not None and most < got < math.inf):
        most = math.inf
    low, high = max(least, above), min(most, below)
    if low == -math.inf and high == math.inf:
        return "a finite number"
    if high == math.inf:
        if above < least:
            return f"a number of at least {least:g}"
        return "a positive number" if above == 0 else f"a number above {above:g}"
    if low == -math.inf:
        return f"a number of at most {most:g}" if most < below else f"a number below {below:g}"
    return f"a number in {'[' if above < least else '('}{low:g}, {high:g}{']' if most < below else ')'}"


def positive_number(name: str, value: Any, unit: str = "") -> float:
    """Return ``value`` as a positive, finite float; messages give its ``unit``."""
    return real_number(name, value, f"a positive number of {unit}" if unit else "", above=0)


def nonnegative_number(name: str, value: Any) -> float:
    """Return ``value`` as a nonnegative, finite float."""
    return real_number(name, value, least=0)


def share(name: str, value: Any) -> float:
    """Return ``value`` as a float between 0 and 1, both excluded."""
    return real_number(name, value, "a number between 0 and 1", above=0, below=1)

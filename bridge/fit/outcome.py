"""What one of several computations gives: its result, or its error, which does not stop the others."""

from collections.abc import Callable
from typing import TypeVar

Failure = TypeError | ValueError | ArithmeticError
T = TypeVar("T")


def attempt(compute: Callable[[], T]) -> T | Failure:
    """Return what a function returns, or its error."""
    try:
        return compute()
    except (TypeError, ValueError, ArithmeticError) as failure:
        return failure


def raised(outcome: T | Failure) -> T:
    """Raise an error, and return anything else."""
    if isinstance(outcome, Failure):
        raise outcome
    return outcome

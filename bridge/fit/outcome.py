"""What one of several computations gives: its result, or its error, which does not stop the others."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

TOGETHER = 32  # computations whose arrays are in the cache at once
Failure = TypeError | ValueError | ArithmeticError
S = TypeVar("S")
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


def each(compute: Callable[..., T], calls: Iterable[tuple[Any, ...]]) -> list[T | Failure]:
    """Return the result, or the error, of ``compute(*arguments)`` for the arguments of each call."""
    return [attempt(partial(compute, *arguments)) for arguments in calls]


def together(
    compute: Callable[[Sequence[S]], list[T]], inputs: Sequence[Any], kind: Callable[[S], Hashable]
) -> list[Any]:
    """Return what ``compute`` gives for several inputs of equal ``kind`` at once; where that fails, for each alone.

    Args:
        compute: a function of several inputs of one kind, whose results do not depend on which are together.
        inputs: what to compute; errors and None among them stay in their places.
        kind: a function of an input; only inputs with the same value are computed at once.

    Returns:
        The result or the error of each input, in their order.
    """
    outcomes, alike = [*inputs], dict[Hashable, list[int]]()
    for index, value in enumerate(inputs):
        if value is not None and not isinstance(value, Failure):
            alike.setdefault(kind(value), []).append(index)
    waiting: list[Any] = []
    for indices in alike.values():
        waiting += np.array_split(indices, -(-len(indices) // TOGETHER))
    for chosen in waiting:
        results = attempt(partial(compute, [inputs[index] for index in chosen]))
        if not isinstance(results, Failure):
            for index, result in zip(chosen, results, strict=True):
                outcomes[index] = result
        elif len(chosen) == 1:
            outcomes[chosen[0]] = results
        else:
            waiting += np.split(chosen, len(chosen))
    return outcomes

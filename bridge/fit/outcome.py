"""What one of several computations gives: its result, or its error, which does not stop the others."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import chain
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


def each(compute: Callable[..., T], given: Iterable[Any]) -> list[Any]:
    """Return what ``compute(*arguments)`` gives for each of the given; errors and None among these stay."""
    return [one if one is None or isinstance(one, Failure) else attempt(partial(compute, *one)) for one in given]


def together(
    compute: Callable[[Sequence[S]], list[T]], given: Sequence[Any], kind: Callable[[S], Hashable]
) -> list[Any]:
    """Return what ``compute`` gives for several of equal ``kind`` at once; where that fails, for each of them alone.

    Errors and None among the ``given`` stay.
    """
    found, places = [*given], dict[Hashable, list[int]]()
    for place, one in enumerate(given):
        if one is not None and not isinstance(one, Failure):
            places.setdefault(kind(one), []).append(place)
    waiting = list(chain.from_iterable(np.array_split(alike, -(-len(alike) // TOGETHER)) for alike in places.values()))
    for chosen in waiting:
        outcome = attempt(partial(compute, [given[place] for place in chosen]))
        if isinstance(outcome, Failure) and len(chosen) > 1:
            waiting += np.split(chosen, len(chosen))
            continue
        for place, one in zip(chosen, [outcome] if isinstance(outcome, Failure) else outcome, strict=True):
            found[place] = one
    return found

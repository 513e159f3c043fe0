"""Functions of an activation that keep their results, and that also take its name or an expression."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from theory.activations.activation import Activation
from theory.activations.naming import ActivationLike, activation

Others = ParamSpec("Others")
Result = TypeVar("Result")
OfActivation = Callable[Concatenate[Activation, Others], Result]
OfActivationLike = Callable[Concatenate[ActivationLike, Others], Result]


def cached(maxsize: int) -> Callable[[OfActivation[Others, Result]], OfActivationLike[Others, Result]]:
    """Return a decorator for functions whose first argument is an activation ``act`` and whose results are kept.

    The decorated function also takes the name of an activation or an expression in ``z``, and raises TypeError or
    ValueError for anything else.

    Args:
        maxsize: number of results that are kept.
    """

    def decorate(function: OfActivation[Others, Result]) -> OfActivationLike[Others, Result]:
        kept: Callable[..., Any] = lru_cache(maxsize)(function)

        @wraps(function)
        def checked(act: ActivationLike, *others: Others.args, **named: Others.kwargs) -> Any:
            for value in (*others, *named.values()):
                if not isinstance(value, Hashable):
                    raise TypeError(
                        f"{function.__name__}: got {type(value).__name__} next to the activation, needs numbers; "
                        "the result's function() takes arrays"
                    )
            return kept(activation("act", act), *others, **named)

        return checked

    return decorate

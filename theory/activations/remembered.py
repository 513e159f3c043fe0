"""Functions of an activation that keep their results; they check the activation before they look for a result."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from theory.activations.activation import Activation

Function = TypeVar("Function", bound=Callable[..., Any])


def require_activation(act: Any, name: str = "act") -> None:
    """Raise TypeError unless ``act``, the argument called ``name``, is an activation."""
    if not isinstance(act, Activation):
        raise TypeError(f"{name} must be an Activation of theory.activations, got {type(act).__name__}")


def remembered(maxsize: int) -> Callable[[Function], Function]:
    """Return a decorator for functions whose first argument is an activation ``act`` and whose results are kept.

    The decorated function raises TypeError for anything else, also for what has no hash, as a list.

    Args:
        maxsize: number of results that are kept.
    """

    def decorate(function: Function) -> Function:
        cached = lru_cache(maxsize)(function)

        @wraps(function)
        def checked(act: Activation, *others: Any, **named: Any) -> Any:
            require_activation(act)
            return cached(act, *others, **named)

        return cast(Function, checked)

    return decorate

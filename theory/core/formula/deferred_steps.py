"""Steps of a derivation that are made when they are first read, so that a number is computed without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from theory.core.proof.derivation import Check, Step


@dataclass(frozen=True)
class Deferred:
    """The function that returns the steps."""

    steps: Callable[[], tuple[Step | Check, ...]]


def deferred(steps: Callable[[], tuple[Step | Check, ...]]) -> tuple[Step | Check, ...]:
    """Return ``steps`` of a closed form that are made when somebody reads them: to show, to check or to build on them.

    Args:
        steps: function that returns the derivation.

    >>> import sympy as sp
    >>> from theory.core import Step
    >>> x = sp.Symbol("x")
    >>> type(deferred(lambda: (Step("binomial", (x + 1) ** 2, x**2 + 2 * x + 1),))).__name__
    'Deferred'
    """
    return cast("tuple[Step | Check, ...]", Deferred(steps))

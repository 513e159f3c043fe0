"""What an error says about values that are refused: the first fraction, or the point that violates a condition most.

Importing this module does not import numpy, so that a formula is shown quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument, Condition


def first_fraction(values: Any) -> Any:
    """Return the first entry of an array of any backend that is not an integer."""
    return next(value for value in _array(values).ravel() if value % 1 != 0)


def violation(condition: Condition, arguments: Sequence[Argument], values: Sequence[Any], gaps: Any) -> str:
    """Return the condition in words, and the values of its arguments where ``gaps``, those of its gap, are smallest."""
    import numpy as np

    worst = int(np.argmin(_array(gaps)))
    points = [column.ravel()[worst] for column in np.broadcast_arrays(*map(_array, values))]
    involved = condition.gap.free_symbols
    at = [f"{a.name} = {float(x):.15g}" for a, x in zip(arguments, points, strict=True) if a.symbol in involved]
    return f"{condition.sentence}; got {', '.join(at)}"


def _array(values: Any) -> Any:
    import numpy as np

    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)

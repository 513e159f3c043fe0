"""The families of closed forms of this subject and their listed members, without an import of computer algebra."""

from typing import Any

from closedform.suggestions import unknown
from theory import compression
from theory.core.facade.family import Family, Parameter

REGIMES = ("lazy", "feature")
SHAPES = {1: "interval", 2: "cylinder"}


def _regime(name: str, value: Any) -> str:
    if not isinstance(value, str) or value not in REGIMES:
        raise ValueError(f"{name}: {unknown('regime', value, REGIMES)}")
    return value


def _shape(name: str, value: Any) -> str:
    """Return the name of the shape, given its name or its number of informative directions."""
    from theory.core.numbers.arguments import integer

    if isinstance(value, str) and value in SHAPES.values():
        return value
    count = integer(name, value, 1)
    if count not in SHAPES:
        raise ValueError(f"{name}: got {count}; only 1 and 2 have a closed form")
    return SHAPES[count]


learning_curve_exponent = Family(
    "compression.learning_curve_exponent",
    "Exponent of the test error in the number of training points.",
    (
        Parameter(
            "regime",
            "lazy (no compression) or feature (the amplification grows as a square root)",
            _regime,
        ),
    ),
    lambda regime: compression.learning_curve_exponent(regime),
    REGIMES,
)
equiprobable_radius = Family(
    "compression.equiprobable_radius",
    "Radius that holds half of the Gaussian data.",
    (
        Parameter(
            "d_parallel", "number of informative directions: 1 (interval) or 2 (cylinder)", _shape
        ),
    ),
    lambda shape: compression.equiprobable_radius(
        next(count for count, name in SHAPES.items() if name == shape)
    ),
    ("cylinder",),
)

"""The activations that have a name, each with the expression in ``z`` that it stands for: one table for everything.

Theory makes formulas of these expressions, empirics functions of tensors; configurations and the command line take the
same texts: a name or one of its aliases (``"swish"``, ``"silu"``), a name with a number (``"monomial_2"``, or
``"monomial(2)"``; ``"leaky_relu(1/10)"``), or an expression (``"z*erf(z)"``). To add an activation, add it here.

The conventions are as follows. ``erf`` is erf(z/√2), so that its slope is twice the standard normal density; ``gelu``
is the exact z Φ(z), not its approximation by tanh; monomials are divided by the root of (2q - 1)!!, so that their mean
square is 1 for standard normal z; Hermite polynomials are the probabilists', monic.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from closedform import checks
from closedform.expressions import has_kink, ratio, shortened
from closedform.suggestions import unknown

Number = int | Fraction
LARGEST_DEGREE = 1000


@dataclass(frozen=True)
class ActivationParameter:
    """The number that an activation needs."""

    name: str  # in the expression
    # smallest degree, of an integer up to LARGEST_DEGREE; None for any ratio
    least: int | None = None
    default: Number | None = None  # where none is given; None if one must be

    def read(self, text: str) -> Number:
        """Return the number in a text, such as "3", "0.1" or "-1/4"; raise ValueError if it is unsuitable."""
        if self.least is None:
            number = ratio(text)
            if number is None:
                raise ValueError(
                    f"{self.name}: got {shortened(text)!r}, needs a decimal number or a ratio"
                )
            return number
        if not re.fullmatch(r"\d{1,9}", text):
            raise ValueError(f"{self.name}: got {shortened(text)!r}, needs an integer")
        return checks.integer(self.name, int(text), self.least, LARGEST_DEGREE)


@dataclass(frozen=True)
class Definition:
    """What a name stands for."""

    expression: str  # in z and the parameter
    aliases: tuple[str, ...] = ()  # other names
    parameter: ActivationParameter | None = None
    slope_jumps: bool | Callable[[Number], bool] = False  # somewhere, or for which numbers


DEFINITIONS: dict[str, Definition] = {
    "leaky_relu": Definition(
        "Max(0, z) + slope*Min(0, z)",
        parameter=ActivationParameter("slope", default=Fraction(1, 100)),
        slope_jumps=True,
    ),  # the slope of the common libraries, and of the released settings of the two-point paper
    "relu": Definition("Max(0, z)", slope_jumps=True),
    "elu": Definition("Max(0, z) + exp(Min(0, z)) - 1"),
    "tanh": Definition("tanh(z)"),
    "swish": Definition("z*(1 + tanh(z/2))/2", aliases=("silu",)),
    "linear": Definition("z", aliases=("identity",)),
    "erf": Definition("erf(z/sqrt(2))"),
    "gelu": Definition("z*(1 + erf(z/sqrt(2)))/2"),
    "sin": Definition("sin(z)"),
    "cos": Definition("cos(z)"),
    "exp": Definition("exp(z)"),
    "gaussian": Definition("exp(-z**2/2)"),
    "sigmoid": Definition("(1 + tanh(z/2))/2", aliases=("logistic",)),  # tanh does not overflow
    "softplus": Definition("z/2 + log(2*cosh(z/2))"),
    "relu_power": Definition(
        "Max(0, z)**q", parameter=ActivationParameter("q", 1), slope_jumps=lambda q: q == 1
    ),
    "monomial": Definition(
        "z**q/sqrt(factorial2(2*q - 1))", parameter=ActivationParameter("q", 1)
    ),
    "hermite": Definition("He(q, z)", parameter=ActivationParameter("q", 0)),
}
NAMES = tuple(
    name
    for name, definition in DEFINITIONS.items()
    if not definition.parameter or definition.parameter.default is not None
)
"""The names that need no number."""
_CALL = re.compile(r"(?P<name>[a-z_]+?)(?:_(?P<degree>\d+)|\((?P<number>[^()]*)\))?")


@dataclass(frozen=True)
class Named:
    """A named activation: the name without alias, and the number if it has one."""

    name: str
    number: Number | None = None

    @property
    def definition(self) -> Definition:
        """What the name stands for."""
        return DEFINITIONS[self.name]

    @property
    def numbers(self) -> dict[str, Number]:
        """The number by its name in the expression; empty without one."""
        parameter = self.definition.parameter
        return {parameter.name: self.number} if parameter and self.number is not None else {}

    @property
    def slope_jumps(self) -> bool:
        """Whether the slope jumps somewhere, so that the curvature is concentrated there."""
        jumps = self.definition.slope_jumps
        return jumps if isinstance(jumps, bool) else self.number is not None and jumps(self.number)

    def __str__(self) -> str:
        """Return the one text that stands for this activation wherever a text is stored."""
        parameter = self.definition.parameter
        if parameter is None or self.number == parameter.default:
            return self.name
        return (
            f"{self.name}({self.number})"
            if parameter.least is None
            else f"{self.name}_{self.number}"
        )


def named(text: str) -> Named | None:
    """Return the activation that a name stands for, None for a text that is no name; ValueError for an unknown one."""
    text = text.strip()
    aliases: dict[str, str] = {}
    for name, definition in DEFINITIONS.items():
        aliases |= dict.fromkeys(definition.aliases, name)
    match = _CALL.fullmatch(text)
    if match:
        name = aliases.get(match["name"], match["name"])
        number = match["degree"] or match["number"]
        parameter = DEFINITIONS[name].parameter if name in DEFINITIONS else None
        if parameter is None:
            if name in DEFINITIONS and number is None:
                return Named(name)
        elif number is None and parameter.default is not None:
            return Named(name, parameter.default)
        elif number is not None and not (match["degree"] and parameter.least is None):
            return Named(name, _distinct(name, parameter.read(number)))
    if text.isidentifier() and text != "z":
        known = [
            *NAMES,
            *aliases,
            *(f"{name}_2" for name, definition in DEFINITIONS.items() if name not in NAMES),
        ]
        message = unknown("activation", text, known)
        end = "" if message.endswith("?") else "."
        raise ValueError(f"{message}{end} An expression in z does as well, such as 'z*erf(z)'")
    return None


def canonical(text: str) -> str:
    """Return the one text for an activation: its name without alias, or the expression in ``z`` as it is."""
    known = named(text)
    if known is not None:
        return str(known)
    has_kink(text)  # reads it
    return text.strip()


def slope_may_jump(text: str) -> bool:
    """Return whether the slope of a named activation jumps, or an expression calls a function that has a kink."""
    known = named(text)
    return has_kink(text) if known is None else known.slope_jumps


def _distinct(name: str, number: Number) -> Number:
    if name == "leaky_relu" and number == 1:
        raise ValueError(
            "slope: got 1, at which leaky ReLU is the identity, needs another number; use 'linear'"
        )
    return number

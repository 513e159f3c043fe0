"""How far the kernel of a network of finite width is expected to be from that of infinite width, as one number.

Random networks of one shape have different kernels. Their variance over the square of the kernel of infinite width, to
first order in the inverse widths, is what ``finite_width`` and ``finite_tangent`` derive; here it is a number with the
widths, the depth and a sentence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from closedform import networks
from closedform.checks import one_of
from theory.core import ClosedForm
from theory.core.text.measured_conditions import measured_conditions
from theory.engine.dense_chain import layers_of
from theory.engine.inputs import R
from theory.engine.width import finite_width
from theory.engine.width_tangent import finite_tangent

LARGEST = 1.0  # from which on a first order says nothing but that there is no typical size
FORMULAS = {"nngp": "finite_width.kernel_spread", "ntk": "finite_width.tangent_spread"}
"""The families of closed forms for equally wide layers, by the kind of the kernel."""


@dataclass(frozen=True)
class ExpectedSpread:
    """The relative variance of a kernel over random networks, to first order in the inverse widths.

    Attributes:
        kind: "nngp" for the kernel, "ntk" for the tangent kernel.
        spread: variance over square, dimensionless; NaN where float64 has no number for one of its parts.
        widths: width of each hidden layer.

    >>> spread = ExpectedSpread("nngp", 0.25, (100, 100))
    >>> spread.sentence[:80]
    'The kernel is expected to have a relative spread of 0.25 at width 100, depth 2, '
    """

    kind: Literal["nngp", "ntk"]
    spread: float
    widths: tuple[float, ...]

    @property
    def deviation(self) -> float:
        """Standard deviation of the kernel over its value at infinite width."""
        return math.sqrt(self.spread)

    @property
    def where(self) -> str:
        """Widths and depth in words."""
        low, high = min(self.widths), max(self.widths)
        shown = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        return f"at width {shown}, depth {len(self.widths)}"

    @property
    def sentence(self) -> str:
        """The spread in words; of one that is no small correction, that there is no typical size."""
        subject = "The kernel" if self.kind == "nngp" else "The tangent kernel"
        if math.isnan(self.spread):
            return (
                f"The relative spread of {subject.lower()} is unknown {self.where}: a moment is too large or too small "
                "for float64."
            )
        if not self.spread < LARGEST:
            return (
                f"{subject} has no size that is typical of networks {self.where}: to first order in 1/width its "
                f"variance is {LARGEST:g} times its square or more."
            )
        return (
            f"{subject} is expected to have a relative spread of {self.spread:.2g} {self.where}, to first order in "
            f"1/width: its variance over networks as a share of its square, which is ±{self.deviation:.0%} of infinite "
            "width."
        )

    @property
    def measured(self) -> tuple[str, ...]:
        """Where recorded maps of random networks say that the first order holds."""
        return tuple(measured_conditions(FORMULAS[self.kind]).values())

    def __str__(self) -> str:
        checked = " ".join(self.measured) or "No map of networks was recorded for it."
        return f"{self.sentence} Closed form: {FORMULAS[self.kind]}. {checked}"


def expected_spread(
    net: networks.Network, squared_norm: float, kind: Literal["nngp", "ntk"] = "nngp"
) -> ExpectedSpread:
    """Return the relative variance of the kernel of a network with widths at an input.

    Args:
        net: chain of dense layers with numbers in it, as for :func:`theory.engine.finite_width`.
        squared_norm: squared norm of the input, |x|^2.
        kind: "nngp" for the kernel above the network, "ntk" for its tangent kernel. Default: "nngp".

    Raises:
        TypeError, ValueError: as :func:`theory.engine.finite_width`, and for another kind.

    >>> from theory.engine import Act, Dense, expected_spread
    >>> layer = Dense(2, width=100)
    >>> expected_spread(layer >> Act("relu") >> layer >> Act("relu") >> Dense(2), 1.0).spread
    0.1
    """
    chosen: Any = one_of("kind", kind, tuple(FORMULAS))
    forms = finite_width(net) if chosen == "nngp" else finite_tangent(net)
    widths = tuple(float(layer.width) for layer in layers_of(net, (R,))[1:])
    try:
        spread = float(forms.spread(**dict.fromkeys(_inputs(forms.spread), squared_norm)))
    except ArithmeticError:
        return ExpectedSpread(chosen, math.nan, widths)
    # a variance is negative by rounding alone
    return ExpectedSpread(chosen, max(spread, 0.0), widths)


def _inputs(form: ClosedForm) -> list[str]:
    """Return the names of the arguments of a form, which may be the input alone; the spread of ReLU has none."""
    names = [argument.name for argument in form.arguments]
    if names not in ([], [R.name]):
        raise ValueError(f"net: got the symbols {', '.join(names)}, needs numbers in its layers")
    return names

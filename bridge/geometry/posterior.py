r"""The first order in 1/width of the metric of Bayesian networks: samples of the posterior against the closed forms.

Two orders are measured at every input, as n (ratio - 1) extrapolated to infinite width, where the ratio is that of
:math:`\sqrt{\det\langle g\rangle}` ("of the mean metric") or :math:`\langle\sqrt{\det g}\rangle` ("of the mean volume
element") to the volume element at infinite width. The first of them determines the factor chi of the correction,
:math:`\chi = d + 4 a/(y^2 - 1)`, with the coefficient a.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.geometry.extrapolation import WidthLimit, extrapolate
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.tables.grid import gridded
from bridge.tables.reader import load
from closedform import checks

if TYPE_CHECKING:
    from theory.core import ClosedForm

QUANTITIES: Mapping[str, str] = {
    "metric": "of the mean metric",
    "volume_element": "of the mean volume element",
}


@dataclass(frozen=True, repr=False)
class FirstOrder(Result):
    """The coefficient of 1/width in a volume element under the posterior, at every input.

    Attributes:
        quantity: ``"metric"`` for the volume element of the mean metric, ``"volume_element"`` for the mean of it.
        closed_form: name of the closed form in ``theory.catalogue()``.
        degree: degree of the activation.
        dimension: dimension of the inputs.
        squared_target: squared target over its variance under the prior.
        overlaps: cosines between the inputs and the training input, ``[input]``.
        expected: coefficients of 1/width in the closed form, ``[input]``.
        limits: measured coefficients: width times relative deviation, extrapolated to infinite width.
    """

    quantity: str
    closed_form: str
    degree: int
    dimension: int
    squared_target: float
    overlaps: Array
    expected: Array = field(repr=False)
    limits: tuple[WidthLimit, ...] = field(repr=False)

    @property
    def measured(self) -> Array:
        """Measured coefficients, ``[input]``."""
        return np.array([limit.limit for limit in self.limits])

    @property
    def errors(self) -> Array:
        """Standard errors of the measured coefficients, ``[input]``."""
        return np.array([limit.error for limit in self.limits])

    @property
    def z(self) -> Array:
        """Deviations of the measured coefficients from the expected ones, in standard errors, ``[input]``."""
        return (self.measured - self.expected) / self.errors

    def curve(self, overlaps: Array) -> Array:
        """Return the expected coefficients at other overlaps, in their shape."""
        from theory import catalogue

        return _coefficient(
            catalogue()[self.closed_form], self.dimension, self.squared_target, overlaps
        )

    @property
    def per_coefficient(self) -> float:
        """Change of chi per unit of the coefficient of the mean metric; infinite where y² has its prior mean."""
        return 4 / (self.squared_target - 1) if self.squared_target != 1 else float("inf")


def first_order(
    trace: Any,
    quantity: str = "metric",
    *,
    degree: int | None = None,
    dimension: int | None = None,
    squared_target: float | None = None,
) -> FirstOrder:
    """Extrapolate the first order in 1/width of a run of ``experiments.geometry.bayesian``, or of samples of your own.

    Args:
        trace: trace of that experiment, or, for the volume element, a table (DataFrame, mapping of columns, Dataset,
            CSV file) with the columns ``width`` (at least two), ``seed`` (which sample, at least three of each width),
            ``angle`` (between the input and the training input, in radians) and ``volume_element``.
        quantity: ``"metric"`` (default) needs a trace, since its values are matrices; or ``"volume_element"``.
        degree: degree of the monomial activation. For a table only.
        dimension: dimension of the inputs, at least 2. For a table only.
        squared_target: squared target over its variance under the prior, at least 0. For a table only.

    Raises:
        TypeError, ValueError: for no trace of this experiment, an unknown quantity, or a table that is incomplete or
            without the three numbers.

    >>> table = {"width": [100] * 3 + [200] * 3 + [400] * 3, "seed": [0, 1, 2] * 3, "angle": [0.5] * 9}
    >>> table["volume_element"] = [1.02, 1.03, 1.01, 1.01, 1.012, 1.008, 1.0, 1.01, 1.006]
    >>> found = first_order(table, "volume_element", degree=2, dimension=2, squared_target=1)
    >>> found.closed_form
    'geometry.bayesian_volume_correction.monomial_2'
    """
    import theory.geometry
    from theory.activations import monomial

    checks.one_of("quantity", quantity, QUANTITIES)
    data = load(trace)
    table = gridded(data, ("width", "seed", "angle"), ("volume_element",))
    if table is None:
        arguments.dataset(
            data, "the experiment geometry.bayesian", tuple(QUANTITIES), attributes=("config",)
        )
        config = arguments.attribute(data, "config")
        data = data.rename(realisation="seed", input="angle")
    else:
        if quantity == "metric":
            raise ValueError(
                "quantity: 'metric' needs a trace, since it is a matrix; give quantity='volume_element'"
            )
        if degree is None or dimension is None or squared_target is None:
            raise ValueError(
                "degree, dimension, squared_target: are not in the data; give all, for the closed form"
            )
        config = {
            "degree": checks.integer("degree", degree, 1),
            "dimension": checks.integer("dimension", dimension, 2),
            "squared_target": checks.real_number(
                "squared_target", squared_target, "a number of at least 0", least=0
            ),
        }
        data = table
    degree, dimension, target = (
        int(config["degree"]),
        int(config["dimension"]),
        float(config["squared_target"]),
    )
    forms = theory.geometry.bayesian_volume_correction(degree)
    form = forms.at_mean_metric if quantity == "metric" else forms.mean
    overlaps = np.cos(data["angle"].values)
    wide = theory.geometry.volume_element(monomial(degree))(
        d=dimension, r=1.0, sigma=1.0, zeta=0.0
    )
    values = data[quantity].transpose("width", "seed", "angle", ...).values
    volumes = np.sqrt(np.linalg.det(values)) if quantity == "metric" else values
    widths = data["width"].values.astype(np.float64)
    deviations = widths[:, None, None] * (volumes / float(wide) - 1)
    return FirstOrder(
        quantity=quantity,
        closed_form=form.name,
        degree=degree,
        dimension=dimension,
        squared_target=target,
        overlaps=overlaps,
        expected=_coefficient(form, dimension, target, overlaps),
        limits=tuple(extrapolate(widths, deviations[..., i]) for i in range(overlaps.size)),
    )


def _coefficient(form: ClosedForm, dimension: int, target: float, overlaps: Array) -> Array:
    """Return the coefficient of 1/width in a closed form that is 1 plus it."""
    whole = form(d=dimension, p2=np.minimum(overlaps**2, 1.0), target_ratio=target, width=1)
    return np.broadcast_to(np.asarray(whole, dtype=np.float64), overlaps.shape) - 1

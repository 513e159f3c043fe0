r"""Exponents of learning curves, :math:`\epsilon \sim p^{-\beta}`, and their predictions from exponent balances.

There are two weighted fits to the mean error over realisations: the pure power law of the theory, and a power law with
an offset, which shows whether the data already follow it. Intervals come from the realisations. The prediction is
``theory.compression.learning_curve_exponent`` with the cusp :math:`\xi = 1` of the tangent kernel: "lazy" for the
kernel at initialisation, and "feature" for all regimes in which directions are compressed by :math:`\sqrt p`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments, scaling
from bridge.plots.result import Result
from bridge.scaling import ScalingFit
from bridge.statistics.arrays import Array
from bridge.statistics.compare import compare
from bridge.statistics.comparison import Comparison
from bridge.tables.grid import gridded
from bridge.tables.reader import load
from closedform import checks

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

CUSP = 1  # exponent of the cusp of the tangent kernel
MATTERS = 0.05  # smallest relevant difference of exponents
FEWEST = (3, 3)  # smallest numbers of sizes and of realisations
PREDICTION = {
    "lazy": "lazy",
    "compressed": "feature",
    "feature": "feature",
    "final_kernel": "feature",
}


@dataclass(frozen=True, repr=False)
class LearningCurve(Result):
    r"""The learning curve of one regime of one model, with its exponent.

    Attributes:
        regime: "lazy", "compressed", "feature" or "final_kernel".
        sizes: numbers of training points, ``[size]``.
        errors: test errors, dimensionless, ``[size, seed]``.
        fitted: smallest fraction over realisations of the training points that were fitted at the end.
        fit: power law fitted to the means; its exponent is minus beta.
        with_offset: power law with an offset; None with fewer than four sizes.
        predicted: beta of the theory.
    """

    regime: str
    sizes: Array
    errors: Array
    fitted: float
    fit: ScalingFit
    with_offset: ScalingFit | None
    predicted: float

    @property
    def beta(self) -> float:
        """Measured exponent."""
        return -self.fit.exponent

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of beta at ``fit.level``."""
        return -self.fit.interval[1], -self.fit.interval[0]

    @property
    def comparison(self) -> Comparison:
        """Comparison of the predicted with the measured exponent."""
        few = self.fit.repetitions
        return compare(
            self.predicted, self.beta, error=self.fit.error, repetitions=few, resolution=MATTERS
        )

    def summary(self) -> str:
        """Return the exponent with its interval, that with an offset, and the verdict on the prediction."""
        sizes = f"{len(self.sizes)} sizes from {self.sizes.min():g} to {self.sizes.max():g}"
        lines = [
            f"learning curve, regime {self.regime}: {sizes}, {self.errors.shape[1]} realisations"
        ]
        low, high = self.interval
        lines.append(
            f"beta = {self.beta:.4g}, {self.fit.level:.0%} interval {low:.4g} to {high:.4g}"
        )
        if self.with_offset is not None:
            fit = self.with_offset
            lines.append(
                f"beta = {-fit.exponent:.4g} +- {fit.error:.2g} if the error ends at a constant"
            )
        if np.isfinite(self.fitted):
            lines.append(f"at least {self.fitted:.1%} of the training points were fitted")
        return "\n".join([*lines, self.comparison.summary()])

    def _draw(self, ax: Axes) -> None:
        self.fit._draw(ax)


def learning_curves(
    trace: Any,
    *,
    level: float = 0.95,
    dimension: int | None = None,
    informative: int | None = None,
) -> tuple[LearningCurve, ...]:
    """Fit every regime of a trace of ``empirics.experiments.compression.learning_curves``, or of a table of your own.

    Regimes in which a mean error is zero are omitted, since a power law cannot be fitted to them.

    Args:
        trace: trace with at least three sizes and three realisations, or a table (DataFrame, mapping of columns,
            Dataset, CSV file) with the columns ``size`` (training points), ``seed`` (which realisation) and ``error``
            (test error), optionally ``regime`` (default ``"feature"``) and ``fitted`` (fraction of the training points
            that were fitted, default unknown).
        level: confidence level of the intervals. Default: 0.95.
        dimension: dimension d of the inputs. Default: from the trace.
        informative: number of directions on which the labels depend. Default: from the trace.

    Raises:
        TypeError, ValueError: if it is the trace of another experiment, a column is missing or not finite, a regime is
            unknown, or there are too few sizes or realisations.

    >>> errors = [0.20, 0.21, 0.19, 0.10, 0.11, 0.09, 0.05, 0.055, 0.045]
    >>> table = {"size": [100] * 3 + [400] * 3 + [1600] * 3, "seed": [0, 1, 2] * 3, "error": errors}
    >>> (curve,) = learning_curves(table, dimension=2, informative=1)
    >>> round(curve.beta, 2)
    0.5
    """
    data = curves_of(trace)
    if "config" in data.attrs:
        config = config_of(data)
        dimension, informative = dimension or config.dimension, informative or config.informative
    if dimension is None or informative is None:
        raise ValueError(
            "dimension, informative: are not in the data; give both, for the exponent of the theory"
        )
    dimension = checks.integer("dimension", dimension, 1)
    informative = checks.integer("informative", informative, 1, dimension)
    sizes = np.asarray(data["size"].values, dtype=np.float64)
    if len(sizes) < FEWEST[0] or data.sizes["seed"] < FEWEST[1]:
        raise ValueError(
            f"trace: got {len(sizes)} sizes and {data.sizes['seed']} realisations, needs at least {FEWEST[0]} and "
            f"{FEWEST[1]} for an exponent with an interval"
        )
    curves = []
    for regime in (str(name) for name in data["regime"].values):
        errors = data["error"].sel(regime=regime).transpose("size", "seed").values
        if (errors.mean(axis=1) == 0).any():
            continue
        curves.append(
            LearningCurve(
                regime=regime,
                sizes=sizes,
                errors=errors,
                fitted=float(data["fitted"].sel(regime=regime).min()),
                fit=scaling.fit(sizes, errors, offset=0.0, level=level),
                with_offset=scaling.fit(sizes, errors, level=level)
                if len(sizes) > FEWEST[0]
                else None,
                predicted=predicted_exponent(regime, dimension, informative),
            )
        )
    return tuple(curves)


def predicted_exponent(regime: str, dimension: int, informative: int) -> float:
    """Return the exponent beta that the theory predicts for a regime of the experiment.

    With three informative directions or more, the compression of the feature regime is as good as complete: the lazy
    exponent of data that have their informative directions alone.
    """
    from theory import compression

    if PREDICTION[regime] == "lazy":
        form = compression.learning_curve_exponent("lazy")
    elif informative < 3:  # for this cusp, a condition of the closed form
        form = compression.learning_curve_exponent("feature")
    else:
        form, dimension = compression.learning_curve_exponent("lazy"), informative
    return float(form(d=dimension, d_parallel=informative, cusp=CUSP))


def checked(trace: Any) -> xr.Dataset:
    """Return ``trace``; raise an error if it is not one of learning curves."""
    return arguments.dataset(
        trace,
        "the experiment compression.learning_curves",
        ("error", "fitted", "factor"),
        ("regime", "size", "seed"),
        attributes=("config",),
    )


def config_of(trace: xr.Dataset) -> Any:
    """Return the configuration that the trace was made with."""
    from empirics.experiments.compression.learning_curves import Config

    return Config.from_json(str(trace.attrs["config"]))


def curves_of(data: Any) -> Any:
    """Return ``error[regime, size, seed]`` and ``fitted`` of a table, or a trace as it is; see learning_curves."""
    loaded = load(data)
    defaults = {"regime": "feature", "fitted": float("nan")}
    grid = gridded(
        loaded,
        ("regime", "size", "seed"),
        ("error", "fitted"),
        defaults=defaults,
        texts=("regime",),
    )
    if grid is None:
        return checked(loaded)
    for regime in grid["regime"].values:
        checks.one_of("column 'regime'", str(regime), tuple(PREDICTION))
    return grid

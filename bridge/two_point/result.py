"""The result of a fit of the two-point theory, with its text, table, figure and forecast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bridge.plots.result import Result
from bridge.two_point.fitted import FittedTheory

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from bridge.two_point.forecasted import Forecast


@dataclass(frozen=True, repr=False)
class TwoPointFit(FittedTheory, Result):
    """The effective learning rates of one training run, or of several seeds of it.

    Its numbers, such as ``tau_h``, ``tau_y``, ``errors`` and ``warnings``, are those of
    :class:`bridge.two_point.fitted.FittedTheory`.
    """

    def forecast(self, t: Any, level: float = 0.9) -> Forecast:
        """Forecast the rest of the training, with bands for every seed; see :mod:`bridge.two_point.forecast`.

        Args:
            t: times, in the data's unit, ``[time]``; those after the last point of the data are the forecast. A single
                time is the end of the forecast, which begins at the last point of the data. Or a trace or table, whose
                times are taken.
            level: share of networks whose whole rest is to be inside the bands, from 0.5 to 0.95. Default: 0.9.

        Raises:
            ValueError: if a time is not finite or before the first point, or the level is out of range.
        """
        from bridge.two_point.forecasted import forecast

        return forecast(self, t, level)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name, as JSON can hold them: constants, rates, errors, quality, warnings."""
        return {
            "law": self.dynamics,
            **self.params,
            "errors": dict(self.errors),
            "error_source": self.error_source,
            "learning_rates": {of: rate._asdict() for of, rate in self.learning_rates.items()},
            "covariance": self.covariance.tolist(),
            "loss": self.loss,
            "r_squared": self.r_squared,
            "noise": dict(self.noise),
            "initial": self.initial,
            "initial_state": list(self.initial_state),
            "dx2": self.trace.dx2,
            "target2": self.trace.target2,
            "warnings": list(self.warnings),
            "seeds": [{"label": seed.trace.label, **seed.params} for seed in self.seeds],
        }

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table of the time constants with their errors, fit loss and R^2, one row for each seed."""
        import pandas as pd

        rows = [
            {
                "seed": fit.trace.label,
                "tau_h": fit.tau_h,
                "tau_h_error": fit.errors["tau_h"],
                "tau_y": fit.tau_y,
                "tau_y_error": fit.errors["tau_y"],
                "tau_mean": fit.tau_mean,
                "loss": fit.loss,
                "r_squared": fit.r_squared,
            }
            for fit in self.per_seed
        ]
        return pd.DataFrame(rows)

    def _draw(self, ax: Axes) -> None:
        from bridge.two_point.curves import draw

        draw(self, ax)

    def summary(self) -> str:
        """Return a table of at most 100 columns."""
        from bridge.two_point.summary import write

        return write(self)

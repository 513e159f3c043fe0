"""Learning curves of any origin, as the dataset that the fit of their exponents takes."""

from __future__ import annotations

from typing import Any

from bridge.tables.long_table import ORIGIN, gridded
from bridge.tables.table_file import load
from closedform.checks import one_of

__all__ = ["ORIGIN", "dataset"]


def dataset(data: Any, regimes: tuple[str, ...]) -> Any:
    """Return ``error[regime, size, seed]`` and ``fitted`` of a table; a trace is returned as it is.

    Args:
        data: DataFrame, mapping of columns, Dataset, or path of a CSV file with the columns ``size`` (training
            points), ``seed`` (which realisation) and ``error`` (test error), optionally ``regime`` (default
            ``"feature"``) and ``fitted`` (fraction of the training points that were fitted, default unknown); or a
            trace.
        regimes: names that a regime may have.

    Raises:
        ValueError: if a column is missing or not finite, a regime is unknown, or a size lacks a realisation.
    """
    loaded = load(data)
    defaults = {"regime": "feature", "fitted": float("nan")}
    grid = gridded(loaded, ("regime", "size", "seed"), ("error", "fitted"), defaults=defaults, texts=("regime",))
    if grid is None:
        return loaded
    for regime in grid["regime"].values:
        one_of("column 'regime'", str(regime), regimes)
    return grid

"""Learning curves of any origin, as the dataset that the fit of their exponents takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridge.arguments import listed, one_of, real_array
from bridge.table_file import load, need_numbers

KEYS = ("regime", "size", "seed")
REQUIRED = ("size", "seed", "error")
ORIGIN = "table"  # attribute of the dataset of a table


def dataset(data: Any, regimes: tuple[str, ...]) -> Any:
    """Return ``error[regime, size, seed]`` and ``fitted`` of a table; anything else is returned as it is.

    Args:
        data: DataFrame, mapping of columns, or path of a CSV file with the columns ``size`` (training points), ``seed``
            (which realisation) and ``error`` (test error), optionally ``regime`` (default ``"feature"``) and
            ``fitted`` (fraction of the training points that were fitted, default unknown); or a Dataset.
        regimes: names that a regime may have.

    Raises:
        ValueError: if a column is missing or not finite, a regime is unknown, or a size lacks a realisation.
    """
    import pandas as pd

    table = load(data)
    if isinstance(table, Mapping) and not hasattr(table, "data_vars"):
        table = pd.DataFrame(dict(table))
    if not isinstance(table, pd.DataFrame):
        return table
    if missing := [name for name in REQUIRED if name not in table]:
        raise ValueError(f"data: no {listed(missing)}; needs columns {listed(REQUIRED)}, has {listed(list(table))}")
    need_numbers(table, ("size", "error"))
    for name in ("size", "error"):
        real_array(f"column {name!r}", table[name].to_numpy())
    table = table.assign(regime=table.get("regime", "feature"), fitted=table.get("fitted", float("nan")))
    for regime in table["regime"].unique():
        one_of("column 'regime'", str(regime), regimes)
    if table.duplicated(list(KEYS)).any():
        raise ValueError("data: several rows have the same regime, size and seed; number the realisations in 'seed'")
    whole = table.set_index(list(KEYS))[["error", "fitted"]].to_xarray()
    if bool(whole["error"].isnull().any()):
        raise ValueError("data: a realisation is missing at some size; needs every seed at every size of every regime")
    return whole.assign_attrs(origin=ORIGIN)

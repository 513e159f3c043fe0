"""Rows of the tables of Leaky ResNets: one configuration at one effective depth, one network, one number of layers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from bridge.results.analysis import Cell, Traces
from bridge.results.quantity import Quantity
from closedform.measured import Measured

HALF = 0.5  # smallest relevant deviation of a mean of counts, which distinguishes consecutive ones
Columns = list[tuple[str, Callable[["Row"], Cell]]]


@dataclass(frozen=True)
class Row:
    """What was measured of one configuration, with this label, at one place along some of its dimensions."""

    configuration: str
    data: xr.Dataset

    def number(self, name: str) -> float:
        """Return the value of a variable or coordinate without dimensions, a whole number as such."""
        number: float = self.data[name].item()
        return number

    def mean(
        self, quantity: Quantity, predicted: float | None = None, resolution: float | None = None
    ) -> Measured | None:
        """Return the mean over seeds of the variable with the name of a quantity, at one effective depth."""
        label = f"{self.configuration}, L̃ = {self.number('depth'):g}"
        return Measured.mean(
            quantity, label, self.data[quantity.name], predicted, resolution=resolution
        )


def rows(by_label: Traces, *dimensions: str) -> list[Row]:
    """Return one row for every configuration and every place along ``dimensions``."""
    collected = []
    for label, data in by_label.items():
        for index in np.ndindex(*(data.sizes[dimension] for dimension in dimensions)):
            collected.append(Row(label, data.isel(dict(zip(dimensions, index, strict=True)))))
    return collected


def columns(*names: str, **headings: str) -> Columns:
    """Return columns: configuration, L̃, number of seeds, means of quantities ``names``, and variables by heading."""
    listed: Columns = [
        ("configuration", lambda row: row.configuration),
        (r"$\tilde{L}$", lambda row: row.number("depth") if "depth" in row.data.coords else None),
        ("seeds", lambda row: row.data.sizes.get("seed")),
    ]
    for name in names:
        cell: Callable[[Row], Cell] = partial(Row.number, name=name)
        if isinstance(name, Quantity):
            cell, name = partial(Row.mean, quantity=name), name.name
        listed.append((headings.get(name, name.replace("_", " ")), cell))
    return listed


def mean_count(
    quantity: Quantity, label: str, counts: ArrayLike, predicted: float
) -> Measured | None:
    """Return the mean of counts with its prediction; its error is at least that of one network that differs by one."""
    values = np.asarray(counts, dtype=np.float64)
    values = values[np.isfinite(values)]
    if values.size < 2:
        return None
    error = (max(float(values.var(ddof=1)), 1 / values.size) / values.size) ** 0.5
    return Measured(
        quantity, label, float(values.mean()), error, values.size, predicted, resolution=HALF
    )

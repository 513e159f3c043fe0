"""The base of all results of ``bridge``: a text, a table, a figure, and a rich display in notebooks."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from closedform.foreign_text import visible

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES, WIDTH = 8, 100  # of a __repr__
ROWS = 20  # of a table in a notebook
COLUMNS = 4  # components of a two-dimensional array that a table shows


class Result:
    """Base of the results, frozen dataclasses with ``repr=False``, which override text, table or :meth:`_draw`."""

    def summary(self) -> str:
        """Return the numbers, and the table if there is one, as text of at most 100 columns."""
        frame = self.to_dataframe()
        name = type(self).__name__
        lines = [name, *(f"{key} = {_short(value)}" for key, value in _numbers(self).items())]
        nested = {key: value for key, value in _fields(self).items() if isinstance(value, Result)}
        lines += [
            f"{key}: {next(iter(value.summary().splitlines()))}" for key, value in nested.items()
        ]
        if len(frame) > 1:
            lines += [
                "",
                *frame.to_string(
                    max_rows=ROWS, line_width=WIDTH, float_format="{:.4g}".format
                ).splitlines(),
            ]
        return "\n".join(visible(line)[:WIDTH] for line in lines)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table: one row for each entry of the arrays, whose numbers are in ``attrs``; else one row."""
        import pandas as pd

        columns, numbers = _columns(self), _numbers(self)
        frame = pd.DataFrame(
            columns if columns else {name: [value] for name, value in numbers.items()}
        )
        frame.attrs = {} if not columns else numbers
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw into ``ax``, or into new axes, and return the axes."""
        from matplotlib import pyplot as plt

        from bridge.plots import style

        with style.context():
            if ax is None:
                _, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained", facecolor="white")
            self._draw(ax)
        return ax

    def _draw(self, ax: Axes) -> None:
        """Draw every column of the table against the first one, or the values of a single row."""
        from bridge.plots import style

        frame = self.to_dataframe().select_dtypes("number")
        if frame.empty:
            ax.text(0.0, 0.5, self.summary(), transform=ax.transAxes, fontsize=7, va="center")
            ax.set_axis_off()
            return
        if len(frame) > 1 and frame.shape[1] > 1:
            for name in frame.columns[1:]:
                ax.plot(
                    frame.iloc[:, 0], frame[name], "o-", markersize=3, label=style.literal(name)
                )
            ax.set_xlabel(style.literal(frame.columns[0]))
        else:
            values = frame.iloc[0] if len(frame) == 1 else frame.iloc[:, 0]
            ax.plot(
                np.arange(len(values)),
                values.to_numpy(dtype=float),
                "o",
                label=type(self).__name__,
            )
            if len(frame) == 1:
                names = [style.literal(name) for name in values.index]
                ax.set_xticks(np.arange(len(values)), names, rotation=45, ha="right")
        ax.legend(frameon=False)

    def __repr__(self) -> str:
        lines = list(
            chain.from_iterable(textwrap.wrap(line, WIDTH) for line in self.summary().splitlines())
        )
        more = [f"... {len(lines) - LINES} more lines: summary()"] if len(lines) > LINES else []
        return "\n".join([*lines[:LINES], *more])

    def _repr_html_(self) -> str:
        """Return the text and the figures as HTML without scripts and without anything from a network."""
        from bridge.plots import style

        pictures = "".join(
            f"<div style='max-width:48em'>{style.svg(figure)}</div>" for figure in self._figures()
        )
        return f"<div><pre>{escape(visible(self.summary(), lines=True))}</pre>{pictures}</div>"

    def _figures(self) -> Sequence[Figure]:
        """Return the figures of the page for notebooks."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(5.2, 3.4), layout="constrained")
        self.plot(figure.subplots())
        return (figure,)


def _fields(result: Any) -> dict[str, Any]:
    return {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}


def _numbers(result: Any) -> dict[str, Any]:
    """Return the fields that are numbers or texts, and pairs of numbers, by name."""
    numbers: dict[str, Any] = {}
    for name, value in _fields(result).items():
        if isinstance(value, (bool, int, float, str, np.generic)) or value is None:
            numbers[name] = value
        elif isinstance(value, np.ndarray) and value.ndim == 0:
            numbers[name] = value.item()
        elif (
            isinstance(value, tuple)
            and len(value) == 2
            and all(isinstance(end, (int, float)) for end in value)
        ):
            numbers |= {f"{name}_low": value[0], f"{name}_high": value[1]}
    return numbers


def _columns(result: Any) -> dict[str, Any]:
    """Return the arrays whose first dimension is that of the first array, as columns by name."""
    arrays = {
        name: value
        for name, value in _fields(result).items()
        if isinstance(value, np.ndarray) and value.ndim
    }
    size = len(next(iter(arrays.values()))) if arrays else 0
    columns: dict[str, Any] = {}
    for name, array in arrays.items():
        if len(array) != size:
            continue
        flat = array.reshape(size, -1) if size else array.reshape(0, 1)
        if array.ndim == 1:
            columns[name] = array
        elif flat.shape[1] <= COLUMNS:
            columns |= {f"{name}_{index}": flat[:, index] for index in range(flat.shape[1])}
        else:
            columns[f"mean_{name}"] = flat.mean(axis=1)
    return columns


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""The information plane: sufficiency and minimality in bits, for every layer, split and epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.collapse import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.tables.grid import gridded
from bridge.tables.reader import load

MAY_BE_MISSING = (
    "minimality", "sufficiency_entropy", "minimality_entropy", "sufficiency_converged", "minimality_converged"
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class InformationPlane(Result):
    """Usable information in bits; the values are lower bounds, whose quality depends on the training of the decoders.

    Attributes:
        epoch: epochs at which the information was measured, ``[epoch]``. The last epochs of networks that stopped at
            different ones are one, at their mean.
        cut: numbers of layers before the cut, ``[cut]``; 0 is the input.
        sufficiency: information about the class, ``[seed, epoch, split, cut]``, with the splits train and test.
        minimality: information that distinguishes the members of a class, same shape; from joint decoders or, if only
            those were trained, from decoders for each class; NaN without decoders.
        most_sufficiency: entropy of the classes, ``[split]``.
        most_minimality: entropy of the relabellings, ``[split]``.
        converged: whether the training of all decoders converged, ``[seed, epoch, split, cut]``.
    """

    epoch: NDArray[np.int64]
    cut: NDArray[np.int64]
    sufficiency: Array
    minimality: Array
    most_sufficiency: Array
    most_minimality: Array
    converged: NDArray[np.bool_]


def information_plane(trace: Any) -> InformationPlane:
    """Read the information plane off a collapse trace or a table.

    Args:
        trace: trace of ``empirics.experiments.collapse``, or a table (DataFrame, mapping, Dataset, CSV file) with the
            columns ``epoch``, ``split`` ("train" or "test"), ``cut``, ``sufficiency`` (in bits) and, for several
            networks, ``seed``. The columns ``minimality``, ``sufficiency_entropy``, ``minimality_entropy`` (in bits),
            ``sufficiency_converged`` and ``minimality_converged`` (0 or 1) may be missing; decoders count as converged
            where the table does not tell.

    Raises:
        TypeError, ValueError: for no trace of this experiment, an incomplete table, or no information in bits.

    >>> table = {"epoch": [0, 0, 9, 9], "split": ["train", "test"] * 2, "cut": [1, 1, 1, 1]}
    >>> plane = information_plane(table | {"sufficiency": [1.0, 0.9, 3.2, 2.8]})
    >>> plane.epoch.tolist()
    [0, 9]
    """
    loaded = load(trace)
    defaults = {"seed": 0, **dict.fromkeys(MAY_BE_MISSING, np.nan)}
    keys, columns = ("seed", "epoch", "split", "cut"), ("sufficiency", *MAY_BE_MISSING)
    measured = gridded(loaded, keys, columns, defaults=defaults, texts=("split",))
    is_table = measured is not None
    if measured is None:
        measured = read.checked(loaded)
        if "sufficiency" not in measured:
            raise ValueError(
                "trace: has no usable information; run the experiment with information_at=(0, 1, ...)"
            )
        measured = measured.sel(epoch=read.measured_epochs(measured, "sufficiency"))
    else:
        read.need_both_splits(measured)
        measured = measured.sel(split=list(read.SPLITS))
    name = (
        "minimality"
        if is_table or np.isfinite(measured["minimality"]).any()
        else "minimality_per_class"
    )

    def values(variable: str) -> Array:
        return np.asarray(
            measured[variable].transpose("seed", "epoch", "split", "cut").values.astype(np.float64)
        )

    def bits(variable: str) -> Array:
        meaning = str(measured[variable].attrs.get("long_name", ""))
        if not is_table and "(bits)" not in meaning:
            raise ValueError(
                f"trace: {variable} is described as {meaning!r}, needs (bits); run the experiment again"
            )
        return values(variable)

    def most(variable: str) -> Array:
        return np.asarray(np.fmax.reduce(bits(f"{variable}_entropy"), axis=(0, 1, 3)))

    flags = [values(f"{kind}_converged") for kind in ("sufficiency", name)]
    converged = np.all([np.isnan(flag) | (flag > 0) for flag in flags], axis=0)
    epoch, cut = (read.whole_numbers(measured, key) for key in ("epoch", "cut"))
    epoch, sufficiency, minimality, converged = _with_one_end(
        epoch, bits("sufficiency"), bits(name), converged
    )
    return InformationPlane(
        epoch, cut, sufficiency, minimality, most("sufficiency"), most(name), converged
    )


def _with_one_end(epoch: NDArray[np.int64], sufficiency: Array, *others: Any) -> tuple[Any, ...]:
    """Return epochs and values ``[seed, epoch, ...]`` in which the last epochs of all networks are one."""
    known = np.asarray(np.isfinite(sufficiency).any(axis=(2, 3)))
    end = known.shape[1] - 1 - known[:, ::-1].argmax(1)
    if (end == end[0]).all():
        return epoch, sufficiency, *others
    before, seeds = slice(end.min()), range(len(end))
    values = (
        np.concatenate([v[:, before], v[seeds, end][:, None]], axis=1)
        for v in (sufficiency, *others)
    )
    return np.append(epoch[before], round(epoch[end].mean())), *values

"""The information plane: sufficiency and minimality in bits, for every layer, split and epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.arrays import Array
from bridge.collapse import trace as read
from bridge.result import Result


@dataclass(frozen=True, repr=False)
class InformationPlane(Result):
    """Usable information in bits; the values are lower bounds, whose quality depends on the training of the decoders.

    Attributes:
        epoch: epochs at which the information was measured, ``[epoch]``.
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
    """Read the information plane off a collapse trace.

    Raises:
        TypeError: if ``trace`` is not a Dataset.
        ValueError: if it is the trace of another experiment, no information was measured, or its unit is not bits.
    """
    data = read.checked(trace)
    if "sufficiency" not in data:
        raise ValueError("trace: has no usable information; run the experiment with information_at=(0, 1, ...)")
    epochs = read.measured_epochs(data, "sufficiency")
    measured = data.sel(epoch=epochs)
    name = "minimality" if np.isfinite(measured["minimality"]).any() else "minimality_per_class"

    def values(variable: str) -> Array:
        array: Array = measured[variable].transpose("seed", "epoch", "split", "cut").values
        return array

    def bits(variable: str) -> Array:
        if "(bits)" not in (meaning := str(measured[variable].attrs.get("long_name", ""))):
            raise ValueError(f"trace: {variable} is described as {meaning!r}, needs (bits); run the experiment again")
        return values(variable)

    def most(variable: str) -> Array:
        entropy = bits(f"{variable}_entropy")
        return np.array([_first(entropy[:, :, split]) for split in range(entropy.shape[2])])

    flags = [values(f"{kind}_converged") for kind in ("sufficiency", name)]
    converged = np.all([np.isnan(flag) | (flag > 0) for flag in flags], axis=0)
    return InformationPlane(
        epochs, data["cut"].values.astype(np.int64), bits("sufficiency"), bits(name), most("sufficiency"), most(name),
        converged,
    )  # fmt: skip


def _first(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else float("nan")

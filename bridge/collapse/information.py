"""The information plane: sufficiency against minimality in bits, for every layer, split and epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.arrays import Array
from bridge.collapse import trace as read


@dataclass(frozen=True)
class InformationPlane:
    """Usable information in bits. The values are lower bounds, as good as the training of the decoders.

    Attributes:
        epoch: ``[epoch]``, those at which it was measured.
        cut: ``[cut]``, layers before the cut; 0 is the input.
        sufficiency: ``[seed, epoch, split, cut]``, about the class; splits are train, test.
        minimality: the same, about what tells the members of a class apart; of joint decoders, or by class where only
            those were trained; NaN where neither was.
        most_sufficiency: ``[split]``, entropy of the classes.
        most_minimality: ``[split]``, entropy of the relabellings.
        converged: ``[seed, epoch, split, cut]``: whether all the decoders had finished training.
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
        TypeError: if ``trace`` is no Dataset.
        ValueError: if it is another experiment's, no information was measured, or it is not said to be in bits.
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

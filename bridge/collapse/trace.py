"""Access to a trace of the collapse experiment: its checks, its epochs with measurements, its splits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bridge import arguments
from bridge.statistics.arrays import Array
from closedform import checks

if TYPE_CHECKING:
    import xarray as xr

MEASURED = (
    "loss",
    "accuracy",
    "nc1",
    "shuffled_nc1",
    "within",
    "between",
    "features",
    "last_epoch",
)
SPLITS = ("train", "test")
SUBSET = re.compile(r"a subset: ([\d,]+) of")


def checked(trace: Any) -> xr.Dataset:
    """Return ``trace``; an error says what it lacks of one of the collapse experiment."""
    return arguments.dataset(trace, "the experiment collapse", MEASURED)


def split_of(split: str) -> str:
    """Return ``split``; raise ValueError unless it is "train" or "test"."""
    return checks.one_of("split", split, SPLITS)


def need_both_splits(table: xr.Dataset) -> None:
    """Raise ValueError unless the column ``split`` of a table has exactly the values "train" and "test"."""
    names = sorted(str(name) for name in table["split"].values)
    if names != sorted(SPLITS):
        raise ValueError(
            f"column 'split': has {arguments.listed(names)}, needs {arguments.listed(SPLITS)}"
        )


def whole_numbers(data: xr.Dataset, key: str) -> NDArray[np.int64]:
    """Return the values of a key as integers; raise ValueError if one is not whole."""
    values = data[key].values
    if (values != np.floor(values)).any():
        raise ValueError(
            f"column {key!r}: got {values[values != np.floor(values)][0]:g}, needs whole numbers"
        )
    return np.asarray(values, dtype=np.int64)


def at(trace: xr.Dataset, name: str, split: str, epoch: int | str = "last") -> Array:
    """Return a variable ``[seed, ...]`` of one split after an epoch; "last" is each seed's own last epoch."""
    values = trace[name].sel(split=split_of(split))
    if isinstance(epoch, str) and epoch == "last":
        chosen = values.sel(epoch=trace["last_epoch"].astype(int))
    else:
        epochs = measured_epochs(trace, name)
        is_epoch = isinstance(epoch, (int, np.integer)) and not isinstance(epoch, bool)
        if not is_epoch or epoch not in epochs:
            raise ValueError(
                f"epoch: got {checks.shown(epoch)}, needs 'last' or one of {', '.join(map(str, epochs))}"
            )
        chosen = values.sel(epoch=epoch)
    return np.asarray(chosen.transpose("seed", ...).values.astype(np.float64))


def measured_epochs(trace: xr.Dataset, name: str) -> NDArray[np.int64]:
    """Return the epochs at which any seed has a value of ``name``."""
    values = trace[name].transpose("epoch", ...).values
    is_measured = np.isfinite(values).reshape(len(values), -1).any(axis=1)
    epochs: NDArray[np.int64] = trace["epoch"].values[is_measured].astype(np.int64)
    return epochs


def size_of(trace: xr.Dataset, split: str) -> int:
    """Return the number of images of a split."""
    return int(trace.attrs[f"{split_of(split)}_size"])


def origin_note(trace: xr.Dataset) -> str:
    """Return ``"12,000-image subset"`` if only a part of the official data was read, otherwise an empty string."""
    origin = arguments.attribute(trace, "origin") if "origin" in trace.attrs else {}
    sizes = [SUBSET.search(text) for text in origin.values()]
    held = sum(int(match[1].replace(",", "")) for match in sizes if match)
    return f"{held:,}-image subset" if held else ""

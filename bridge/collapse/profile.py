r"""NC1 from layer to layer, beside the values that it has without any information about the classes.

Three references, and what each of them means:

* *shuffled*: NC1 of the same features with the labels dealt out afresh: the noise floor of these features. Where NC1
  comes near it, the class means differ by chance only.
* *floor*: the same in closed form, if the features were isotropic Gaussian in all their dimensions
  (``theory.catalogue()["collapse.noise_floor"]``, and its few-dimensional twin). Real features fill few of their
  dimensions; in how many isotropic ones they would have the shuffled floor is ``effective_dimension``.
* *isotropic*: what the closed form for a simplex (``collapse.simplex_nc1``) makes of the measured
  :math:`\mathrm{tr}\,\Sigma_W` and :math:`\mathrm{tr}\,\Sigma_B`: NC1 if the variance within classes were spread
  evenly over all dimensions and the means were a regular simplex. Bias of the two traces by finite samples removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.arrays import Array, mean_and_error
from bridge.collapse import trace as read


@dataclass(frozen=True)
class LayerProfile:
    """NC1 against depth; everything dimensionless.

    Attributes:
        layer: ``[layer]``, counted from 1.
        features: ``[layer]``, dimension D of the representation.
        nc1: ``[seed, layer]``.
        shuffled: ``[seed, layer]``, with the labels dealt out afresh; of the first or last epoch, NaN for others.
        floor: ``[layer]``, closed form, isotropic features; infinite for C - 2 <= D <= C.
        isotropic: ``[seed, layer]``, closed form from the two traces; infinite where nothing is left of the second one
            once chance is taken off.
        effective_dimension: ``[layer]``, isotropic dimensions in which the floor would be the shuffled one.
        samples: number of images N.
        classes: C.
        split: "train" or "test".
        epoch: "last" or a number.
    """

    layer: NDArray[np.int64]
    features: Array
    nc1: Array
    shuffled: Array
    floor: Array
    isotropic: Array
    effective_dimension: Array
    samples: int
    classes: int
    split: str
    epoch: int | str

    @property
    def margin(self) -> Array:
        """``[layer]``: shuffled NC1 over measured NC1, geometric mean over seeds: 1 is noise."""
        return np.asarray(np.exp(np.log(self.shuffled / self.nc1).mean(axis=0)))

    @property
    def mean(self) -> Array:
        """``[layer]``: geometric mean of NC1 over seeds."""
        return np.asarray(np.exp(np.log(self.nc1).mean(axis=0)))

    @property
    def error(self) -> Array:
        """``[layer]``: standard error of log NC1 over seeds; NaN for a single one."""
        return np.asarray(mean_and_error(np.log(self.nc1))[1])


def layer_profile(trace: Any, split: str = "train", epoch: int | str = "last") -> LayerProfile:
    """Compute the profile of NC1 over the layers of a collapse trace.

    Args:
        trace: of ``empirics.experiments.collapse``.
        split: "train" or "test".
        epoch: "last" (each seed's own), or a number at which NC1 was measured.

    Raises:
        TypeError: if ``trace`` is no Dataset.
        ValueError: if it is another experiment's, or nothing was measured there.
    """
    import theory

    data = read.checked(trace)
    nc1, within, between = (read.at(data, name, split, epoch) for name in ("nc1", "within", "between"))
    samples, classes = read.size_of(data, split), int(data.attrs["classes"])
    features = data["features"].values.astype(np.float64)
    shuffled = np.full_like(nc1, np.nan)
    if epoch == 0 or epoch == "last":
        moment = "initial" if epoch == 0 else "final"
        shuffled = data["shuffled_nc1"].sel(split=split, moment=moment).transpose("seed", "layer").values
    variance = within * samples / ((samples - classes) * features)
    radius2 = between - variance * features * (classes - 1) / samples
    isotropic = np.full_like(nc1, np.inf)
    apart = radius2 > 0
    simplex = theory.catalogue()["collapse.simplex_nc1"]
    isotropic[apart] = simplex(classes=classes, variance=variance[apart], radius2=radius2[apart])
    with np.errstate(invalid="ignore"):
        effective = classes + (samples - classes) * (classes - 1) / shuffled.mean(axis=0)
    return LayerProfile(
        data["layer"].values.astype(np.int64), features, nc1, shuffled, floor(samples, classes, features), isotropic,
        effective, samples, classes, split, epoch,
    )  # fmt: skip


def floor(samples: int, classes: int, features: Array) -> Array:
    """Return the expected NC1 of isotropic Gaussian features without class information, ``[...]``, in closed form.

    It is infinite where the expectation does not exist.

    Args:
        samples: N, more than ``classes``.
        classes: C.
        features: dimensions D.
    """
    import theory

    floors = np.full(np.shape(features), np.inf)
    forms = theory.catalogue()
    for where, name in ((features > classes, "noise_floor"), (features < classes - 2, "noise_floor_few_dimensions")):
        if where.any():
            floors[where] = forms[f"collapse.{name}"](samples=samples, classes=classes, dimension=features[where])
    return floors

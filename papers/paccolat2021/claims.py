"""What can be tested of compression: amplification, times, attractors and kernels, realisation by realisation."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from bridge.compression import assignment, saturation
from bridge.compression import trace as read
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.compression.kernel_studies import KERNEL_COMPONENTS
from empirics.experiments.compression.studies import stripe
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies import kernel_components as kernels
from papers.paccolat2021.studies.amplification import SMALL_RATIO
from papers.paccolat2021.studies.crossover import TENTH, amplified
from papers.paccolat2021.studies.kernel_components import floor

BASE = stripe("smoke", points=500, seeds=4)
KERNELS = KERNEL_COMPONENTS.table("smoke")["stripe"]
MOST = 0.5  # of the neurons
LAZY = 100.0  # network scale of the lazy limit
NEURONS = 60  # drawn for the derived offset of t*
"""As the default of :func:`bridge.compression.time_law`."""


def star(trace: xr.Dataset) -> Pair:
    """Return 0, and the logarithm of Λ* over its prediction from the data set's own fluctuation."""
    saturated = saturation(trace)
    return 0.0, np.log(saturated.measured / saturated.predicted)


def settled(trace: xr.Dataset) -> Pair:
    """Return one half, and the share of each realisation's neurons that lie at an attractor at t*."""
    return MOST, [
        assignment(trace, seed=seed).settled.mean() for seed in range(trace.sizes["seed"])
    ]


def time(trace: xr.Dataset) -> Pair:
    """Return t* by the derived law, and that of each realisation, in units of τ."""
    from theory.compression import characteristic_time

    config = read.config_of(trace)
    law = characteristic_time(
        read.stripes_of(config, "t*"), config.dimension, fitted=config.shares[0], neurons=NEURONS
    )
    return law(config.alpha), read.at_first_share(trace, "time")


def lazy_amplification(trace: xr.Dataset) -> Pair:
    """Return 0, and the logarithm of Λ* over the amplification of the initial weights."""
    return 0.0, amplified(
        read.at_first_share(trace, "amplification"), trace["amplification"].isel(record=0).values
    )


def initial_information(trace: xr.Dataset) -> Pair:
    """Return the value of the estimator without information, and the mean over components of the initial kernel."""
    return floor(), trace["information"].mean("component").sel(kernel="initial").values


def changed(trace: xr.Dataset, quantity: str) -> Pair:
    """Return 0, and what the kernel gains by training."""
    return 0.0, kernels.change(trace, quantity).values


def _of_kernel(name: str, sentence: str, quantity: str, relation: Any) -> Prediction:
    return Prediction(
        f"compression.{name}", sentence, partial(changed, quantity=quantity), KERNELS, kernels.MATTERS, False, relation,
        quantity, ("compression.tangent_kernel",),
    )  # fmt: skip


AMPLIFICATION = Prediction(
    "compression.amplification", "Λ* at t* is what the data set's own fluctuation leaves at the fastest attractor.",
    star, BASE, SMALL_RATIO, False, quantity=q.RATIO, forms=("compression.amplification",), most=256,
)  # fmt: skip
ATTRACTORS = Prediction(
    "compression.attractors", "Most neurons lie at a derived attractor at t*.", settled, replace(BASE, kept=50), 0.1,
    False, ">", q.SETTLED,
)  # fmt: skip
CHARACTERISTIC_TIME = Prediction(
    "compression.time", "t* is half the growth time of the fastest attractor times log(1/α), plus a derived offset.",
    time, BASE, quantity=q.TIME, forms=("compression.growth_time",),
)  # fmt: skip
LAZY_AMPLIFICATION = Prediction(
    "compression.lazy_amplification", "At a large network scale Λ* is that of the initial weights.",
    lazy_amplification, replace(BASE, alpha=LAZY, turning=0.2, moving=0.5), TENTH, False, quantity=q.LAZY_AMPLIFICATION,
)  # fmt: skip
INITIAL_INFORMATION = Prediction(
    "compression.initial_information", "Components of the initial kernel tell nothing of the label.",
    initial_information, KERNELS, kernels.MATTERS, False, quantity=q.INITIAL_INFORMATION,
    forms=("compression.label_information_floor",),
)  # fmt: skip
INFORMATION_GAIN = _of_kernel(
    "information_gain",
    "Components of the kernel tell more of the label after training.",
    q.INFORMATION_GAIN,
    ">",
)
SHARE_GAIN = _of_kernel(
    "share_gain",
    "The kernel's first components hold more of the labels after training.",
    q.SHARE_GAIN,
    ">",
)
LABEL_NORM = _of_kernel(
    "label_norm",
    "The labels' norm in the space of the kernel is smaller after training.",
    q.NORM_CHANGE,
    "<",
)
# A first plan, within a tenth and with 64 networks at a point, decided 6 of 137 points: networks scatter by a fifth.
REGIMES = PlannedMap(
    "compression-regimes",
    AMPLIFICATION,
    {"alpha": (1e-6, 10.0), "points": (100, 4000)},
    6000,
    2 * TENTH,
    3000,
)

"""What can be tested of collapse: the law of equal steps, and what the thesis says of training and test images."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from bridge.collapse import equiseparation
from bridge.collapse import quantities as q
from bridge.collapse.studies import separations, statements
from bridge.validity.prediction import Pair, Prediction
from empirics.experiments.collapse.studies import SMOKE

STEP = float(np.log(1.1))  # smallest relevant deviation of a logarithm


def equal_steps(trace: xr.Dataset, metric: Callable[[xr.Dataset, str], Any] = separations.nc1) -> Pair:
    """Return the first step of a logarithm, and the second."""
    steps = equiseparation(metric(trace, "train")).log_ratios
    return steps[:, 0], steps[:, 1]


def three_layers(trace: xr.Dataset) -> Pair:
    """Return the correlation that two steps of three layers have by the closed form, and that of the networks."""
    import theory

    law = equiseparation(trace)
    first, second = -law.log_ratios[:, :2].T
    falls = (first > 0) & (second > 0) & (law.log_ratios.shape[1] == 2)
    predicted = np.full(len(falls), np.nan)
    form = theory.catalogue()["collapse.three_layer_correlation"]
    predicted[falls] = -form(first[falls], second[falls])
    return predicted, law.r


def deepest_gap(trace: xr.Dataset) -> Pair:
    """Return 0, and log NC1 of the test images beyond that of the training images in the last layer."""
    return 0.0, statements.log_nc1_gap(trace)[:, -1]


def _about(name: str, sentence: str, compare: Callable[[xr.Dataset], Pair], quantity: str, **fields: Any) -> Prediction:
    given = {"resolution": STEP, "is_relative": False} | fields
    return Prediction(f"collapse.{name}", sentence, compare, SMOKE, quantity=quantity, **given)


EQUAL_STEPS = _about(
    "equal_steps", "log NC1 falls from the second layer to the third as from the first to the second.", equal_steps,
    q.LATER_STEP,
)  # fmt: skip
EQUAL_TRACE_STEPS = _about(
    "equal_trace_steps", "log tr Σ_W / tr Σ_B falls by the same step from layer to layer.",
    partial(equal_steps, metric=statements.trace_ratio), q.LATER_TRACE_STEP,
)  # fmt: skip
CORRELATION_LAW = _about(
    "correlation_law", "The correlation of log NC1 with three layers is a function of its two steps.", three_layers,
    q.CORRELATION, resolution=1e-6, forms=("collapse.three_layer_correlation",),
)  # fmt: skip
COMPRESSION_GAP = _about(
    "compression_gap", "Test images collapse less than training images in the last layer.", deepest_gap, q.LOG_NC1_GAP,
    relation=">",
)  # fmt: skip
RANGE_RISE = _about(
    "range_rise", "Training spreads log NC1 over the layers.", lambda trace: (0.0, statements.range_rise(trace)),
    q.RANGE_RISE, relation=">",
)  # fmt: skip

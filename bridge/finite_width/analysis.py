"""Kernels, outputs and tangent kernels of random networks against the closed forms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.finite_width import claims
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.results.quantity import verdicts_in_words
from bridge.validity.prediction import paired
from closedform.measured import Measured

COMPARED = (
    claims.EXACT_SPREAD,
    claims.KURTOSIS,
    claims.TANGENT_MEAN,
    claims.TANGENT_VARIANCE,
    claims.KERNEL_SPREAD,
    claims.KERNEL_SHIFT,
    claims.TANGENT_SPREAD,
    claims.COVARIANCE_XX_XY,
    claims.COVARIANCE_XY_XY,
    claims.COVARIANCE_XX_YY,
    claims.SHIFT_XY,
)


def analyse(traces: Traces) -> Analysis:
    """Compare every configuration with the closed forms that apply to it, and draw the spread against the width.

    Args:
        traces: traces by label.

    >>> from empirics.experiments.finite_width import Config, run
    >>> trace = run(Config(width=10, depth=1, networks=20, seeds=4))
    >>> analyse({"relu, width 10": trace}).measured[0].label
    'relu, width 10'
    """
    measured = tuple(
        number for label, trace in traces.items() for number in _numbers(label, trace)
    )
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "finite-width-fluctuations",
                "Variance of the kernel over its squared mean. Points: random networks, with one standard error. "
                "Dashed line: what the first order in 1/width predicts.",
                draw(traces),
            ),
        ),
        measured=measured,
        how_compared="Means over seeds. Exact are the spread and the kurtosis of rectifiers, with their exact means, "
        "both moments of the tangent kernel of one hidden layer, and the covariances of kernels of two inputs above "
        "one; the others are of first order in 1/width, and deviate in narrow and deep networks.",
        findings=verdicts_in_words(measured),
        theory=_members(traces),
    )


def _members(traces: Traces) -> tuple[str, ...]:
    """Return the closed forms that are compared, and of a family its members at the activations and depths."""
    import theory

    families = theory.catalogue().families
    names: dict[str, None] = {}
    for trace in traces.values():
        config = claims.config_of(trace)
        labels = {"activation": config.activation, "depth": str(config.depth)}
        for form in (form for claim in COMPARED for form in claim.forms):
            if form not in families:
                names[form] = None
            elif config.activation.isidentifier():
                parts = (labels[parameter.name] for parameter in families[form].parameters)
                names[f"{form}.{'_'.join(parts)}"] = None
    return tuple(names)


def _numbers(label: str, trace: xr.Dataset) -> Iterator[Measured]:
    """Yield the numbers of a configuration that have a prediction other than 0, which is that of ReLU for the shift."""
    for claim in COMPARED:
        predicted, measured = claim.compare(trace)
        if predicted:
            unit = float(np.abs(predicted)) if claim.is_relative else 1.0
            resolution = claim.resolution * unit
            number = paired(claim.quantity, label, (predicted, measured), resolution=resolution)
            if number is not None:
                yield number


def draw(traces: Traces) -> Figure:
    """Draw the measured spread of every configuration against its first order, one panel for each activation.

    Args:
        traces: traces by label.
    """
    groups: dict[str, list[xr.Dataset]] = {}
    for trace in traces.values():
        groups.setdefault(claims.config_of(trace).activation, []).append(trace)
    names: layout.Look = {
        "x": "first order", "y": "variance of the kernel over its square", "titles": [*groups]
    }  # fmt: skip
    with layout.drawing(1, len(groups), **names, size=(2.8, 2.6)) as (figure, axes):
        for panel, group in zip(axes[0], groups.values(), strict=True):
            pairs = [claims.kernel_spread(trace) for trace in group]
            predicted = np.array([first for first, _ in pairs], dtype=np.float64)
            measured = np.array([seeds for _, seeds in pairs], dtype=np.float64)
            means = measured.mean(axis=1)
            errors = measured.std(axis=1, ddof=1) / measured.shape[1] ** 0.5
            panel.errorbar(
                predicted,
                means,
                errors,
                fmt="o",
                markersize=3,
                color=style.BLUE,
                label="random networks",
            )
            panel.plot(np.sort(predicted), np.sort(predicted), label="first order", **style.THEORY)
            panel.set_xscale("log")
            panel.set_yscale("log")
        style.legend(figure)
    return figure

"""Kernels, outputs and tangent kernels of random networks against the closed forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.finite_width import claims
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.results.quantity import verdicts_in_words
from bridge.validity.prediction import paired
from closedform.measured import Measured

DECADE = 10.0  # of predicted numbers, from which on axes are logarithmic
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
    by_label = {label: [*_numbers(label, trace)] for label, trace in traces.items()}
    measured = tuple(chain.from_iterable(by_label.values()))
    return Analysis(
        traces=traces,
        pictures=tuple(_pictures(traces, by_label)),
        measured=measured,
        how_compared="Means over seeds. Exact are the spread and the kurtosis of rectifiers, with their exact means, "
        "both moments of the tangent kernel of one hidden layer, and the covariances of kernels of two inputs above "
        "one; the others are of first order in 1/width, and deviate in narrow and deep networks.",
        findings=verdicts_in_words(measured),
        theory=_members(traces),
    )


def _pictures(traces: Traces, by_label: Mapping[str, list[Measured]]) -> Iterator[Picture]:
    """Yield the picture of one input, and that of two where there are covariances of their kernels."""
    drawn = "Points: random networks, with one standard error. Dashed line: what is predicted."
    spreads: dict[str, list[Measured]] = {}
    for label, numbers in by_label.items():
        activation = claims.config_of(traces[label]).activation
        spreads.setdefault(activation, []).extend(_of(numbers, claims.KERNEL_SPREAD.quantity))
    yield Picture(
        "finite-width-fluctuations",
        f"Variance of the kernel over its squared mean, to first order in 1/width. {drawn}",
        draw(spreads, "variance over squared mean"),
    )
    pairs = {
        title: _of(chain.from_iterable(by_label.values()), claim.quantity)
        for title, claim in (
            ("xx with xy", claims.COVARIANCE_XX_XY),
            ("xx with yy", claims.COVARIANCE_XX_YY),
        )
    }
    if all(pairs.values()):
        yield Picture(
            "finite-width-two-inputs",
            "Covariances of the kernels of two inputs x and y, over the product of their standard deviations to first "
            f"order in 1/width. {drawn}",
            draw(pairs, "covariance"),
        )


def _of(numbers: Iterable[Measured], quantity: str) -> list[Measured]:
    return [number for number in numbers if number.quantity == quantity]


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


def draw(panels: Mapping[str, Sequence[Measured]], y: str) -> Figure:
    """Draw measured numbers against what is predicted, on logarithmic axes where that spans a decade.

    Args:
        panels: title of each panel -> its numbers.
        y: what is measured.
    """
    names: layout.Look = {"x": "predicted", "y": y, "titles": [*panels]}
    with layout.drawing(1, len(panels), **names, size=(2.8, 2.6)) as (figure, axes):
        for panel, numbers in zip(axes[0], panels.values(), strict=True):
            predicted = np.array([number.predicted for number in numbers])
            panel.errorbar(
                predicted,
                [number.value for number in numbers],
                [number.total_error for number in numbers],
                fmt="o",
                markersize=3,
                color=style.BLUE,
                label="random networks",
            )
            panel.plot(np.sort(predicted), np.sort(predicted), label="prediction", **style.THEORY)
            if len(predicted) and 0 < DECADE * predicted.min() < predicted.max():
                panel.set_xscale("log")
                panel.set_yscale("log")
        style.legend(figure)
    return figure

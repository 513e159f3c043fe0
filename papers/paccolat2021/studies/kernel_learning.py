"""Figure 8: test error of the network and of its four kernels, frozen, against the number of images."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces, with_verdict
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured, Relation
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.kernel_components import LOOKS, check, doubts, table

MATTERS = 0.03  # smallest relevant difference of test errors
HOW_COMPARED = (
    "The test error of the tangent kernel after training, frozen and learnt with other images, less that of the "
    "network and less that of the initial kernel, against 0: every realisation with itself, all numbers of images. The "
    "same of the last layer's activations after training less that of the network."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse the test errors of the network and of its frozen kernels."""
    check(traces)
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "figure-8-kernel-learning",
                "Test error against the number of training images: the network, and its kernels before and after "
                "training, frozen and learnt by hinge flow with as many other images. Means over realisations; "
                "bars: one standard error. As Figure 8 of the paper.",
                draw(traces),
            ),
        ),
        tables=(table(traces),),
        measured=_less(traces),
        how_compared=HOW_COMPARED,
        doubts=tuple(doubts(traces)),
        theory=("compression.tangent_kernel",),
    )


def _less(traces: Traces) -> tuple[Measured, ...]:
    """Compare the errors of the trained kernels, frozen, with those of the network and of the initial kernel."""
    network = np.concatenate([trace["network_error"].values for trace in traces.values()])

    def errors_of(kernel: str) -> Array:
        return np.concatenate(
            [trace["kernel_error"].sel(kernel=kernel).values for trace in traces.values()]
        )

    final = errors_of("final")
    less: tuple[tuple[str, Array, Relation], ...] = (
        (q.KERNEL_LESS_NETWORK, final - network, "="),
        (q.KERNEL_LESS_INITIAL, final - errors_of("initial"), "<"),
        (q.LAST_LAYER_LESS_NETWORK, errors_of("final_last_layer") - network, ">"),
    )
    return with_verdict(
        Measured.mean(quantity, "all sizes", values, 0.0, relation, MATTERS)
        for quantity, values, relation in less
    )


def _points(trace: xr.Dataset) -> int:
    return int(arguments.attribute(trace, "config")["points"])


def draw(traces: Traces) -> Figure:
    """Draw Figure 8."""
    ordered = sorted(traces.values(), key=_points)
    sizes = np.array([_points(trace) for trace in ordered])
    with layout.drawing(x="training images", y="test error", size=(4.6, 3.0)) as (figure, axes):
        axis = axes[0, 0]
        lines = [((style.INK, "D", "network"), [trace["network_error"] for trace in ordered])]
        for kernel, look in LOOKS.items():
            lines.append((look, [trace["kernel_error"].sel(kernel=kernel) for trace in ordered]))
        for (colour, marker, name), errors in lines:
            mean, error = np.array([mean_and_error(repetitions) for repetitions in errors]).T
            style.with_errors(axis, sizes, mean, error, color=colour, marker=marker, label=name)
        layout.logarithmic_at(axis, sizes)
        axis.set_ylim(bottom=0)
        style.legend(figure)
    return figure

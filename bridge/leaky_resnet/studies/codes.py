r"""A control of Figure 1b: which dimension do networks keep of a code that surrounds the origin, and which is cheapest?

A representation :math:`A = U z + m 1^\top` of a code z of k dimensions, with orthonormal columns of U and no negative
entries, has with bias the cost of identity :math:`k + \|m_\perp\|^2 / (1 + \|m_\perp\|^2)`, where :math:`m_\perp` is
the part of m outside the columns of U: the bias of the weights supplies the rest of this direction. It is k exactly for
:math:`m_\perp = 0`, where k units hold the code, each shifted until it is positive. So k and not k + 1 is the cheapest
also for a signed code; the direction of the mean costs less than one dimension, and it is given up only where L̃
makes that small saving larger than the cost of the way there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from bridge.leaky_resnet.quantities import MINIMAL_COST
from bridge.leaky_resnet.studies import depths, networks, panels, ranks
from bridge.leaky_resnet.studies.rows import HALF, Row
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from closedform.measured import Measured

HOW = (
    "Networks with bias at the largest effective depth, against k*: a non-negative representation has this cost whose "
    "units hold the code, each shifted until it is positive. One that keeps the direction of the mean as well costs up "
    "to one more."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse gap and least cost of identity against the effective depth, for every code."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    compared = _cheapest(measured)
    pictures = [
        Picture(
            f"figure-1b-codes-{number}",
            f"{label}: −2H/L̃ and the least cost of identity against the effective depth; mean and standard error over "
            "seeds. Shaded: smallest to largest −2H/L̃ of a layer, averaged over seeds. Dashed: k*; dotted: k* + 1. "
            "Right: relative gradients. Control of Figure 1b of the paper.",
            depths.draw_rank(data),
        )
        for number, (label, data) in enumerate(measured.items(), start=1)
        if data.sizes["depth"] > 1
    ]
    if not pictures:
        caption = (
            "Least cost of identity against the teacher’s inner dimension, mean and standard error over seeds, often "
            "smaller than the marker. Dashed: k*; dotted: k* + 1. Control of Figure 1b of the paper."
        )
        pictures = [Picture("figure-1b-codes-costs", caption, draw_costs(compared))]
    ratios = Picture(
        "figure-1b-codes-ratios",
        "Ratio of neighbouring singular values of the middle layer’s weights at the largest effective depth, every "
        "seed. Dashed: k*; dotted: k* + 1.",
        ranks.draw_ratios(traces),
    )
    return networks.analysis(traces, measured, [*pictures, ratios], (), compared=compared, how_compared=HOW)


def draw_costs(costs: Sequence[Measured]) -> Figure:
    """Draw the least cost of identity against its prediction k*, each kind of code in a colour of its own."""
    ranks_kept = np.array([one.predicted for one in costs], dtype=np.float64)
    kinds = [one.label.partition(",")[0] for one in costs]
    with layout.drawing(x="inner dimension $k^*$", y="least cost of identity", size=(3.6, 2.8)) as (figure, axes):
        axis = axes[0, 0]
        for colour, kind in zip(style.COLOURS, dict.fromkeys(kinds), strict=False):
            group = [one for one, its in zip(costs, kinds, strict=True) if its == kind]
            place, value, error = zip(*((one.predicted, one.value, one.error or 0) for one in group), strict=True)
            style.with_errors(axis, place, value, error, color=colour, label=kind, linestyle="")
        ends = np.array([ranks_kept.min(), ranks_kept.max()])
        axis.plot(ends, ends, **style.THEORY, label="$k^*$")
        axis.plot(ends, ends + 1, **panels.NEXT, label="$k^* + 1$")
        layout.whole_numbers(axis)
        axis.legend()
    return figure


def _cheapest(measured: Traces) -> list[Measured]:
    """Compare the least cost of identity of networks with bias with k*, at the largest effective depth."""
    costs = (
        Row(label, data.sel(depth=data["depth"].values.max())).mean(MINIMAL_COST, data.attrs["inner_rank"], HALF)
        for label, data in measured.items()
        if data.attrs["bias"]
    )
    return [cost for cost in costs if cost is not None]

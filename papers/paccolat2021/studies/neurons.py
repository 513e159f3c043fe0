"""Figures 1, 3, 4 and 6: trajectories of single neurons toward the attractors, and the decision function."""

from collections.abc import Iterator, Mapping

import numpy as np
import xarray as xr

from bridge.compression import Assignment, assignment
from bridge.compression import trace as read
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of
from closedform.measured import Measured
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies import neuron_pictures as pictures
from papers.paccolat2021.studies.families import doubts

THEORY = tuple(
    f"compression.{name}" for name in ("amplification", "growth_time", "perpendicular_share")
)
READING = {
    "Neuron vector": "z, the point of a neuron's hyperplane that is closest to the origin; on the informative axis at "
    "an attractor.",
    "Settled": "a neuron whose hyperplane crosses the informative axis within 0.25 of an attractor of its own side.",
    "λ": "|ω₁|/|ω⊥| of one neuron. The prediction is where it saturates for this data set; slow attractors are not "
    "there yet at t*, and a neuron of the fastest may overshoot where its share ω⊥/ω₁ passes through zero.",
}

SMALLEST = 0.05  # share of the neurons that matters
HOW_COMPARED = (
    "The share of the neurons that lie within 0.25 of a derived attractor at t*, against all of them. Neurons are "
    "independent of each other until t*, so that their number gives the error. Also by how much the informative share "
    "of their squared weights grows until then, against 0."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse the attractors of the neurons, one neuron against its flow, and the decision function during training."""
    stripes = {
        label: trace
        for label, trace in traces.items()
        if read.config_of(trace).labels == "stripes"
    }
    assignments = {label: assignment(trace) for label, trace in stripes.items()}
    drawn = [
        Picture(
            "figure-1-arrows",
            "Weights times output weight of the neurons before training, at t* and at the end of training, over the "
            "training points; the arrows of a panel share a scale, at which the longest one fits. As Figures 1 and 6 "
            "of the paper.",
            pictures.arrows(traces),
        )
    ]
    for number, (label, trace) in enumerate(stripes.items()):
        suffix = "" if len(stripes) == 1 else f"-{number + 1}"
        drawn += [
            Picture(
                f"figure-3-neurons{suffix}",
                f"{label}. Left: one neuron's weights in its network (solid) and by the flow averaged over the data "
                "with this data set's fluctuation (dashed), until t*. Middle: the function whose zeros are the fixed "
                "points, dotted where perpendicular weights outgrow the informative one; crosses: the stable ones. "
                "Right: neuron vectors until t*. As Figure 3 of the paper.",
                pictures.figure_3(trace, assignments[label]),
            ),
            Picture(
                f"figure-4-decision{suffix}",
                f"{label}. Left: the predictor along the informative axis when these shares of the training points are "
                "first fitted, and below it the intercepts of the neurons then; crosses: derived attractors of the "
                "time until t*. Right: training loss and test error; dotted: the same times. As Figure 4 of the "
                "paper.",
                pictures.figure_4(trace, assignments[label]),
            ),
        ]
    settled = [_settled(label, assigned) for label, assigned in assignments.items()]
    aligned = [_aligned(label, trace) for label, trace in traces.items()]
    return Analysis(
        traces=dict(traces),
        pictures=tuple(drawn),
        tables=(table(assignments),) if assignments else (),
        measured=(*settled, *(measured for measured in aligned if measured is not None)),
        how_compared=HOW_COMPARED,
        findings=tuple(
            _against_flow(label, stripes[label], assigned)
            for label, assigned in assignments.items()
        ),
        doubts=(*doubts(traces), *_doubts(assignments)),
        theory=THEORY,
        reading=READING,
    )


def table(assignments: Mapping[str, Assignment]) -> Table:
    """Return every attractor with its neurons."""
    rows = []
    for label, assigned in assignments.items():
        for number in range(len(assigned.attractors)):
            rows.append((label, assigned, number, assigned.nearest == number))
    caption = "Neurons at t*, by the attractor of the compressing regime that they belong to."
    return table_of(
        "compression-neurons", "Attractors and their neurons", caption, rows,
        (
            ("configuration", lambda row: row[0]),
            ("$z^*$", lambda row: float(row[1].attractors[row[2]].position)),
            ("side", lambda row: "+" if row[1].attractors[row[2]].side > 0 else "−"),
            (r"$\tau^*/\tau$", lambda row: float(row[1].attractors[row[2]].growth_time)),
            ("neurons", lambda row: int(row[3].sum())),
            ("settled", lambda row: f"{row[1].settled[row[3]].mean():.0%}" if row[3].any() else None),
            (r"share of $\omega_1^2$", lambda row: float(row[1].size[row[3]].sum())),
            (r"median $\lambda$", lambda row: row[1].median(row[2])),
            (r"$\lambda^*$ of this data set", lambda row: float(row[1].predicted[row[2]])),
        ),
    )  # fmt: skip


def _settled(label: str, assigned: Assignment) -> Measured:
    """Return the share of the neurons that lie at an attractor, with its error from their number."""
    share, count = float(assigned.settled.mean()), len(assigned.settled)
    error = max((share * (1 - share) / count) ** 0.5, 1 / count)
    return Measured(q.SETTLED, label, share, error, predicted=1.0, resolution=SMALLEST)


def _aligned(label: str, trace: xr.Dataset) -> Measured | None:
    """Return by how much the informative share of the squared weights grows until t*, against 0, over the neurons."""
    informative = read.config_of(trace).d_parallel or 1
    states = (trace["initial_weights"], trace["kept_at"].isel(share=0))
    squares = [
        state.isel(seed=0).transpose("neuron", "weight").values[:, :-2] ** 2 for state in states
    ]
    before, after = (square[:, :informative].sum(-1) / square.sum(-1) for square in squares)
    return Measured.mean(q.ALIGNMENT, label, after - before, 0.0, ">", 0.1)


def _against_flow(label: str, trace: xr.Dataset, assigned: Assignment) -> str:
    """State how far the averaged flow of Figure 3a is from the network at t* and halfway."""
    config = read.config_of(trace)
    time = trace["time"].values[0]
    before = time <= float(read.at_first_share(trace, "time")[0])
    time, states = time[before], trace["tracked"].values[0, before]
    at_ends = [len(time) // 2, len(time) - 1]
    chosen, paths = pictures.one_neuron(np.append(0.0, time[at_ends]), states, config, assigned)
    ratios = {}
    for name in (pictures.INFORMATIVE, pictures.PERPENDICULAR):
        ratios[name] = (
            pictures.magnitudes(config.dimension)[name](states[at_ends, chosen]) / paths[name][1:]
        )
    along, across = ratios.values()
    return (
        f"{label}: in Figure 3a the network’s informative weights are {along[0]:.2g} times those of the averaged flow "
        f"halfway to t* and {along[1]:.2g} times at t*, its perpendicular weights {across[0]:.2g} and {across[1]:.2g} "
        f"times (p = {config.points})."
    )


def _doubts(assignments: Mapping[str, Assignment]) -> Iterator[Doubt]:
    for label, assigned in assignments.items():
        for number, attractor in enumerate(assigned.attractors):
            ratio = assigned.median(number) / assigned.predicted[number]
            if np.isfinite(ratio) and abs(np.log(ratio)) > np.log(1.5):
                yield Doubt(
                    label,
                    f"median λ at z* = {float(attractor.position):.3f} is {ratio:.2g} times where it saturates: at t* "
                    "the initial share of the perpendicular weights still counts",
                )

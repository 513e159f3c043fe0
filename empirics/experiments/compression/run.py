"""The hinge flow of one network per seed, each on its own training set, up to the last share of fitted points.

Data and initial networks are drawn on the CPU in float64, the same for all devices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirics.data.invariant import shell_labels, stripe_labels
from empirics.experiments.compression.config import Config
from empirics.experiments.compression.trained import History, follow
from empirics.runs.device import DTYPES, find, threads_suited_to
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator
from empirics.training.hinge_flow import HingeFlow
from empirics.training.sliding_flow import SlidingFlow


@dataclass(frozen=True)
class Realisations:
    """Data and initial networks of all seeds of a run, in float64 on the CPU.

    Attributes:
        inputs: training points ``[seed, point, d]``.
        labels: their labels ``[seed, point]``, +1 or -1.
        hidden: initial weights and, last, biases of the hidden layer, ``[seed, neuron, d + 1]``.
        output: initial weights of the output layer, ``[seed, neuron]``.
        test_inputs: test points ``[seed, test point, d]``.
        test_labels: their labels ``[seed, test point]``.
    """

    inputs: Tensor
    labels: Tensor
    hidden: Tensor
    output: Tensor
    test_inputs: Tensor
    test_labels: Tensor


def realisations(config: Config) -> Realisations:
    """Return the data and initial networks of ``config``; those of a seed do not depend on the other seeds.

    Args:
        config: the configuration.

    >>> realisations(Config(dimension=3, points=100, width=10)).inputs.shape[-1]
    3
    """
    d, kind = config.dimension, torch.float64
    drawn = []
    for seed in config.seed_numbers:
        data, weights, test = (
            generator(seed, purpose) for purpose in ("teacher", "weights", "subset")
        )
        inputs = torch.randn(config.points, d, generator=data, dtype=kind)
        hidden = torch.randn(config.width, d + 1, generator=weights, dtype=kind)
        output = torch.randn(config.width, generator=weights, dtype=kind)
        tests = torch.randn(config.test_points, d, generator=test, dtype=kind)
        drawn.append(
            (inputs, labelled(config, inputs), hidden, output, tests, labelled(config, tests))
        )
    return Realisations(*(torch.stack(tensors) for tensors in zip(*drawn, strict=True)))


def labelled(config: Config, inputs: Tensor) -> Tensor:
    """Return the labels of ``inputs`` ``[..., d]`` under ``config``, +1 or -1, ``[...]``."""
    assert config.boundaries is not None
    assert config.first_label is not None
    assert config.d_parallel is not None
    if config.labels == "stripes":
        return stripe_labels(inputs, config.boundaries, config.first_label)
    return shell_labels(inputs, config.boundaries, config.d_parallel, config.first_label)


EDGE = 3.0  # the predictor is recorded on the first axis from -EDGE to EDGE
MEANINGS = {
    "time": "time",
    "fitted": "fraction of the training points with y F > 1",
    "loss": "mean hinge loss on the training set",
    "amplification": "global amplification factor (Eq. 9)",
    "test_error": "fraction of test points with the wrong sign of F",
    "tracked": "weights, bias and output weight of a neuron",
    "kept": "weights, bias and output weight of a neuron",
    "predictor": "F on the first axis",
}


def start(config: Config, drawn: Realisations | None = None) -> HingeFlow:
    """Return the flow of the networks of ``config`` at initialisation, with their data; None draws these."""
    data = realisations(config) if drawn is None else drawn
    device, dtype = find(config.device), DTYPES[config.dtype]
    tensors = (
        tensor.to(device, dtype) for tensor in (data.inputs, data.labels, data.hidden, data.output)
    )
    kind = SlidingFlow if config.sliding else HingeFlow
    return kind(
        *tensors,
        alpha=config.alpha,
        loss=config.loss,
        turning=config.turning,
        moving=config.moving,
    )


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and return the trace.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``record`` and ``share``; ``neuron``, ``weight`` and ``place`` only if
        requested. The curves ``time``, ``fitted``, ``loss`` and ``amplification`` are ``[seed, record]``, since the
        seeds have different times. ``time_at`` and ``amplification_at`` are ``[seed, share]``, NaN for shares that were
        not reached. ``amplification_max``, its time, ``steps`` and ``jumps`` are ``[seed]``. The test error is added
        with ``test_points``, the neurons with ``tracked`` and ``kept``, and the predictor with ``places``.

    >>> trace = run(Config(dimension=2, points=100, width=50, seeds=3), progress=False)
    >>> trace.sizes["seed"]
    3
    """
    assert config.d_parallel is not None
    session.during(threads_suited_to(config.width))
    drawn = realisations(config)
    flow = start(config, drawn)
    test = [tensor.to(flow.inputs) for tensor in (drawn.test_inputs, drawn.test_labels)]
    places = torch.linspace(-EDGE, EDGE, max(config.places, 1), dtype=torch.float64)
    line = torch.zeros(config.seeds, len(places), config.dimension).to(flow.inputs)
    line[..., 0] = places.to(flow.inputs)

    def watch() -> dict[str, Tensor]:
        values = {"tracked": _neurons(flow, config.tracked)} if config.tracked else {}
        if config.test_points:
            # 0 counts as half correct, at the start
            correct = torch.sign(flow.predictor(test[0]) * test[1])
            values["test_error"] = (1 - correct.to(torch.float64).mean(dim=1)) / 2
        return values

    def snapshot() -> dict[str, Tensor]:
        values = {"kept": _neurons(flow, config.kept)} if config.kept else {}
        return values | ({"predictor": flow.predictor(line)} if config.places else {})

    history = follow(
        flow, config.shares, informative=range(config.d_parallel), watch=watch, snapshot=snapshot,
        longest=config.longest or float("inf"), rounds=config.rounds, checkpoint=session.checkpoint,
        progress=session.progress, label=f"d = {config.dimension}, p = {config.points}",
    )  # fmt: skip
    variables = _variables(flow, history) | {"initial_weights": _initial(flow, config)}
    if not config.kept:
        del variables["initial_weights"]
    coordinates = {
        "record": (
            np.arange(len(history.curves["time"])),
            {"long_name": "record; 0 is before the first step"},
        ),
        "share": (
            np.asarray(config.shares),
            {"long_name": "fraction of the training points that are fitted"},
        ),
    }
    if config.places:
        coordinates["place"] = (places.numpy(), {"long_name": "first coordinate, all others 0"})
    attributes = {"attempts": flow.attempts, "rounds": history.rounds}
    return RunResult(variables, coordinates, attributes)


def _neurons(flow: HingeFlow, count: int) -> Tensor:
    """Return weights, bias and output weight of the first neurons, ``[seed, neuron, d + 2]``."""
    return torch.cat([flow.hidden[:, :count], flow.output[:, :count, None]], dim=-1)


def _initial(flow: HingeFlow, config: Config) -> tuple[tuple[str, ...], np.ndarray, str]:
    hidden, output = flow.initial
    values = torch.cat([hidden, output[..., None]], dim=-1)[:, : config.kept]
    return (
        ("seed", "neuron", "weight"),
        values.cpu().double().numpy(),
        MEANINGS["kept"] + ", at the start",
    )


def _variables(
    flow: HingeFlow, history: History
) -> dict[str, tuple[tuple[str, ...], np.ndarray, str]]:
    """Return curves ``[seed, record, ...]`` and values at the shares ``[seed, share, ...]``, as the trace has them."""
    further_dims = {
        "tracked": ("tracked_neuron", "weight"),
        "kept": ("neuron", "weight"),
        "predictor": ("place",),
    }
    variables = {}
    for name, values in history.curves.items():
        stacked = torch.stack(values).to(torch.float64).numpy().swapaxes(0, 1)
        variables[name] = (
            ("seed", "record", *further_dims.get(name, ())),
            stacked,
            MEANINGS[name],
        )
    for name, snapshots in (history.at | {"time": history.reached}).items():
        if name != "tracked":
            stacked = snapshots.cpu().numpy().swapaxes(0, 1)
            meaning = f"{MEANINGS[name]} at the share of fitted points"
            variables[f"{name}_at"] = (
                ("seed", "share", *further_dims.get(name, ())),
                stacked,
                meaning,
            )
    ends = {
        "amplification_max": (history.largest, "largest global amplification factor of all steps"),
        "amplification_max_time": (
            history.largest_time,
            "time of the largest global amplification factor (tau)",
        ),
        "end_time": (flow.time, "time at which the realisation stopped (tau)"),
        "steps": (flow.steps, "accepted steps"),
        "jumps": (flow.jumps, "accepted steps across a jump of the forces"),
    }
    return variables | {
        name: (("seed",), value.cpu().numpy(), meaning) for name, (value, meaning) in ends.items()
    }

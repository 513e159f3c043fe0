"""One run: as many networks as seeds, each on its own training set, from initial weights to their last share."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.data import Realisations, realisations
from empirics.experiments.compression.history import History, follow
from empirics.experiments.device import DTYPES, find
from empirics.experiments.session import Record, Session, run_of
from empirics.training import threads
from empirics.training.hinge_flow import HingeFlow

EDGE = 3.0  # of the first axis, where the predictor is kept
MEANINGS = {
    "time": "time",
    "fitted": "share of the training points with y F > 1",
    "loss": "mean hinge loss on the training set",
    "amplification": "global amplification factor (Eq. 9)",
    "test_error": "share of test points on the wrong side",
    "tracked": "weights, bias and output weight of a neuron",
    "kept": "weights, bias and output weight of a neuron",
    "predictor": "F on the first axis",
}


def start(config: Config, drawn: Realisations | None = None) -> HingeFlow:
    """The networks of ``config`` at initialisation with their data, ready to step.

    Args:
        config: which run.
        drawn: its realisations, if they are at hand.
    """
    data = realisations(config) if drawn is None else drawn
    device, dtype = find(config.device), DTYPES[config.dtype]
    tensors = (tensor.to(device, dtype) for tensor in (data.inputs, data.labels, data.hidden, data.output))
    return HingeFlow(
        *tensors, alpha=config.alpha, loss=config.loss, turning=config.turning, moving=config.moving
    )  # fmt: skip


@run_of(Config)
def run(config: Config, session: Session[Config]) -> Record:
    """Train the networks of ``config`` and return the trace.

    On one CPU the values are the same bit for bit each time (same versions, instruction set and number of threads).

    Returns:
        Dataset with dimensions ``seed``, ``record`` (each seed has its own ``time``), ``share``, and where asked for
        ``neuron``, ``weight``, ``place``. Curves ``time``, ``fitted``, ``loss``, ``amplification`` ``[seed, record]``;
        ``time_at[seed, share]`` and ``amplification_at``, NaN for shares that were not reached; ``amplification_max``
        and when it was; ``steps``, ``jumps``. With ``test_points`` the test error, with ``tracked``, ``kept``,
        ``places`` the neurons and the predictor.
    """
    assert config.d_parallel is not None
    session.during(threads.suited_to(config.width))
    drawn = realisations(config)
    flow = start(config, drawn)
    test = [tensor.to(flow.inputs) for tensor in (drawn.test_inputs, drawn.test_labels)]
    places = torch.linspace(-EDGE, EDGE, max(config.places, 1), dtype=torch.float64)
    line = torch.zeros(config.seeds, len(places), config.dimension).to(flow.inputs)
    line[..., 0] = places.to(flow.inputs)

    def watch() -> dict[str, Tensor]:
        values = {"tracked": _neurons(flow, config.tracked)} if config.tracked else {}
        if config.test_points:
            right = torch.sign(flow.predictor(test[0]) * test[1])  # 0, half right, where nothing is learned yet
            values["test_error"] = (1 - right.to(torch.float64).mean(dim=1)) / 2
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
        "record": (np.arange(len(history.curves["time"])), {"long_name": "record; 0 is before the first step"}),
        "share": (np.asarray(config.shares), {"long_name": "share of the training points fitted"}),
    }
    if config.places:
        coordinates["place"] = (places.numpy(), {"long_name": "first coordinate, all others 0"})
    attributes = {"attempts": flow.attempts, "rounds": history.rounds}
    return Record(variables, coordinates, attributes)


def _neurons(flow: HingeFlow, count: int) -> Tensor:
    """``[seed, neuron, d + 2]``: weights, bias, output weight."""
    return torch.cat([flow.hidden[:, :count], flow.output[:, :count, None]], dim=-1)


def _initial(flow: HingeFlow, config: Config) -> tuple[tuple[str, ...], np.ndarray, str]:
    hidden, output = flow.initial
    values = torch.cat([hidden, output[..., None]], dim=-1)[:, : config.kept]
    return ("seed", "neuron", "weight"), values.cpu().double().numpy(), MEANINGS["kept"] + ", at the start"


def _variables(flow: HingeFlow, history: History) -> dict[str, tuple[tuple[str, ...], np.ndarray, str]]:
    """Curves ``[seed, record, ...]`` and what was seen at the shares ``[seed, share, ...]``."""
    inner = {"tracked": ("tracked_neuron", "weight"), "kept": ("neuron", "weight"), "predictor": ("place",)}
    variables = {}
    for name, values in history.curves.items():
        stacked = torch.stack(values).to(torch.float64).numpy().swapaxes(0, 1)
        variables[name] = (("seed", "record", *inner.get(name, ())), stacked, MEANINGS[name])
    for name, snapshots in (history.at | {"time": history.reached}).items():
        if name != "tracked":
            stacked = snapshots.cpu().numpy().swapaxes(0, 1)
            meaning = f"{MEANINGS[name]} when the share of fitted points was reached"
            variables[f"{name}_at"] = (("seed", "share", *inner.get(name, ())), stacked, meaning)
    ends = {
        "amplification_max": (history.largest, "largest global amplification factor of all steps"),
        "amplification_max_time": (history.largest_time, "when that was, tau"),
        "end_time": (flow.time, "when the realisation stopped, tau"),
        "steps": (flow.steps, "steps taken"),
        "jumps": (flow.jumps, "steps taken across a jump of the forces"),
    }
    return variables | {name: (("seed",), value.cpu().numpy(), meaning) for name, (value, meaning) in ends.items()}

"""Where do two representations end, for many distances of the two inputs and of the two targets?

One network is trained for every cell of a grid of distances (appendix B.1, Figure 5), all cells as one batch to the
last epoch, or each by itself until its loss is small, as in the released program. The trace has the state before the
first and after the last update.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from empirics.experiments.two_point.config import GridConfig as Config
from empirics.experiments.two_point.run import output_state, trainer
from empirics.runs.device import threads_suited_to
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.training.loop import TrainingRecord, first_bad_epoch, train

__all__ = ["Config", "run"]

CELL = ("seed", "input_distance", "target_distance")
LEFT_OUT = 10.0  # losses at which networks stop: one that ends above so many is left out by the released program
MEANINGS = {
    "dh2_0": "squared distance of the two representations before training",
    "dy2_0": "squared distance of the outputs before it",
    "dh2": "squared distance of the two representations after training",
    "dy2": "squared distance of the two outputs after training",
    "w": "dy2 - dy . (y2 - y1) after training",
    "loss": "half the mean squared error (Eq. 1)",
    "network_diverged_at": f"first epoch that is not finite; {NEVER}: none",
}


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train a network for every cell of the grid and return where it began and ended.

    Returns:
        Dataset with dimensions ``seed`` (grid), ``input_distance``, ``target_distance`` and variables of all three:
        ``dh2_0`` and ``dy2_0`` before the first update, ``dh2``, ``dy2``, ``w`` and ``loss`` after the last one,
        ``network_diverged_at`` (-1: never). Of networks that stop at a loss, the attribute ``left_out_above`` is the
        loss above which one counts as not converged.
    """
    session.during(threads_suited_to(config.width))
    states = (_alone if config.stop_at else _together)(config, session)
    shape = (config.seeds, len(config.input_distances), len(config.target_distances))
    variables = {
        name: (CELL, states[name].reshape(shape), meaning) for name, meaning in MEANINGS.items()
    }
    coordinates = {
        "input_distance": (
            np.asarray(config.input_distances),
            {"long_name": "distance of the two inputs"},
        ),
        "target_distance": (
            np.asarray(config.target_distances),
            {"long_name": "distance of the two targets"},
        ),
    }
    attributes: dict[str, int | float | None] = {"layer": config.layer, "epochs": config.epochs}
    if config.stop_at:
        attributes["left_out_above"] = LEFT_OUT * config.stop_at
    return RunResult(variables, coordinates, attributes)


def _together(config: Config, session: Session[Config]) -> Mapping[str, NDArray[Any]]:
    """Train all networks as one batch and return their states, ``{variable: [network]}``."""
    record = train(
        trainer(config, config.cell(*config.cells[0]).seed_numbers), config.epochs, config.recorded,
        checkpoint=session.checkpoint, progress=session.progress, stop_on_divergence=session.stops,
        label=f"{config.architecture}, {config.activation}",
    )  # fmt: skip
    diverged = session.mark(first_bad_epoch(record))
    return {**_states(record, config.data()[1].numpy(), -1), "network_diverged_at": diverged}


def _alone(config: Config, session: Session[Config]) -> Mapping[str, NDArray[Any]]:
    """Train the networks one after another and return the same."""
    parts = session.parts("networks")
    for position in range(len(config.members)):
        if position == len(parts.done):
            states, when = _until_settled(config, position, session.progress)
            parts.add({**states, "network_diverged_at": [when]})
        session.mark_one(position, int(parts.done[position]["network_diverged_at"]))
    return {name: np.concatenate([part[name].numpy() for part in parts.done]) for name in MEANINGS}


def _until_settled(
    config: Config, position: int, progress: bool
) -> tuple[Mapping[str, Array], int]:
    """Train one network until its loss is ``stop_at``; return its state there and when it diverged (-1: never)."""
    cell = config.cell(*config.cells[position % len(config.cells)])
    target = cell.data()[1].numpy()

    def settled(record: TrainingRecord) -> NDArray[np.bool_]:
        """Return for every epoch whether the network need not go on, ``[epoch]``."""
        loss = output_state(record.outputs[:, 0], target)[2]
        return (loss <= config.stop_at) | ~np.isfinite(loss)

    record = train(
        trainer(cell, (cell.seed_numbers[position],)), config.epochs, config.recorded,
        until=lambda block: bool(settled(block).any()), stop_on_divergence=False, progress=progress,
        label=config.members[position],
    )  # fmt: skip
    settled_at = np.flatnonzero(settled(record))
    last = int(settled_at[0]) if len(settled_at) else -1
    return _states(record, target, last), first_bad_epoch(record).get(0, NEVER)


def _states(record: TrainingRecord, target: Array, last: int) -> Mapping[str, Array]:
    """Return the states before training and at epoch ``last`` of a record, ``{variable: [network]}``."""
    dy2, w, loss = output_state(record.outputs[last], target)
    return {
        "dh2_0": record.dh2[0, :, 0],
        "dy2_0": output_state(record.outputs[0], target)[0],
        "dh2": record.dh2[last, :, 0],
        "dy2": dy2,
        "w": w,
        "loss": loss,
    }

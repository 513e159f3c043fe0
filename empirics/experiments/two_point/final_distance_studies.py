"""The studies of final distances, on a grid of data and over random initial weights, at each scale.

*Grid.* Each architecture has two configurations: the one of Table 1, to which the rates are fitted, and a grid of 5 x 5
distances of inputs and targets with a network for every cell. Near points with near targets are learned slowly;
networks that have not converged are left out of the comparison, as in appendix B.1. At paper scale the grid has three
times as many epochs, so that most of them converge, and all eleven architectures; the smaller scales have six.

*Random weights* (appendix A.6, without a figure or printed settings). Networks have 6 hidden layers of 50 units and end
at a residual distance of the outputs below 1e-3 within 2000 epochs. Wider networks at a small gain show what remains of
the spread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from empirics.experiments.two_point import table_1
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.final_distances_config import Config as Grid
from empirics.experiments.two_point.studies import ARCHITECTURE_NAMES, named
from empirics.runs.study import Scale, Study

GRID: Final = ", grid"  # ends the label of a grid
ONE_GRID: dict[str, Any] = {"seeds": 1, "first_seed": 0, "device": "cpu", "dtype": "float32"}
LONGER = {"smoke": 2, "laptop": 1, "paper": 3}  # epochs of the grid in those of the fit
FEW = ("default", "skip connections", "shallow", "narrow", "tanh", "swish")


def grid(fitted: Config, scale: Scale) -> Grid:
    """Return the grid of the networks of ``fitted``, a configuration at ``scale``."""
    coarse: dict[str, Any] = (
        {"input_distances": (0.75, 1.25), "target_distances": (0.5, 1.0)} if scale == "smoke" else {}
    )
    coarse |= {"epochs": LONGER[scale] * fitted.epochs, "layer": fitted.layers[0] if fitted.layers else None}
    return Grid(**fitted.networks | ONE_GRID | coarse)


def fits_and_grids(scale: Scale) -> Mapping[str, Any]:
    """Return for every architecture the networks to which the rates are fitted, and the grid."""
    names = (*table_1.ARCHITECTURES, *table_1.ACTIVATIONS) if scale == "paper" else FEW
    configs: dict[str, Any] = {}
    for name in names:
        configs[name] = named(name, scale)
        configs[f"{name}{GRID}"] = grid(configs[name], scale)
    return configs


FINAL_DISTANCES = Study(
    name="two-point-final-distances",
    question="Do rates fitted at one choice of data predict where the representations end at others?",
    table=fits_and_grids,
    named=ARCHITECTURE_NAMES,
)


# Rates: with smaller weights the gradient at the start is smaller, and larger steps are stable.
RATES = {0.7: 0.03, 0.8: 0.02, 1.0: 0.01, 1.2: 0.005}
NETWORKS: dict[Scale, int] = {"smoke": 12, "laptop": 100, "paper": 1000}
LARGEST_GAIN: dict[Scale, int] = {"smoke": 12, "laptop": 250, "paper": 1000}  # networks; they scatter most
WIDER: dict[Scale, int] = {"smoke": 100, "laptop": 200, "paper": 500}
DEPTH, WIDTH, EPOCHS = 6, 50, 2000


def gains(scale: Scale) -> Mapping[str, Config]:
    """Return networks at every gain, and wider ones at the second smallest."""
    configs = {
        f"gain {gain}": Config(
            depth=DEPTH, width=WIDTH, gain=gain, learning_rate=rate, epochs=EPOCHS, seeds=NETWORKS[scale]
        )
        for gain, rate in RATES.items()
    }
    largest = f"gain {max(RATES)}"
    configs[largest] = replace(configs[largest], seeds=LARGEST_GAIN[scale])
    configs["gain 0.8, wider"] = Config(
        depth=DEPTH, width=WIDER[scale], gain=0.8, learning_rate=RATES[0.8], epochs=EPOCHS,
        seeds=max(12, NETWORKS[scale] // 2),
    )  # fmt: skip
    return configs


RANDOM_WEIGHTS = Study(
    name="two-point-random-weights",
    question="Does the randomness of the final distance vanish at small initial weights, as Eq. (48) says?",
    table=gains,
    label=lambda config: f"gain {config.gain}",
    named={"width": "wider"},
)

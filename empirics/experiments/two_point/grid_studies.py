"""The study of final distances on a grid of data, with the rates of each architecture fitted at one choice of data.

Each architecture has two configurations: the one of Table 1, to which the rates are fitted, and a grid of 5 x 5
distances of inputs and targets with a network for every cell. Near points with near targets are learned slowly;
networks that have not converged are left out of the comparison, as in appendix B.1. At paper scale the grid has three
times as many epochs, so that most of them converge, and all eleven architectures; the smaller scales have six.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from empirics.experiments.two_point import table_1
from empirics.experiments.two_point.config import Config as TwoPoint
from empirics.experiments.two_point.final_distances_config import Config
from empirics.experiments.two_point.studies import ARCHITECTURE_NAMES, named
from empirics.runs.study import Scale, Study

GRID: Final = ", grid"  # ends the label of a grid
LONGER = {"smoke": 2, "laptop": 1, "paper": 3}  # epochs of the grid in those of the fit
FEW = ("default", "skip connections", "shallow", "narrow", "tanh", "swish")


def grid(fitted: TwoPoint, scale: Scale) -> Config:
    """Return the grid of the networks of ``fitted``, a configuration at ``scale``."""
    coarse: dict[str, Any] = (
        {"input_distances": (0.75, 1.25), "target_distances": (0.5, 1.0)} if scale == "smoke" else {}
    )
    return Config(
        architecture=fitted.architecture, activation=fitted.activation, depth=fitted.depth, width=fitted.width,
        gain=fitted.gain, optimiser=fitted.optimiser, learning_rate=fitted.learning_rate,
        epochs=LONGER[scale] * fitted.epochs, layer=fitted.layers[0] if fitted.layers else None,
        channels=fitted.channels, kernel=fitted.kernel, dropout=fitted.dropout, **coarse,
    )  # fmt: skip


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

"""The studies of two points, and the configurations that they take from Table 1 at each of the three scales.

*Paper* is Table 1 as printed (:mod:`empirics.experiments.two_point.table_1`). *Laptop* has mostly 10 hidden layers of
100 units and three or five seeds, chosen so that each configuration trains to the end in the regime that its name
promises. *Smoke* has at most 4 layers of 30 units and larger steps. Apart from the size, the laptop configurations
differ from Table 1 in these points:

- From layer to layer a leaky ReLU network scales squared distances by about gain²/2. The recorded layer is the 6th
  instead of the 11th, so the same gain starts from larger distances: "high initial weights" takes gain 1.2, which gives
  the initial dh2 of 1.3 in 20 layers. At 1.4 the theory fails, as published.
- With fewer layers larger steps are stable: the learning rates of linear, ELU, tanh and of the higher gains are larger
  than printed, so that 6000 epochs are enough. Adam takes the one at which 1000 steps complete the training.
- Linear and ELU networks transmit distances almost without damping; smaller gains keep their initial dh2 below 0.3.
- Skip connections: twice the learning rate and half the epochs give the same time of gradient flow.
- Convolution: width 50 in 6 layers, 2000 epochs, because a step costs twenty times that of a fully connected network.
- Dropout: its noise does not fade as the network learns, and 100 units average over fewer masks than 500.

*Final distances on a grid.* Each architecture has two configurations: the one of Table 1, to which the rates are
fitted, and a grid of 5 x 5 distances of inputs and targets with a network for every cell. Near points with near targets
are learned slowly; networks that have not converged are left out of the comparison, as in appendix B.1. At paper scale
the grid has three times as many epochs, so that most of them converge. In the released program each network of
the grid learns at two fifths of the rate until its loss is small, for 40,000 epochs at most. So do ours in the study of
that name, of the default architecture and of two that cost little.

*Random weights* (appendix A.6, without a figure or printed settings). Networks end at a residual distance of the
outputs below 1e-3. Wider networks at a small gain show what remains of the spread.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from empirics.experiments.two_point import table_1
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.config import GridConfig as Grid
from empirics.runs.study import Scale, Study

GRID: Final = ", grid"  # ends the label of a grid
ONE_GRID: dict[str, Any] = {"seeds": 1, "first_seed": 0, "device": "cpu", "dtype": "float32"}
LONGER = {"smoke": 2, "laptop": 1, "paper": 3}  # epochs of the grid in those of the fit
FEW = ("default", "skip connections", "shallow", "narrow", "tanh", "swish")
# Rates: with smaller weights the gradient at the start is smaller, and larger steps are stable.
RATES = {0.7: 0.03, 0.8: 0.02, 1.0: 0.01, 1.2: 0.005}
NETWORKS: dict[Scale, int] = {"smoke": 12, "laptop": 100, "paper": 1000}
# networks; they scatter most
LARGEST_GAIN: dict[Scale, int] = {"smoke": 12, "laptop": 250, "paper": 1000}
WIDER: dict[Scale, int] = {"smoke": 100, "laptop": 200, "paper": 500}
DEPTH, WIDTH, EPOCHS = 6, 50, 2000

ADAM: Final = "Adam"  # not in Table 1
RELEASED_SEEDS = 20  # default networks of 20 layers, 500 units: half an hour of one core; the paper shows one of them
RELEASED_GRIDS = ("default", "shallow", "narrow")
# fits and grids where others than 50 and 10: a grid of the default network takes 20 minutes of one core
RELEASED_TRIALS: Mapping[str, tuple[int, int]] = MappingProxyType({"default": (10, 3)})
RELEASED_EPOCHS: dict[Scale, int] = {"smoke": 1500, "laptop": 40_000, "paper": 40_000}  # at most
BASE = Config(depth=10, width=100)
CHANGES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "default": {},
        "convolution": {
            "architecture": "convolution", "depth": 6, "width": 50, "gain": 0.8, "learning_rate": 0.01, "epochs": 2000,
            "seeds": 3, "layers": None,
        },
        "skip connections": {
            "architecture": "skip", "gain": 0.1, "learning_rate": 0.02, "epochs": 3000, "seeds": 3,
        },
        "shallow": {"depth": 2, "gain": 0.35, "learning_rate": 0.01, "layers": None},
        "narrow": {"width": 50, "gain": 1.05},
        "dropout": {"architecture": "dropout", "epochs": 4000, "seeds": 3},
        "linear": {"activation": "linear", "gain": 0.75, "learning_rate": 0.005},
        "ReLU": {"activation": "relu"},
        "ELU": {"activation": "elu", "gain": 0.85, "learning_rate": 0.0025},
        "tanh": {"activation": "tanh", "gain": 0.85, "learning_rate": 0.0025},
        "swish": {"activation": "swish", "gain": 1.7, "learning_rate": 0.0025},
        "low initial weights": {"gain": 0.9, "learning_rate": 0.015},
        "intermediate initial weights": {"gain": 1.1, "learning_rate": 0.0025},
        "high initial weights": {"gain": 1.2, "learning_rate": 0.002},
        "very high initial weights": {"gain": 1.4, "learning_rate": 0.0005},
        ADAM: {"optimiser": "adam", "learning_rate": 1e-5, "epochs": 2000, "seeds": 3},
    }
)  # fmt: skip
LAPTOP: Mapping[str, Config] = MappingProxyType(
    {name: replace(BASE, **changes) for name, changes in CHANGES.items()}
)
# factor of the learning rate, so that 600 steps train a network of 4 layers
SMOKE_SPEED_UP = {"gd": 4.0, "adam": 20.0}
ARCHITECTURE_NAMES: Mapping[str, str] = (
    MappingProxyType(  # {field: a label that stands for its value}
        {
            "architecture": "skip connections",
            "activation": "tanh",
            "depth": "shallow",
            "width": "narrow",
        }
    )
)


def named(name: str, scale: Scale) -> Config:
    """Return the configuration ``name`` of Table 1, or ``"Adam"``, at ``scale``."""
    if scale == "paper":
        return replace(
            table_1.ADAM if name == ADAM else table_1.TABLE_1[name], seeds=table_1.SEEDS
        )
    config = LAPTOP[name]
    if scale == "laptop":
        return config
    rate = config.learning_rate * SMOKE_SPEED_UP[config.optimiser]
    return replace(
        config, depth=min(config.depth, 4), width=30, epochs=600, seeds=2, layers=None, learning_rate=rate, channels=4,
        kernel=5,
    )  # fmt: skip


def every_layer(scale: Scale) -> Mapping[str, Config]:
    """Return the default network with all of its hidden layers recorded; at paper scale 20 networks instead of 50."""
    config = named("default", scale)
    seeds = RELEASED_SEEDS if scale == "paper" else config.seeds
    return {"default": replace(config, seeds=seeds, layers=tuple(range(1, config.depth + 1)))}


ARCHITECTURES = Study(
    name="two-point-architectures",
    question="Does one theory with two fitted constants describe networks of any connectivity and nonlinearity?",
    table=lambda scale: {
        name: named(name, scale) for name in (*table_1.ARCHITECTURES, *table_1.ACTIVATIONS)
    },
    named=ARCHITECTURE_NAMES,
)
INITIAL_WEIGHTS = Study(
    name="two-point-initial-weights",
    question="How do plateau and final distance depend on the initial weights, and where does the theory fail?",
    table=lambda scale: {name: named(name, scale) for name in table_1.INITIAL_WEIGHTS},
    named={"gain": "weights"},
)
LAYER = Study(
    name="two-point-layer",
    question="In which hidden layers does the theory hold, and how do the time constants depend on the layer?",
    table=every_layer,
)
ALTERNATIVES = Study(
    name="two-point-alternatives",
    question="Do four slightly altered dynamics fit the default network as well as the theory does?",
    table=every_layer,  # the networks of Figure 10; the alternative dynamics differ in the fit only
)
UNDER_ADAM = Study(
    name="two-point-adam",
    question="How well does the theory, derived for gradient descent, describe training with Adam?",
    table=lambda scale: {ADAM: named(ADAM, scale)},
    named={"optimiser": ADAM},
)


def grid(fitted: Config, scale: Scale) -> Grid:
    """Return the grid of the networks of ``fitted``, a configuration at ``scale``."""
    coarse: dict[str, Any] = (
        {"input_distances": (0.75, 1.25), "target_distances": (0.5, 1.0)}
        if scale == "smoke"
        else {}
    )
    coarse |= {
        "epochs": LONGER[scale] * fitted.epochs,
        "layer": fitted.layers[0] if fitted.layers else None,
    }
    return Grid(**fitted.networks | ONE_GRID | coarse)


def fits_and_grids(scale: Scale) -> Mapping[str, Any]:
    """Return for every architecture the networks to which the rates are fitted, and the grid."""
    names = (*table_1.ARCHITECTURES, *table_1.ACTIVATIONS) if scale == "paper" else FEW
    configs: dict[str, Any] = {}
    for name in names:
        configs[name] = named(name, scale)
        configs[f"{name}{GRID}"] = grid(configs[name], scale)
    return configs


def released_grids(scale: Scale) -> Mapping[str, Any]:
    """Return networks to which the rates are fitted, and grids of networks that stop as in the released program."""
    configs: dict[str, Any] = {}
    for name in RELEASED_GRIDS:
        fitted = named(name, scale)
        fits, grids = (
            RELEASED_TRIALS.get(name, (table_1.SEEDS, 10))
            if scale == "paper"
            else (fitted.seeds, 3)
        )
        configs[name] = replace(fitted, seeds=fits)
        configs[f"{name}{GRID}"] = replace(
            grid(fitted, scale), learning_rate=0.4 * fitted.learning_rate, epochs=RELEASED_EPOCHS[scale], stop_at=1e-4,
            seeds=grids,
        )  # fmt: skip
    return configs


def gains(scale: Scale) -> Mapping[str, Config]:
    """Return networks at every gain, and wider ones at the second smallest."""
    configs = {
        f"gain {gain}": Config(
            depth=DEPTH,
            width=WIDTH,
            gain=gain,
            learning_rate=rate,
            epochs=EPOCHS,
            seeds=NETWORKS[scale],
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


FINAL_DISTANCES = Study(
    name="two-point-final-distances",
    question="Do rates fitted at one choice of data predict where the representations end at others?",
    table=fits_and_grids,
    named=ARCHITECTURE_NAMES,
)
FINAL_DISTANCES_RELEASED = Study(
    name="two-point-final-distances-released",
    question="Do they, if networks learn and stop as in the released program?",
    table=released_grids,
    named=ARCHITECTURE_NAMES,
)
RANDOM_WEIGHTS = Study(
    name="two-point-random-weights",
    question="Does the randomness of the final distance vanish at small initial weights, as Eq. (48) says?",
    table=gains,
    label=lambda config: f"gain {config.gain}",
    named={"width": "wider"},
)

"""The study of appendix A.6: how much do final distances depend on the random initial weights, at several gains?

The appendix has no figure and prints no settings. Networks have 6 hidden layers of 50 units and end at a residual
distance of the outputs below 1e-3 within 2000 epochs. Wider networks at a small gain show what remains of the spread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.two_point.config import Config
from empirics.runs.study import Scale, Study

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

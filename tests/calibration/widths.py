"""How often a width check raises a false alarm, decides, and finds a layer with a wrong exponent.

Networks of three layers, trained by Adam or gradient descent. In the right ones the own updates of all layers keep
their size; in the wrong ones one exponent of one layer is changed. Seeds begin where nothing was chosen.

    python -m tests.calibration.widths
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import torch
from torch import nn

import bridge
from theory.engine.own_updates import PARAMETRISATIONS

WIDTHS, SEEDS = (32, 64, 128, 256, 512), 10
CHECKS = 50  # of right networks, for each optimiser
FIRST_SEED = 58_000
SHIFTS = (-0.5, 0.5)
OPTIMIZERS = {"sgd": (torch.optim.SGD, 1e-3), "adam": (torch.optim.Adam, 1e-4)}
GENERATOR = torch.Generator().manual_seed(58)
BATCH = tuple(torch.randn(32, size, generator=GENERATOR, dtype=torch.float64) for size in (8, 32))


class Layer(nn.Linear):
    """A dense layer without biases whose weights have the standard deviation ``width^-spread``."""

    def __init__(self, inputs: int, outputs: int, deviation: float) -> None:
        super().__init__(inputs, outputs, bias=False)
        nn.init.normal_(self.weight, std=deviation)


def checked(optimizer: str, first_seed: int, spreads: list[float], rates: list[float]):
    """Return the check of networks with weights ``n^-spread`` and learning rates ``n^-rate``, by layer."""
    kind, rate = OPTIMIZERS[optimizer]

    def make_model(width: int) -> nn.Module:
        sizes = ((8, width), (width, width), (width, 32))
        layers = [
            Layer(inputs, outputs, width**-spread / (8**0.5 if inputs == 8 else 1))
            for (inputs, outputs), spread in zip(sizes, spreads, strict=True)
        ]
        return nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2]).double()

    def make_optimizer(model: nn.Module, width: int) -> torch.optim.Optimizer:
        groups = [
            {"params": model[2 * index].parameters(), "lr": rate * (width / 32) ** -exponent}
            for index, exponent in enumerate(rates)
        ]
        return kind(groups)

    return bridge.width_check(
        make_model, WIDTHS, make_optimizer, batch=BATCH, loss=nn.functional.mse_loss,
        first_seed=first_seed, steps=(1,), seeds=SEEDS,
    )  # fmt: skip


def main() -> None:
    """Print the tables."""
    print(f"{'optimiser':10}{'layers':>8}{'transfers':>11}{'too blunt':>11}{'false alarms':>14}")
    for optimizer in OPTIMIZERS:
        _, spreads, rates = PARAMETRISATIONS["maximal update"]
        right = [float(value) for value in spreads], [float(value) for value in rates[optimizer]]
        counts: Counter[str] = Counter()
        for number in range(CHECKS):
            check = checked(optimizer, FIRST_SEED + number * SEEDS * len(WIDTHS), *right)
            counts.update(layer.verdict for layer in check.layers)
        alarms = counts.total() - counts["transfers"] - counts["too blunt"]
        print(
            f"{optimizer:10}{counts.total():8}{counts['transfers']:11}{counts['too blunt']:11}{alarms:14}"
        )
    print(f"\n{'optimiser':10}{'changed':28}verdicts of the three layers")
    for optimizer, (what, layer, shift) in product(
        OPTIMIZERS, product(("rate", "spread"), range(3), SHIFTS)
    ):
        _, spreads, rates = PARAMETRISATIONS["maximal update"]
        values = {
            "spread": [float(value) for value in spreads],
            "rate": [float(value) for value in rates[optimizer]],
        }
        values[what][layer] += shift
        check = checked(optimizer, FIRST_SEED - 2000, values["spread"], values["rate"])
        verdicts = ", ".join(each.verdict for each in check.layers)
        print(f"{optimizer:10}{f'{what} of layer {layer} by {shift:+}':28}{verdicts}")


if __name__ == "__main__":
    main()

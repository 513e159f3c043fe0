"""How often a width check raises a false alarm, decides, and finds a network with a wrong exponent.

Networks of three layers, trained by Adam or gradient descent. The right ones are the maximal-update parametrisation
with factors moved between a layer's weights and its multiplier, which changes its rate, too; in the wrong ones another
exponent of one layer is changed by a half, so that theory has own updates that grow or vanish. Seeds begin where
nothing was chosen.

    python -m tests.calibration.widths
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
import torch
from torch import nn

import bridge
from bridge.widths import WidthCheck
from bridge.widths.layer import BLUNT, GROWS, VANISHES
from tests.calibration.page import write_table
from theory.engine import own_updates
from theory.engine.own_updates import PARAMETRISATIONS, A, B, C

WIDTHS, SEEDS = (32, 64, 128, 256, 512), 10
HEAD = """| optimiser | right networks | with an alarm | layers decided | wrong networks | found | other layers named |
|---|---|---|---|---|---|---|
"""
RIGHT, WRONG = 100, 25  # networks
FIRST_SEED = 640_000
STARTS = (
    8**-0.5,
    WIDTHS[0] ** -0.5,
    1 / WIDTHS[0],
)  # standard deviations of weights at the narrowest width
RATES = {"sgd": 1e-3, "adam": 1e-4}
GENERATOR = torch.Generator().manual_seed(58)
BATCH = tuple(torch.randn(32, size, generator=GENERATOR, dtype=torch.float64) for size in (8, 32))
ALARMS = {1: GROWS, -1: VANISHES, 0: ""}
Exponents = tuple[Fraction, ...]


@dataclass(frozen=True)
class Parametrisation:
    """Exponents of multipliers, initial weights and rates of three layers, for an optimiser."""

    optimizer: str
    a: Exponents
    b: Exponents
    c: Exponents

    @property
    def alarms(self) -> tuple[str, ...]:
        """What theory says of the layers' own updates: "grows", "vanishes" or nothing."""
        values = dict(zip((*A, *B, *C), (*self.a, *self.b, *self.c), strict=True))
        moved = [own.expression.subs(values) for own in own_updates(self.optimizer).values()]
        return tuple(ALARMS[int(sp.sign(move))] for move in moved)

    def checked(self, first_seed: int) -> WidthCheck:
        """Return the check of networks with these exponents, which are equal at the narrowest width."""
        sizes = ((8, None), (None, None), (None, 32))

        def scales(width: int, exponents: Exponents) -> list[float]:
            return [(width / WIDTHS[0]) ** -float(exponent) for exponent in exponents]

        def make_model(width: int) -> nn.Module:
            layers: list[nn.Module] = []
            of_layers = zip(
                sizes, STARTS, scales(width, self.a), scales(width, self.b), strict=True
            )
            for size, start, factor, spread in of_layers:
                inputs, outputs = (number or width for number in size)
                layers += [Layer(inputs, outputs, factor, start * spread), nn.ReLU()]
            return nn.Sequential(*layers[:-1]).double()

        def make_optimizer(model: nn.Module, width: int) -> torch.optim.Optimizer:
            groups = [
                {"params": model[2 * index].parameters(), "lr": RATES[self.optimizer] * rate}
                for index, rate in enumerate(scales(width, self.c))
            ]
            if self.optimizer == "sgd":
                return torch.optim.SGD(groups)
            return torch.optim.Adam(groups, eps=1e-30)

        return bridge.width_check(
            make_model, WIDTHS, make_optimizer, batch=BATCH, loss=nn.functional.mse_loss,
            first_seed=first_seed, steps=(1,), seeds=SEEDS,
        )  # fmt: skip


class Layer(nn.Linear):
    """A dense layer without biases whose weights have a factor and a standard deviation."""

    def __init__(self, inputs: int, outputs: int, factor: float, deviation: float) -> None:
        super().__init__(inputs, outputs, bias=False)
        self.factor = factor
        nn.init.normal_(self.weight, std=deviation)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Return the outputs."""
        return self.factor * super().forward(input)


def right(seed: int) -> Iterator[Parametrisation]:
    """Yield parametrisations in which all own updates keep their size, by either optimiser in turn."""
    draw = random.Random(seed)
    a, b, rates = PARAMETRISATIONS["maximal update"]
    while True:
        for optimizer in RATES:
            moved = [Fraction(draw.randrange(-2, 3), 4) for _ in range(3)]
            step = 2 if optimizer == "sgd" else 1
            yield Parametrisation(
                optimizer,
                tuple(Fraction(str(x)) + m for x, m in zip(a, moved, strict=True)),
                tuple(Fraction(str(x)) - m for x, m in zip(b, moved, strict=True)),
                tuple(
                    Fraction(str(x)) - step * m
                    for x, m in zip(rates[optimizer], moved, strict=True)
                ),
            )


def wrong(seed: int) -> Iterator[Parametrisation]:
    """Yield right ones with one exponent changed by a half, of which theory says that some own update moves."""
    draw = random.Random(seed)
    for parametrisation in right(seed):
        name, layer = draw.choice("abc"), draw.randrange(3)
        exponents = list(getattr(parametrisation, name))
        exponents[layer] += draw.choice((-1, 1)) * Fraction(1, 2)
        changed = replace(parametrisation, **{name: tuple(exponents)})
        if any(changed.alarms):
            yield changed


def verdicts(parametrisation: Parametrisation, first_seed: int) -> tuple[str, ...]:
    """Return the verdicts of the three layers."""
    return tuple(layer.verdict for layer in parametrisation.checked(first_seed).layers)


@dataclass(frozen=True)
class Checked:
    """What was found of one network, and what theory says of its layers: see :attr:`Parametrisation.alarms`."""

    optimizer: str
    wanted: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def is_found(self) -> bool:
        """Whether every layer that theory names has the right alarm."""
        return all(verdict == alarm for alarm, verdict in self._pairs if alarm)

    @property
    def false_alarms(self) -> int:
        """Layers with an alarm that theory does not name."""
        return sum(verdict in ALARMS.values() for alarm, verdict in self._pairs if not alarm)

    @property
    def decided(self) -> int:
        """Layers that are not too blunt."""
        return sum(verdict != BLUNT for verdict in self.found)

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.wanted, self.found, strict=True))


def checked(networks: Iterator[Parametrisation], count: int, first_seed: int) -> list[Checked]:
    """Check so many networks, each with seeds of its own, and print what is found."""
    results = []
    for number in range(count):
        network = next(networks)
        found = verdicts(network, first_seed + number * len(WIDTHS) * SEEDS)
        results.append(Checked(network.optimizer, network.alarms, found))
        print(results[-1], flush=True)
    return results


def row(optimizer: str, of_right: list[Checked], of_wrong: list[Checked]) -> str:
    """Return the line of an optimiser."""
    passed, failed = (
        [network for network in networks if network.optimizer == optimizer]
        for networks in (of_right, of_wrong)
    )
    alarmed = sum(network.false_alarms > 0 for network in passed)
    decided = sum(network.decided for network in passed)
    named = sum(network.false_alarms for network in failed)
    others = sum(network.wanted.count("") for network in failed)
    cells = (
        optimizer, len(passed), alarmed, f"{decided} of {3 * len(passed)}", len(failed),
        sum(network.is_found for network in failed), f"{named} of {others}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Write the table in place of the one on the page."""
    of_right = checked(right(FIRST_SEED), RIGHT, FIRST_SEED)
    first_seed = FIRST_SEED + RIGHT * len(WIDTHS) * SEEDS
    of_wrong = checked(wrong(FIRST_SEED + 1), WRONG, first_seed)
    write_table(HEAD, (row(optimizer, of_right, of_wrong) for optimizer in RATES))


if __name__ == "__main__":
    main()

"""Whether the best learning rate transfers from narrow to wide networks: standard and maximal-update parametrisation.

Networks of two hidden layers learn Fashion-MNIST at half resolution by Adam, for a few hundred steps on new images.
Both parametrisations are the same network at the narrowest width. The folder of the data is that of
``empirics.data.load``; the program takes five processor minutes.

    CLOSEDFORM_DATA=DIR python -m tests.calibration.transfer
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from bridge.plots import layout, style
from empirics.data import load
from tests.calibration.page import write_table

WIDTHS, POWERS, SEEDS = (64, 256, 1024), tuple(range(-12, -4)), (70, 71)
BATCH, STEPS, CLASSES = 64, 150, 10
PARAMETRISATIONS = ("standard", "maximal update")
PICTURE = Path(__file__).resolve().parents[2] / "docs" / "results" / "width-transfer.webp"
HEAD = """| width | standard: best rate | loss | at that of 64 | maximal update: best rate | loss | at that of 64 |
|---|---|---|---|---|---|---|
"""
Losses = Mapping[tuple[str, int, int], np.ndarray]
"""Parametrisation, width and power of two of the rate -> loss on test images for each seed."""


def halved(images: Tensor) -> Tensor:
    """Return images of half the resolution, centred, as rows."""
    return nn.functional.avg_pool2d(images, 2).flatten(1) - images.mean()


def model(parametrisation: str, width: int, pixels: int) -> nn.Sequential:
    """Return a network with weights of the parametrisation; both are equal at the narrowest width."""
    layers = nn.Sequential(
        nn.Linear(pixels, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CLASSES)
    )  # fmt: skip
    for layer in layers[::2]:
        nn.init.normal_(layer.weight, std=(2 / layer.in_features) ** 0.5)
        nn.init.zeros_(layer.bias)
    if parametrisation == "maximal update":
        with torch.no_grad():
            layers[4].weight *= (WIDTHS[0] / width) ** 0.5
    return layers


def adam(network: nn.Sequential, parametrisation: str, rate: float) -> torch.optim.Adam:
    """Return the optimiser: in the maximal-update parametrisation the rates of wide matrices fall as the width."""
    wide = [network[2].weight, network[4].weight]
    others = [network[0].weight, *(layer.bias for layer in network[::2])]
    narrower = WIDTHS[0] / network[2].in_features if parametrisation == "maximal update" else 1.0
    return torch.optim.Adam(
        [{"params": others, "lr": rate}, {"params": wide, "lr": rate * narrower}]
    )


def trained(
    parametrisation: str, width: int, rate: float, seed: int, data: tuple[Tensor, ...]
) -> float:
    """Train one network and return its loss on test images; infinite where it diverges."""
    images, labels, test_images, test_labels = data
    torch.manual_seed(seed)
    order = torch.randperm(len(images))[: BATCH * STEPS].view(STEPS, BATCH)
    network = model(parametrisation, width, images.shape[1])
    optimizer = adam(network, parametrisation, rate)
    for rows in order:
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(images[rows]), labels[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        return float(nn.functional.cross_entropy(network(test_images), test_labels))


def losses() -> Losses:
    """Train all networks."""
    train, test = load("fashion_mnist"), load("fashion_mnist", split="test", count=2000)
    data = halved(train.images), train.labels, halved(test.images), test.labels
    found = {}
    for key in itertools.product(PARAMETRISATIONS, WIDTHS, POWERS):
        parametrisation, width, power = key
        found[key] = np.array(
            [trained(parametrisation, width, 2.0**power, seed, data) for seed in SEEDS]
        )
        print(key, found[key].round(3), flush=True)
    return found


def best(found: Losses, parametrisation: str, width: int) -> int:
    """Return the power of two of the rate with the smallest mean loss."""
    return min(POWERS, key=lambda power: found[parametrisation, width, power].mean())


def draw(found: Losses) -> None:
    """Draw the loss against the rate, a panel for each parametrisation, and mark the best rates."""
    with layout.drawing(
        1, 2, x="learning rate", y="loss on test images", titles=PARAMETRISATIONS
    ) as (figure, axes):
        for panel, parametrisation in zip(axes.flat, PARAMETRISATIONS, strict=True):
            for width, colour in zip(WIDTHS, style.COLOURS, strict=False):
                curve = np.array([found[parametrisation, width, power].mean() for power in POWERS])
                panel.plot(
                    2.0 ** np.array(POWERS), curve, "-", color=colour, label=f"width {width}"
                )
                power = best(found, parametrisation, width)
                panel.plot(
                    2.0**power, found[parametrisation, width, power].mean(), "o", color=colour
                )
            panel.set(xscale="log", ylim=(0.45, 1.2))
        style.legend(figure)
    style.save(figure, PICTURE)


def row(found: Losses, width: int) -> str:
    """Return the line of a width: best rate and loss, and the loss at the rate that is best for the narrowest one."""
    cells = [str(width)]
    for parametrisation in PARAMETRISATIONS:
        rates = best(found, parametrisation, width), best(found, parametrisation, WIDTHS[0])
        own, narrow = (found[parametrisation, width, power].mean() for power in rates)
        cells += [f"2^{rates[0]}", f"{own:.3f}", f"{narrow:.3f}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Train, draw the picture and write the table in place of the one on the page."""
    torch.set_num_threads(1)
    start = time.process_time()
    found = losses()
    draw(found)
    write_table(HEAD, (row(found, width) for width in WIDTHS))
    print(f"{time.process_time() - start:.0f} processor seconds")


if __name__ == "__main__":
    main()

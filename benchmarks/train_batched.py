"""Training of several seeds as one batch or one after another, and the written-out backward pass or autograd.

All columns of a row train the same networks for the same number of epochs. Times are the best of three, in milliseconds
per epoch and seed.
"""

from __future__ import annotations

import time
from dataclasses import replace

import torch

from empirics.experiments import two_point
from empirics.training import train

SEEDS = 5
REPEATS = 3
SIZES = ((10, 100, 400), (20, 500, 20))  # hidden layers, width, epochs


def seconds(config: two_point.Config, by_hand: bool, seeds_at_once: int) -> float:
    """Return the best wall time of training all seeds in seconds, with ``seeds_at_once`` seeds in a batch."""
    best = float("inf")
    for _ in range(REPEATS):
        total = 0.0
        for first in range(0, SEEDS, seeds_at_once):
            part = replace(config, first_seed=first, seeds=seeds_at_once)
            trainer = two_point.trainer(part, by_hand=by_hand)
            started = time.perf_counter()
            train(trainer, part.epochs, part.layers, progress=False)
            total += time.perf_counter() - started
        best = min(best, total)
    return best


def main() -> None:
    """Print the table."""
    print(f"{SEEDS} seeds, float32, {torch.get_num_threads()} thread(s); ms per epoch and seed")
    print(
        f"{'network':>10} {'batched':>9} {'one by one':>11} {'ratio':>6} {'autograd, batched':>18} {'ratio':>6}"
    )
    for depth, width, epochs in SIZES:
        config = two_point.Config(depth=depth, width=width, epochs=epochs)
        batched, alone, autograd = (
            seconds(config, *options) for options in ((True, SEEDS), (True, 1), (False, SEEDS))
        )
        unit = 1e3 / (epochs * SEEDS)
        print(
            f"{depth:>4} x {width:<3} {batched * unit:9.3f} {alone * unit:11.3f} {alone / batched:6.2f}"
            f" {autograd * unit:18.3f} {autograd / batched:6.2f}"
        )


if __name__ == "__main__":
    main()

"""Random labels, which a network can fit only by memorising them (Zhang et al. 2021)."""

from __future__ import annotations

from dataclasses import replace

import torch

from closedform import checks
from empirics.data.dataset import Dataset
from empirics.seeding import generator


def random_labels(dataset: Dataset, fraction: float = 1.0, seed: int = 0, keep_class_sizes: bool = False) -> Dataset:
    """Return a copy of ``dataset`` in which some labels no longer depend on the images.

    Args:
        dataset: the data set, which is not changed; the images are shared, not copied.
        fraction: fraction of the labels to replace, in [0, 1], rounded to a whole number of labels; default 1. Larger
            fractions include the replaced labels of smaller ones.
        seed: non-negative integer, default 0.
        keep_class_sizes: whether to permute the chosen labels; otherwise (default) they are drawn uniformly from the C
            classes. In both cases about one label in C stays correct by chance.

    Returns:
        The corrupted data set; its ``origin`` says so.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if ``fraction`` is outside [0, 1].
    """
    checks.instance("dataset", dataset, Dataset, "a Dataset")
    checks.real_number("fraction", fraction, least=0, most=1)
    stream = generator(seed, "labels")
    size = len(dataset)
    chosen = torch.randperm(size, generator=stream)[: round(fraction * size)]
    drawn = torch.randint(dataset.classes, (size,), generator=stream)[: len(chosen)]
    if keep_class_sizes:
        drawn = dataset.labels[chosen][torch.randperm(len(chosen), generator=stream)]
    labels = dataset.labels.clone()
    labels[chosen] = drawn
    return replace(dataset, labels=labels, origin=f"{dataset.origin}, {fraction:.3g} of the labels random")

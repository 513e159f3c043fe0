"""Imbalanced classes: a subset in which the numbers of images fall geometrically from class to class."""

from __future__ import annotations

from dataclasses import replace

import torch

from closedform import checks
from empirics.data.dataset import Dataset
from empirics.seeding import generator


def imbalanced(dataset: Dataset, count: int, ratio: float, seed: int = 0) -> Dataset:
    """Return ``count`` images of ``dataset``, of which class 0 has ``ratio`` times as many as the last class.

    Args:
        dataset: the data set, which is not changed.
        count: number of images in all, at least one for each class.
        ratio: number of images of the first class over that of the last, at least 1; 1 gives equal classes.
        seed: seed of the draw, non-negative integer, default 0.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if a class has too few images, or would have none.
    """
    checks.instance("dataset", dataset, Dataset, "a Dataset")
    checks.size("count", count, dataset.classes)
    checks.real_number("ratio", ratio, least=1)
    shares = torch.logspace(0, -1, dataset.classes, base=ratio, dtype=torch.float64)
    edges = (count * shares.cumsum(0) / shares.sum()).round().long()
    sizes = edges.diff(prepend=edges.new_zeros(1))
    checks.require(int(sizes.min()) > 0, "count", count, f"more, so that every class has an image at ratio {ratio:g}")
    order = torch.randperm(len(dataset), generator=generator(seed, "subset"))
    rank = torch.zeros_like(order)  # position of each image among those of its class
    for c, size in enumerate(sizes.tolist()):
        members = dataset.labels[order] == c
        here = int(members.sum())
        checks.require(here >= size, "count", count, f"at most {here} images of class {c}, not {size}")
        rank[members] = torch.arange(here)
    chosen = order[rank < sizes[dataset.labels[order]]]
    origin = f"{dataset.origin}, {count:,} of them, class sizes from {int(sizes[0]):,} to {int(sizes[-1]):,}"
    return replace(dataset, images=dataset.images[chosen], labels=dataset.labels[chosen], origin=origin)

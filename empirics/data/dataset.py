"""The data set that every reader returns: images, labels and a description of their origin; subsets, random labels.

Random labels can be fitted by memorising them only (Zhang et al. 2021).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.seeding import generator


@dataclass(frozen=True)
class Dataset:
    """Images and labels; unpacks as ``images, labels = dataset``.

    Attributes:
        images: ``[N, channel, height, width]``, or ``[N, pixel]`` where they were flattened; pixel values in [0, 1], or
            bytes (the raw values) where the dtype is ``torch.uint8``.
        labels: ``[N]``, int64, 0 ... ``classes`` - 1.
        classes: number of classes C, whether or not all of them occur.
        origin: description for captions, such as ``"Fashion-MNIST, training split, 2,000 of 60,000 images"``.

    >>> data = Dataset(torch.zeros(2, 1, 28, 28), torch.tensor([0, 1]), 2, "zeros")
    >>> images, labels = data
    >>> images.shape
    torch.Size([2, 1, 28, 28])
    """

    images: Tensor
    labels: Tensor
    classes: int
    origin: str

    def __post_init__(self) -> None:
        for name, value in (("images", self.images), ("labels", self.labels)):
            checks.instance(name, value, Tensor, "a tensor")
        checks.size("classes", self.classes)
        checks.text("origin", self.origin, or_empty=True)
        images, labels = self.images, self.labels
        tensor_checks.shape(
            "images", images, images.ndim in (2, 4), "[N, channel, height, width] or [N, pixel]"
        )
        checks.require(
            labels.ndim == 1 and labels.dtype == torch.int64 and len(labels) == len(images), "labels",
            f"shape {list(labels.shape)} of {labels.dtype}", f"one int64 for each of the {len(images)} images",
        )  # fmt: skip
        checks.require(len(labels) > 0, "images", "none", "at least one")
        if int(self.labels.min()) < 0 or int(self.labels.max()) >= self.classes:
            raise ValueError(f"labels: got values outside 0 ... classes - 1 = {self.classes - 1}")

    def __iter__(self) -> Iterator[Tensor]:
        return iter((self.images, self.labels))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def class_sizes(self) -> Tensor:
        """The number of images of each class, ``[C]``, int64."""
        return torch.bincount(self.labels, minlength=self.classes)

    def subset(self, count: int, seed: int = 0, balanced: bool = False) -> Dataset:
        """Draw ``count`` of the images without replacement.

        The same seed gives nested subsets: a smaller subset is the beginning of a larger one (class by class if
        ``balanced``). The order is random, so that any consecutive images are a random sample, too.

        Args:
            count: number of images, 1 ... N.
            seed: non-negative integer, default 0.
            balanced: whether to draw the same number of images of each class, for which ``count`` must be a multiple of
                C; default False.

        Raises:
            ValueError: if there are not that many images, in all or of one class.
            TypeError: if ``count`` is not an integer.
        """
        order = torch.randperm(len(self), generator=generator(seed, "subset"))
        chosen = order[: checks.integer("count", count, 1, len(self))]
        if balanced:
            per_class, remainder = divmod(count, self.classes)
            if remainder:
                raise ValueError(
                    f"count: got {count}, needs a multiple of {self.classes} (the classes) to be balanced"
                )
            if int(self.class_sizes.min()) < per_class:
                scarce = int(self.class_sizes.argmin())
                raise ValueError(
                    f"count: got {count}, needs {per_class} images of each class; class {scarce} has "
                    f"{int(self.class_sizes[scarce])}"
                )
            chosen = order[number_in_class(self.labels[order], self.classes) < per_class]
        return replace(
            self,
            images=self.images[chosen],
            labels=self.labels[chosen],
            origin=f"{self.origin}, {count:,} of them",
        )


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

    >>> data = Dataset(torch.zeros(100, 1), torch.arange(100) % 2, 2, "zeros")
    >>> imbalanced(data, 60, ratio=2.0).labels.bincount().tolist()
    [40, 20]
    """
    checks.instance("dataset", dataset, Dataset, "a Dataset")
    checks.size("count", count, dataset.classes)
    checks.real_number("ratio", ratio, least=1)
    shares = torch.logspace(0, -1, dataset.classes, base=ratio, dtype=torch.float64)
    edges = (count * shares.cumsum(0) / shares.sum()).round().long()
    sizes = edges.diff(prepend=edges.new_zeros(1))
    checks.require(
        int(sizes.min()) > 0,
        "count",
        count,
        f"more, so that every class has an image at ratio {ratio:g}",
    )
    order = torch.randperm(len(dataset), generator=generator(seed, "subset"))
    for c, (here, size) in enumerate(
        zip(dataset.class_sizes.tolist(), sizes.tolist(), strict=True)
    ):
        checks.require(
            here >= size, "count", count, f"at most {here} images of class {c}, not {size}"
        )
    labels = dataset.labels[order]
    chosen = order[number_in_class(labels, dataset.classes) < sizes[labels]]
    origin = f"{dataset.origin}, {count:,} of them, class sizes from {int(sizes[0]):,} to {int(sizes[-1]):,}"
    return replace(
        dataset, images=dataset.images[chosen], labels=dataset.labels[chosen], origin=origin
    )


def number_in_class(labels: Tensor, classes: int) -> Tensor:
    """Return the number of each sample among those of its class, from 0, ``[N]``, from the class indices ``[N]``."""
    number = torch.zeros_like(labels)
    for c in range(classes):
        members = labels == c
        number[members] = torch.arange(int(members.sum()), device=labels.device)
    return number


def random_labels(
    dataset: Dataset, fraction: float = 1.0, seed: int = 0, keep_class_sizes: bool = False
) -> Dataset:
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

    >>> data = Dataset(torch.zeros(100, 1), torch.arange(100) % 2, 2, "zeros")
    >>> bool((random_labels(data, keep_class_sizes=True).labels.bincount() == 50).all())
    True
    """
    checks.instance("dataset", dataset, Dataset, "a Dataset")
    checks.real_number("fraction", fraction, least=0, most=1)
    stream = generator(seed, "labels")
    size = len(dataset)
    chosen = torch.randperm(size, generator=stream)[: round(fraction * size)]
    drawn = torch.randint(dataset.classes, (size,), generator=stream)[: len(chosen)]
    if checks.boolean("keep_class_sizes", keep_class_sizes):
        drawn = dataset.labels[chosen][torch.randperm(len(chosen), generator=stream)]
    labels = dataset.labels.clone()
    labels[chosen] = drawn
    return replace(
        dataset, labels=labels, origin=f"{dataset.origin}, {fraction:.3g} of the labels random"
    )

"""The names that a configuration takes for data, apart from the code that reads or draws them, which needs torch."""

from __future__ import annotations

from typing import Any, Literal, get_args

from closedform import checks

Name = Literal["fashion_mnist", "mnist", "cifar10", "digits"]
NAMES: tuple[Name, ...] = get_args(Name)
TITLES = {
    "fashion_mnist": "Fashion-MNIST",
    "mnist": "MNIST",
    "cifar10": "CIFAR-10",
    "digits": "scikit-learn digits",
}
# channels, pixels per side
SHAPES = {"fashion_mnist": (1, 28), "mnist": (1, 28), "cifar10": (3, 32), "digits": (1, 8)}
CLASSES = 10  # of every data set
CORNERS = 3  # images at the corners of a triangle, which span a plane

Kind = Literal["fcnn", "resnet"]  # of a teacher, as its codes
Code = Literal["signed", "nonnegative"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CODES: tuple[Code, ...] = get_args(Code)


def class_triples(name: str, classes: Any) -> tuple[tuple[int, ...], ...]:
    """Return the classes of the images at the corners of triangles, given three after three, ``[triangle][3]``."""
    listed = checks.integers(name, classes, 0, CLASSES - 1)
    triples = tuple(listed[i : i + CORNERS] for i in range(0, len(listed), CORNERS))
    distinct = bool(listed) and all(
        len(set(triple)) == CORNERS == len(triple) for triple in triples
    )
    checks.require(distinct, name, listed, "three distinct classes for each triangle")
    return triples

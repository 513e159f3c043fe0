"""What a network is for: declared by the user, or recognised from its outputs and the labels."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks

TaskName = Literal["classes", "binary", "tokens", "dense", "regression"]
IGNORED = -100  # label of a position without a class, as in torch's cross-entropy
BY_POINT = ("classes", "binary")  # tasks with one class for each point
FITTING = {
    "classes": "class indices [{n}] of the model's outputs [{n}, C]",
    "binary": "0 or 1 for each of {n} points, and one output for each",
    "tokens": "class indices [{n}, T] of the model's outputs [{n}, T, C]",
    "dense": "class indices [{n}, H, W] of the model's outputs [{n}, C, H, W]",
    "regression": "numbers in the shape of the model's outputs",
}


@dataclass(frozen=True)
class Task:
    """The task of a network."""

    name: TaskName | None  # None: there is nothing that the outputs should be
    how: str  # how the task is known, a sentence
    classes: int  # that the network decides between; 0 without classes
    # class indices [N] (or more, with IGNORED), targets [N, outputs], None, or without a task groups [N]
    labels: Tensor | None


def task_of(declared: Any, labels: Any, output: Tensor, x: Tensor) -> Task:
    """Return the task, declared or recognised from the labels, the outputs for two of the points, and the points."""
    if declared is not None:
        checks.one_of("task", declared, get_args(TaskName))
    if labels is None:
        checks.require(declared is None, "labels", "none", f"those of the task {declared!r}")
        return Task(None, "no labels were given; labels= adds what needs them", 0, None)
    if isinstance(labels, str) or any(isinstance(label, str) for label in labels):
        raise TypeError(
            "labels: got text, needs the place of each class among the model's outputs, such as "
            "[names.index(label) for label in labels] with the names in the order of the outputs"
        )
    y = _numbers(labels)
    tensor_checks.finite("labels", y)
    if y.ndim == 0 or len(y) != len(x):
        raise ValueError(
            f"labels: got {y.dtype} of shape {tuple(y.shape)}, needs {len(x)} class indices or targets"
        )
    name = declared or _recognised(y, output, x)
    if name is None:
        how = f"the outputs have shape {_shape(output)}, which class indices {list(y.shape)} do not describe"
        return Task(
            None,
            f"{how}; they are taken as groups of the points. task= says otherwise",
            0,
            y.long(),
        )
    how = (
        f"declared, task={name!r}"
        if declared
        else f"recognised from labels and outputs; task={name!r} by name"
    )
    return Task(name, how, *_fitted(name, y, output, len(x)))


def fit_of(declared: Any, labels: Any, x: Tensor) -> Callable[[Tensor], int] | None:
    """Return how well outputs for some of the points fit the labels: 0 not at all, 1 they may, 2 exactly; None without.

    Outputs fit exactly if they have as many numbers as there are classes, or targets of their shape.
    """
    if (
        labels is None
        or isinstance(labels, str)
        or any(isinstance(label, str) for label in labels)
    ):
        return None
    y = _numbers(labels)

    def fit(output: Tensor) -> int:
        name = declared or _recognised(y, output, x)
        if name is None:
            return 0
        try:
            classes, _ = _fitted(name, y, output, len(x))
        except (ValueError, KeyError, IndexError):
            return 0
        if y.is_floating_point():
            return 1 + (y.shape[1:] == output.shape[1:])
        return 1 + (name != "regression" and classes == int(y.max()) + 1)

    return fit


def _numbers(labels: Any) -> Tensor:
    """Return labels as numbers: whole ones 0 and 1 for booleans."""
    y = tensor_checks.tensor("labels", labels)
    return y.long() if y.dtype == torch.bool else tensor_checks.real_numbers("labels", y)


def _recognised(y: Tensor, output: Tensor, x: Tensor) -> TaskName | None:
    """Return the task that the kind of the labels and the shapes allow; None if the labels are groups of the points."""
    shape = output.shape[1:]
    if y.is_floating_point():
        return "regression"
    if y.ndim == 1:
        if math.prod(shape) == 1:
            return "binary" if int(y.min()) >= 0 and int(y.max()) <= 1 else "regression"
        is_copy = x.is_floating_point() and shape == x.shape[1:] and int(y.max()) + 1 < shape[0]
        return "classes" if len(shape) == 1 and not is_copy else None
    if len(shape) == 2 and y.shape[1:] == shape[:1]:
        return "tokens"
    return "dense" if len(shape) > 2 and y.shape[1:] == shape[1:] else "regression"


def _fitted(name: TaskName, y: Tensor, output: Tensor, count: int) -> tuple[int, Tensor]:
    """Return the number of classes, and the labels in their final form."""
    shape = tuple(output.shape[1:])
    needs = FITTING[name].format(n=count)
    got = f"{y.dtype} of shape {tuple(y.shape)} for outputs {_shape(output)}"
    if name == "regression":
        checks.require(
            y[0].numel() == output[0].numel(),
            "labels",
            got,
            f"{needs}, or class indices [{count}]",
        )
        return 0, y.double().reshape(count, -1)
    whole = not y.is_floating_point()
    positions = {"classes": (), "binary": (), "tokens": shape[:1], "dense": shape[1:]}[name]
    sizes = {"classes": 1, "binary": len(shape), "tokens": 2, "dense": len(shape)}[name]
    checks.require(
        whole and y.shape[1:] == positions and len(shape) == sizes, "labels", got, needs
    )
    outputs = {"classes": shape[:1], "binary": (1,), "tokens": shape[-1:], "dense": shape[:1]}[
        name
    ][0]
    checks.require(name != "binary" or output[0].numel() == 1, "labels", got, needs)
    classes = max(outputs, 2)
    has_class = y != IGNORED
    if positions and not bool(has_class.flatten(1).any(1).all()):
        raise ValueError(
            f"labels: got {IGNORED} at all positions of a point, needs points with a class at one at least"
        )
    within = y[has_class] if positions else y
    lowest, highest = int(within.min()), int(within.max())
    if lowest < 0 or highest >= classes:
        many = f"indices of the model's {classes} outputs" if outputs > 1 else "0 or 1"
        raise ValueError(
            f"labels: got {lowest} to {highest}, needs {many}{_way_out(lowest, highest, classes, bool(positions))}"
        )
    return classes, y.long()


def _way_out(lowest: int, highest: int, classes: int, has_positions: bool) -> str:
    """Return what to do about labels that are counted from one, or stand for no class; empty if it is not known."""
    if (lowest, highest) == (1, classes):
        return ", counted from 0: labels - 1"
    if has_positions:
        return f"; positions without a class have {IGNORED}"
    return "; leave out points without a class" if lowest < 0 and highest < classes else ""


def _shape(output: Tensor) -> str:
    return f"[N, {', '.join(map(str, output.shape[1:]))}]" if output.ndim > 1 else "[N]"

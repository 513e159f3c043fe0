"""A model with the data on which it is measured: inputs as one tensor, the task, and the layers.

Several inputs of a model are one tensor here (:mod:`empirics.measure.models.adapter`), and one of several outputs is
taken (:mod:`empirics.measure.models.model_output`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from closedform.checks.arrays import Array
from empirics.measure.models.adapter import Adapter, adapted
from empirics.measure.models.call_sites import CallSite
from empirics.measure.models.layer_outputs import outputs_of
from empirics.measure.models.layers import in_groups, layers_of
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.model_output import ModelOutput, Wanted, model_output
from empirics.measure.models.task import IGNORED, Task, fit_of, task_of

BATCH = 256
MOST = 2000  # positions, of tokens or pixels, at which features are measured
# relative differences that rounding makes of batches of another size
BESIDE = {torch.float64: 1e-9, torch.float32: 1e-3}
SUMS_TO_ONE = 1e-2  # rounding of probabilities in half precision; sums of logits are not so close to one everywhere


@dataclass(frozen=True)
class ModelOnData:
    """A model and the data on which it is measured."""

    model: nn.Module  # a copy in evaluation mode, [batch, *input] -> [batch, *outputs]
    inputs: Tensor  # [N, *input], in the precision of the model (integers if it takes indices) and on its device
    task: Task  # what the model is for, with the labels
    layers: tuple[CallSite, ...]  # that are measured, from first to last
    sites: tuple[CallSite, ...]  # all without submodules
    unseen: str  # what is known of nonlinearities that are not among the layers, or empty
    adapter: Adapter  # how the inputs in one tensor become those of the original
    output: ModelOutput  # which tensor is taken of what the original gives
    company: str  # how what the model gives at a point depends on the other points of a batch; empty if it does not

    @property
    def labels(self) -> Tensor | None:
        """Class indices ``[N]`` or ``[N, positions...]``, with :data:`~empirics.measure.models.task.IGNORED`.

        None for targets that are not classes, and without labels.
        """
        labels = self.task.labels
        return None if labels is None or labels.is_floating_point() else labels

    @property
    def groups(self) -> Tensor | None:
        """Class indices ``[N]`` of the points, or None."""
        return self.labels if self.labels is not None and self.labels.ndim == 1 else None

    @property
    def classes(self) -> int:
        """Number of classes among the labels."""
        return self.task.classes or (0 if self.labels is None else int(self.labels.max()) + 1)

    @property
    def has_real_inputs(self) -> bool:
        """Whether the outputs have a derivative in some of the inputs, which are not all indices and masks."""
        return self.inputs.is_floating_point() and self.adapter.constants < self.inputs[0].numel()

    def at(self, points: Any) -> Self:
        """Return the same with the points at the given positions, or of a slice."""
        labels = None if self.task.labels is None else self.task.labels[points]
        return replace(self, inputs=self.inputs[points], task=replace(self.task, labels=labels))

    def batches(self) -> list[Tensor]:
        """Return the inputs in batches."""
        return [self.inputs[i : i + BATCH] for i in range(0, len(self.inputs), BATCH)]

    def outputs(self) -> Tensor:
        """Return the outputs at all points, ``[N, *outputs]``."""
        with torch.no_grad():
            # it may work in place
            return torch.cat([self.model(part.clone()) for part in self.batches()])

    def probabilities(self, inputs: Tensor | None = None) -> Tensor:
        """Return probabilities ``[N, ..., C]``: outputs of sum one, else softmax; one output is taken as a logit."""
        with torch.no_grad():
            output = (self.outputs() if inputs is None else self.model(inputs.clone())).double()
        if output[0].numel() == 1 or (self.task.name == "dense" and output.shape[1] == 1):
            output = output.reshape(len(output)) if output[0].numel() == 1 else output.squeeze(1)
            p = output if self.ends_with_sigmoid else torch.sigmoid(output)
            return torch.stack([1 - p, p], -1)
        output = output.movedim(1, -1) if self.task.name == "dense" else output
        is_normalised = bool((output >= 0).all()) and bool(
            ((output.sum(-1) - 1).abs() < SUMS_TO_ONE).all()
        )
        return output if is_normalised else torch.softmax(output, -1)

    @property
    def ends_with_sigmoid(self) -> bool:
        """Whether the forward pass ends with a sigmoid, so that its output is a probability."""
        return bool(self.sites) and self.sites[-1].operation in ("Sigmoid", "sigmoid()")

    def decisions(self) -> Decisions:
        """Return the predicted classes, hits and cross-entropies at all points and positions."""
        assert self.labels is not None
        chosen, losses = [], []
        unknown = 0  # points without a decision
        for start, inputs in zip(range(0, len(self.inputs), BATCH), self.batches(), strict=True):
            p, labels = self.probabilities(inputs), self.labels[start : start + BATCH]
            unknown += int((~torch.isfinite(p)).flatten(1).any(1).sum())
            chosen.append(p.argmax(-1))
            of_label = p.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
            losses.append(-of_label.log())
        if unknown:
            raise ValueError(
                f"model: gives NaN or infinity at {unknown} of {len(self.inputs)} points, where there is no decision"
            )
        classes, nowhere = torch.cat(chosen), self.labels == IGNORED
        hits = classes.eq(self.labels).double().masked_fill(nowhere, torch.nan)
        return Decisions(classes, hits, torch.cat(losses).masked_fill(nowhere, torch.nan))

    def targets(self) -> Array | None:
        """Return the targets (one-hot for classes) as ``[N, k]``, k <= N, up to a rotation, or None without labels."""
        if self.task.labels is None:
            return None
        if self.labels is None:
            y = self.task.labels.cpu().double().numpy()
        elif self.groups is not None:
            return np.asarray(functional.one_hot(self.groups, self.classes).double().cpu().numpy())
        else:
            flat = self.labels.flatten(1).cpu().numpy()
            equal = [((flat == row) & (row != IGNORED)).sum(1) for row in flat]
            return _factor(np.array(equal, dtype=np.float64))
        return y if y.shape[1] <= len(y) else _factor(y @ y.T)

    def outputs_at(self, inputs: Tensor, names: list[str]) -> dict[str, Tensor]:
        """Return what layers give at some inputs."""
        with torch.no_grad():
            return outputs_of(self.model, inputs.clone(), names)[1]

    def groups_of_layers(self, memory: int | str) -> Iterator[tuple[CallSite, ...]]:
        """Yield the layers, as many at a time as fit into the memory."""
        item_bytes = next(self.model.parameters(), self.inputs).element_size()
        return in_groups(self.layers, bytes_of(memory) / (3 * len(self.inputs) * item_bytes))

    def features(self, memory: int | str) -> Iterator[tuple[CallSite, Tensor]]:
        """Yield the features ``[N, ...]`` of every layer, of as many layers at a time as fit into the memory."""
        for group in self.groups_of_layers(memory):
            names = [layer.name for layer in group]
            parts = [self.outputs_at(inputs, names) for inputs in self.batches()]
            for layer in group:
                yield layer, torch.cat([part.pop(layer.name) for part in parts])

    def as_points(
        self, features: Tensor, decision: Tensor | None, seed: int = 0
    ) -> LabelledPoints | None:
        """Return features, labels and decisions of at most :data:`MOST` positions; None if positions do not fit.

        Positions without a class are left out.
        """
        labels = self.labels
        assert labels is not None
        if labels.ndim == 1:
            return LabelledPoints.of(features.flatten(1), labels, decision)
        features = features.movedim(1, -1) if self.task.name == "dense" else features
        if features.shape[:-1] != labels.shape:
            return None
        with_class = (labels.flatten() != IGNORED).nonzero().flatten()
        drawn = torch.randperm(len(with_class), generator=torch.Generator().manual_seed(seed))[
            :MOST
        ]
        order = with_class[drawn.sort().values.to(labels.device)]
        chosen = None if decision is None else decision.flatten()[order]
        return LabelledPoints.of(features.flatten(0, -2)[order], labels.flatten()[order], chosen)


def _factor(gram: Array) -> Array:
    """Return coordinates ``[N, N]`` of points with the given inner products."""
    values, vectors = np.linalg.eigh(gram)
    return np.asarray(vectors * np.sqrt(values.clip(0)))


def model_on_data(
    copy: nn.Module,
    inputs: Any,
    labels: Any,
    layers: Sequence[Any] | None = None,
    task: Any = None,
    output: Wanted = None,
) -> ModelOnData:
    """Check a user's data with a ``copy`` of the model in evaluation mode, and find the task and the layers."""
    adapter, x, labels = adapted(inputs, labels, copy)
    if x.ndim < 2 or len(x) < 2:
        raise ValueError(
            f"inputs: got shape {list(x.shape)}, needs [N, *input] with at least two points"
        )
    if not torch.isfinite(x).all():
        raise ValueError("inputs: got NaN or infinity, needs finite numbers")
    adapter, x = _taken(copy, adapter, x)
    chosen, out = model_output(copy, x[:2], output, fit_of(task, labels, x))
    chosen.attach(copy)
    recognised = task_of(task, labels, out, x)
    if recognised.labels is not None:
        recognised = replace(recognised, labels=recognised.labels.to(x.device))
    if not torch.isfinite(out).all():
        raise ValueError(
            "model: gives NaN or infinity at the first two points, needs finite numbers"
        )
    sites = layers_of(copy, x[:2], layers)
    return ModelOnData(
        copy, x, recognised, sites.measured, sites.sites, sites.left_out, adapter, chosen,
        _company(copy, x, out[:1]),
    )  # fmt: skip


def _taken(model: nn.Module, adapter: Adapter, x: Tensor) -> tuple[Adapter, Tensor]:
    """Attach the form of the inputs that the model takes; return it, and the points in its precision or as indices."""
    like = next(
        (p for p in [*model.parameters(), *model.buffers()] if p.is_floating_point()),
        torch.empty(()),
    )
    x = x.to(like.device)
    problem: Exception | None = None
    for form in adapter.forms(model):
        for points in (x.to(like.dtype), *(() if x.is_floating_point() else (x,))):
            handle = form.attach(model)
            try:
                with torch.no_grad():
                    model(points[:2].clone())  # a clone: the model may work in place
            # also of a forward that needs a dict
            except (RuntimeError, TypeError, LookupError, AttributeError, ValueError) as error:
                problem = problem or error
                if handle is not None:
                    handle.remove()
            else:
                return form, points
    raise ValueError(
        f"inputs: got points of shape {tuple(x.shape[1:])}, needs some that the model takes ({problem})"
    ) from problem


def _company(model: nn.Module, x: Tensor, alone: Tensor) -> str:
    """Return in words that what the model gives at the first point is random, or depends on the rest of the batch."""
    if len(x) < 3:
        return ""
    with torch.no_grad():
        again, beside = model(x[:2].clone())[:1], model(x[[0, 2]])[:1]
    tolerance = BESIDE.get(alone.dtype, 0.1) * float(alone.abs().max())
    if float((again - alone).abs().max()) > tolerance:
        return "the model is random: two passes of the same points differ"
    if float((beside - alone).abs().max()) > tolerance:
        return (
            "what the model gives at a point depends on the other points of the batch (attention or normalisation "
            "across it, a graph), so that numbers of single points depend on the batches"
        )
    return ""


@dataclass(frozen=True)
class Decisions:
    """What a model decides at all points and positions, ``[N, ...]``; NaN at positions without a class."""

    classes: Tensor  # the predicted ones
    hits: Tensor  # 1 where the prediction is the label, else 0
    losses: Tensor  # cross-entropies [nats]

    @property
    def accuracy(self) -> float:
        """The share of points, or of positions with a class, at which the prediction is the label."""
        return float(self.hits.nanmean())


@dataclass(frozen=True)
class LabelledPoints:
    """Features and classes, renumbered so that a large vocabulary takes no more memory than the words that occur."""

    features: Tensor  # [n, D]
    labels: Tensor  # numbers of the classes among ``occurring``, [n]
    # of predicted classes, [n], one more than the last for those that do not occur
    decisions: Tensor | None
    occurring: Tensor  # the classes that occur among the labels

    @classmethod
    def of(cls, features: Tensor, labels: Tensor, decisions: Tensor | None) -> LabelledPoints:
        """Return points with the given class indices, renumbered."""
        occurring, numbers = torch.unique(labels, return_inverse=True)
        if decisions is not None:
            position = torch.searchsorted(occurring, decisions.contiguous()).clamp(
                max=len(occurring) - 1
            )
            decisions = torch.where(occurring[position] == decisions, position, len(occurring))
        return cls(features, numbers, decisions, occurring)

    @property
    def classes(self) -> int:
        """Number of classes, with one for all decisions that do not occur among the labels."""
        return max(
            [
                len(self.occurring),
                *([] if self.decisions is None else [int(self.decisions.max()) + 1]),
            ]
        )

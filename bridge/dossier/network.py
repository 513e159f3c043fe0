"""The network of a dossier: a checked copy in evaluation mode, its data, and the layers that are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bridge.dossier.task import Task, task_of

if TYPE_CHECKING:
    from torch import Tensor, nn

    from bridge.statistics.arrays import Array
    from empirics.measure.models.call_sites import CallSite

BATCH = 256
SUMS_TO_ONE = 1e-2  # rounding of probabilities in half precision; sums of logits are not so close to one everywhere


@dataclass(frozen=True)
class MeasuredNetwork:
    """A network and the data on which it is measured.

    Attributes:
        model: a copy in evaluation mode, which maps ``[batch, *input]`` to ``[batch, *outputs]``.
        inputs: ``[N, *input]``, in the precision of the model (integers if it takes indices) and on its device.
        task: what the network is for, with the labels.
        layers: call sites that are measured, from first to last.
        sites: all call sites without submodules.
        unseen: what is known of nonlinearities that are not among the layers, or empty.
        was_training: whether the model was in training mode, with layers that act differently there.
        constants: numbers of each point in which the model has no derivative (indices and masks next to others).
    """

    model: nn.Module
    inputs: Tensor
    task: Task
    layers: tuple[CallSite, ...]
    sites: tuple[CallSite, ...]
    unseen: str = ""
    was_training: bool = False
    constants: int = 0

    @property
    def labels(self) -> Tensor | None:
        """Class indices ``[N]`` or ``[N, positions...]``; None for targets that are not classes, and without labels."""
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
    def present(self) -> int:
        """Number of classes that occur among the labels."""
        return 0 if self.labels is None else len(set(self.labels.flatten().tolist()))

    @property
    def example(self) -> Tensor:
        """The first parameter of the model, whose device and precision the data have."""
        return next(self.model.parameters())

    def batches(self) -> list[Tensor]:
        """Return the inputs in batches."""
        return [self.inputs[i : i + BATCH] for i in range(0, len(self.inputs), BATCH)]

    def some(self, count: int, seed: int) -> MeasuredNetwork:
        """Return a network with ``count`` of the points, drawn without replacement, or with all if there are fewer."""
        import torch

        if count >= len(self.inputs):
            return self
        order = torch.randperm(len(self.inputs), generator=torch.Generator().manual_seed(seed))[:count].sort().values
        return self.at(order.to(self.inputs.device))

    def at(self, points: Any) -> MeasuredNetwork:
        """Return a network with the points at the given positions, or of a slice."""
        labels = None if self.task.labels is None else self.task.labels[points]
        return replace(self, inputs=self.inputs[points], task=replace(self.task, labels=labels))

    def probabilities(self, inputs: Tensor | None = None) -> Tensor:
        """Return the predicted probabilities ``[N, ..., C]``, float64: the output if it sums to one, else its softmax.

        A single output is taken as a logit, or as a probability where the forward pass ends with a sigmoid.
        """
        import torch

        with torch.no_grad():
            parts = self.batches() if inputs is None else [inputs]
            output = torch.cat([self.model(part.clone()) for part in parts]).double()
        if output[0].numel() == 1 or (self.task.name == "dense" and output.shape[1] == 1):
            output = output.reshape(len(output)) if output[0].numel() == 1 else output.squeeze(1)
            p = output if self.ends_with_sigmoid else torch.sigmoid(output)
            return torch.stack([1 - p, p], -1)
        output = output.movedim(1, -1) if self.task.name == "dense" else output
        is_normalised = bool((output >= 0).all()) and bool(((output.sum(-1) - 1).abs() < SUMS_TO_ONE).all())
        return output if is_normalised else torch.softmax(output, -1)

    @property
    def ends_with_sigmoid(self) -> bool:
        """Whether the forward pass ends with a sigmoid, so that its output is a probability."""
        return bool(self.sites) and self.sites[-1].operation in ("Sigmoid", "sigmoid()")

    def decisions(self) -> tuple[Tensor, Tensor]:
        """Return the predicted classes and the cross-entropies in nats at all points and positions, ``[N, ...]``."""
        import torch

        assert self.labels is not None
        chosen, losses = [], []
        for start, inputs in zip(range(0, len(self.inputs), BATCH), self.batches(), strict=True):
            p, labels = self.probabilities(inputs), self.labels[start : start + BATCH]
            chosen.append(p.argmax(-1))
            losses.append(-p.gather(-1, labels.unsqueeze(-1)).squeeze(-1).log())
        return torch.cat(chosen), torch.cat(losses)

    def targets(self) -> Array | None:
        """Return the targets as numbers ``[N, k]`` with k at most N, up to a rotation, or None without labels.

        Class indices become one-hot vectors, at each position.
        """
        import numpy as np
        from torch.nn import functional

        if self.task.labels is None:
            return None
        if self.labels is None:
            y = self.task.labels.cpu().double().numpy()
        elif self.groups is not None:
            return np.asarray(functional.one_hot(self.groups, self.classes).double().cpu().numpy())
        else:
            flat = self.labels.flatten(1).cpu().numpy()
            return _factor(np.array([(flat == row).sum(1) for row in flat], dtype=np.float64))
        return y if y.shape[1] <= len(y) else _factor(y @ y.T)


def _factor(gram: Array) -> Array:
    """Return coordinates ``[N, N]`` of points with the given inner products."""
    import numpy as np

    values, vectors = np.linalg.eigh(gram)
    return np.asarray(vectors * np.sqrt(values.clip(0)))


def checked(
    model: Any, inputs: Any, labels: Any, layers: Sequence[Any] | None = None, task: Any = None
) -> MeasuredNetwork:
    """Check the user's model and data, and copy the model.

    Raises:
        TypeError, ValueError: for an invalid argument; the message names it, the value and the requirement.
        RuntimeError: if called within ``torch.inference_mode``.
    """
    import torch
    from torch import nn

    from empirics.measure.models.adapter import adapted, give_main_output, main_output
    from empirics.measure.models.layers import layers_of
    from empirics.measure.models.model_copy import copied

    if not isinstance(model, nn.Module):
        raise TypeError(f"model: got {type(model).__name__}, needs an nn.Module")
    model = getattr(model, "_orig_mod", model)  # the module inside the wrapper of torch.compile
    if isinstance(model, torch.jit.ScriptModule):
        raise TypeError("model: got a scripted module, whose layers are not accessible; needs the original module")
    if torch.is_inference_mode_enabled():
        raise RuntimeError("called within torch.inference_mode(), where torch takes no derivatives; use no_grad()")
    example = next(iter(model.parameters()), None)
    if example is None:
        raise ValueError("model: got one without parameters, needs a network with some")
    if any(parameter.is_meta for parameter in model.parameters()):
        raise ValueError("model: got one on the device 'meta', needs one with numbers")
    adapter, x, labels = adapted(inputs, labels)
    if x.ndim < 2 or len(x) < 2:
        raise ValueError(f"inputs: got shape {tuple(x.shape)}, needs [N, *input] with at least two points")
    if not torch.isfinite(x).all():
        raise ValueError("inputs: got NaN or infinity, needs finite numbers")
    own = adapter.attach(copied(model))
    was_training = any(part.training and _depends_on_mode(part) for part in own.modules())
    own.eval()
    x, out = _taken(own, x.to(example.device), example.dtype)
    if not isinstance(out, torch.Tensor):
        give_main_output(own)
        out = main_output(out)
    if not isinstance(out, torch.Tensor) or out.ndim == 0 or len(out) != 2:
        got = f"shape {tuple(out.shape)}" if isinstance(out, torch.Tensor) else type(out).__name__
        raise TypeError(f"model: got {got} from it for two points, needs a tensor [2, *outputs], alone or among others")
    recognised = task_of(task, labels, out, x)
    if recognised.labels is not None:
        recognised = replace(recognised, labels=recognised.labels.to(example.device))
    found = layers_of(own, x[:2], layers)
    return MeasuredNetwork(
        own, x, recognised, found.measured, found.sites, found.left_out, was_training, adapter.constants
    )


def _depends_on_mode(part: nn.Module) -> bool:
    from torch import nn

    return isinstance(part, nn.modules.batchnorm._BatchNorm | nn.modules.dropout._DropoutNd)


def _taken(model: nn.Module, x: Tensor, dtype: Any) -> tuple[Tensor, Any]:
    """Return the points as the model takes them, and its output for two of them.

    Points are taken in the model's precision, or as indices if that fails.
    """
    import torch

    problem: Exception | None = None
    for points in (x.to(dtype), *(() if x.is_floating_point() else (x,))):
        try:
            with torch.no_grad():
                return points, model(points[:2].clone())  # a clone: the model may work in place
        except (RuntimeError, TypeError, LookupError, AttributeError) as error:  # also of a forward that needs a dict
            problem = error
    raise ValueError(
        f"inputs: got points of shape {tuple(x.shape[1:])}, needs some that the model takes ({problem})"
    ) from problem

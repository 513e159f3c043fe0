"""The network of a dossier: a checked copy in evaluation mode, its data, and the layers that are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn

    from empirics.measure.models.call_sites import CallSite

BATCH = 256
SUMS_TO_ONE = 1e-2  # rounding of probabilities in half precision; sums of logits are not so close to one everywhere


@dataclass(frozen=True)
class MeasuredNetwork:
    """A network and the data on which it is measured.

    Attributes:
        model: a copy in evaluation mode, which maps ``[batch, *input]`` to ``[batch, C]``.
        inputs: ``[N, *input]``, in the precision of the model (integers if it takes indices) and on its device.
        labels: class indices, ``[N]``.
        classes: number of classes C.
        layers: call sites that are measured, from first to last.
        sites: all call sites without submodules.
        unseen: what is known of nonlinearities that are not among the layers, or empty.
        was_training: whether the model was in training mode, with layers that act differently there.
    """

    model: nn.Module
    inputs: Tensor
    labels: Tensor
    classes: int
    layers: tuple[CallSite, ...]
    sites: tuple[CallSite, ...]
    unseen: str = ""
    was_training: bool = False

    @property
    def example(self) -> Tensor:
        """The first parameter of the model, whose device and precision the data have."""
        return next(self.model.parameters())

    def batches(self) -> list[tuple[Tensor, Tensor]]:
        """Return the data in batches."""
        return [(self.inputs[i : i + BATCH], self.labels[i : i + BATCH]) for i in range(0, len(self.inputs), BATCH)]

    def some(self, count: int, seed: int) -> MeasuredNetwork:
        """Return a network with ``count`` of the points, drawn without replacement, or with all if there are fewer."""
        import torch

        if count >= len(self.inputs):
            return self
        order = torch.randperm(len(self.inputs), generator=torch.Generator().manual_seed(seed))[:count].sort().values
        order = order.to(self.inputs.device)
        return replace(self, inputs=self.inputs[order], labels=self.labels[order])

    def probabilities(self) -> Tensor:
        """Return the predicted probabilities ``[N, C]``, float64: the output if it sums to one, else its softmax."""
        import torch

        with torch.no_grad():
            output = torch.cat([self.model(inputs.clone()) for inputs, _ in self.batches()]).double()
        is_normalised = bool((output >= 0).all()) and bool(((output.sum(dim=1) - 1).abs() < SUMS_TO_ONE).all())
        return output if is_normalised else torch.softmax(output, dim=1)


def checked(model: Any, inputs: Any, labels: Any, layers: Sequence[str] | None = None) -> MeasuredNetwork:
    """Check the user's model and data, and copy the model.

    Raises:
        TypeError, ValueError: for an invalid argument; the message names it, the value and the requirement.
        RuntimeError: if called within ``torch.inference_mode``.
    """
    import torch
    from torch import nn

    from empirics import tensor_checks
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
    x = tensor_checks.tensor("inputs", inputs)
    if x.ndim < 2 or len(x) < 2:
        raise ValueError(f"inputs: got shape {tuple(x.shape)}, needs [N, *input] with at least two points")
    if not torch.isfinite(x).all():
        raise ValueError("inputs: got NaN or infinity, needs finite numbers")
    y = tensor_checks.tensor("labels", labels)
    if y.shape != x.shape[:1] or y.is_floating_point() or y.is_complex() or y.dtype is torch.bool:
        raise ValueError(f"labels: got {y.dtype} of shape {tuple(y.shape)}, needs {len(x)} class indices")
    own = copied(model)
    was_training = any(part.training and _depends_on_mode(part) for part in own.modules())
    own.eval()
    x, out = _taken(own, x.to(example.device), example.dtype)
    if not isinstance(out, torch.Tensor):
        raise TypeError(f"model: got {type(out).__name__} from it, needs one tensor of logits")
    if out.ndim != 2:
        raise ValueError(f"model: got shape {tuple(out.shape)} from it for two points, needs [2, classes]")
    classes = out.shape[1]
    if int(y.min()) < 0 or int(y.max()) >= classes:
        raise ValueError(
            f"labels: got {int(y.min())} to {int(y.max())}, needs indices of the model's {classes} outputs"
        )
    found = layers_of(own, x[:2], layers)
    labels = y.to(example.device, torch.int64)
    return MeasuredNetwork(own, x, labels, classes, found.measured, found.sites, found.left_out, was_training)


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

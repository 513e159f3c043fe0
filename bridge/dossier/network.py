"""The network of a dossier: a checked copy in evaluation mode, its data, and the layers that are measured."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import torch
from torch import nn

from empirics.measure.models.frozen_model import copied
from empirics.measure.models.model_on_data import ModelOnData, model_on_data
from empirics.measure.models.model_output import Wanted
from empirics.measure.models.task import IGNORED

if TYPE_CHECKING:
    from torch import Tensor

BEGINNING = "feature_map: units of "  # of the warning in ``empirics.measure.geometry.smooth``
VISIBLE = 0.01  # relative error of a slope below which no figure and no digit of a dossier changes


@dataclass(frozen=True)
class MeasuredNetwork(ModelOnData):
    """A network and the data on which it is measured."""

    was_training: bool  # with layers that act differently there

    @property
    def present(self) -> int:
        """Number of classes that occur among the labels."""
        return 0 if self.labels is None else len({*self.labels.flatten().tolist()} - {IGNORED})

    @property
    def example(self) -> Tensor:
        """The first parameter of the model, whose device and precision the data have."""
        return next(self.model.parameters())

    def some(self, count: int, seed: int) -> Self:
        """Return a network with ``count`` of the points, drawn without replacement, or with all if there are fewer."""
        if count >= len(self.inputs):
            return self
        order = (
            torch.randperm(len(self.inputs), generator=torch.Generator().manual_seed(seed))[:count]
            .sort()
            .values
        )
        return self.at(order.to(self.inputs.device))


def checked(
    model: Any,
    inputs: Any,
    labels: Any,
    layers: Sequence[Any] | None = None,
    task: Any = None,
    output: Wanted = None,
) -> MeasuredNetwork:
    """Check the user's model and data, and copy the model; an error names the argument and what it needs."""
    if not isinstance(model, nn.Module):
        raise TypeError(f"model: got {type(model).__name__}, needs an nn.Module")
    model = getattr(model, "_orig_mod", model)  # the module inside the wrapper of torch.compile
    if isinstance(model, torch.jit.ScriptModule):
        raise TypeError(
            "model: got a scripted module, whose layers are not accessible; needs the original module"
        )
    if torch.is_inference_mode_enabled():
        raise RuntimeError(
            "called within torch.inference_mode(), where torch takes no derivatives; use no_grad()"
        )
    if next(model.parameters(), None) is None:
        raise ValueError(
            "model: got one without parameters, needs a network with some; of a quantised one, give the network before "
            "it was quantised (empirics.measure takes both)"
        )
    if any(parameter.is_meta for parameter in model.parameters()):
        raise ValueError("model: got one on the device 'meta', needs one with numbers")
    own = copied(model)
    modes = nn.modules.batchnorm._BatchNorm | nn.modules.dropout._DropoutNd
    was_training = any(part.training and isinstance(part, modes) for part in own.modules())
    return MeasuredNetwork(
        **vars(model_on_data(own.eval(), inputs, labels, layers, task, output)),
        was_training=was_training,
    )


@contextmanager
def noted() -> Iterator[list[str]]:
    """Yield a list that has, at the end, the visible warning with the largest error; any other warning is passed on."""
    sentences: list[str] = []
    worst = VISIBLE
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield sentences
    for warning in caught:
        text = str(warning.message)
        if not text.startswith(BEGINNING):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
            continue
        error = float(text.rsplit(" ", 1)[-1])
        if error >= worst:
            worst, sentences[:] = error, [text.removeprefix("feature_map: ")]

"""Neural collapse of all layers of a network at once, with frozen weights.

Class means accumulated while the network trains do not belong to any one network, so both passes run between epochs.
Both use the same batches, since batch normalisation makes a representation depend on its batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from torch import Tensor, nn

from closedform import checks
from empirics.measure.collapse.basis import freeze
from empirics.measure.collapse.means import CollapseMeans
from empirics.measure.collapse.report import NeuralCollapse
from empirics.measure.collapse.scatter import CollapseScatter
from empirics.measure.models.frozen_model import Batch, frozen, representations
from empirics.measure.models.layer_outputs import check_names
from empirics.measure.models.memory import bytes_of
from empirics.training.partition import partition_of

Pass = Iterable[tuple[dict[str, Tensor], Tensor, Tensor]]


def layerwise_collapse(
    model: nn.Module,
    layers: Sequence[str | tuple[str, int | str]],
    batches: Iterable[Batch] | tuple[Any, Any],
    classes: int,
    *,
    classifier: str | None = None,
    batch_statistics: bool = False,
    memory: int | str = "512MiB",
    tolerance: float | None = None,
    class_weights: Literal["samples", "equal"] = "samples",
) -> dict[str, NeuralCollapse]:
    """Measure NC1 to NC4 of the outputs of the given layers of a model.

    The data passes through the model once if all representations fit into ``memory``, and twice otherwise. The model's
    modes, gradients, buffers and hooks are restored afterwards.

    Args:
        model: module ``[batch, ...] -> [batch, C]`` that returns logits or probabilities.
        layers: names of layers, such as ``"3"``, ``"relu[1]"`` for the second call of a module, ``"relu()"`` for that
            of a function, ``("encoder.ln", 0)``, ``"penultimate"`` or ``"residual"`` (see
            :mod:`empirics.measure.models.layer_outputs`); the representation is the flattened output.
        batches: an iterable of ``(inputs, labels)`` that gives the same batches every time: a
            :class:`empirics.training.Partition`, a list, or a loader that does not shuffle. Two tensors or arrays, the
            inputs ``[N, ...]`` and the labels ``[N]``, are divided into fixed batches. Floating-point inputs are
            converted to the precision of the model.
        classes: number of classes C.
        classifier: dotted name of the ``nn.Linear`` that reads the last of ``layers``, for NC3 of that layer; default
            None.
        batch_statistics: whether batch normalisation uses the statistics of the batch instead of the running ones;
            default False.
        memory: limit for stored representations, in bytes or as text (default ``"512MiB"``); 0 stores none.
        tolerance: relative threshold for zero singular values, dimensionless, default None; see
            :func:`empirics.measure.collapse.basis.freeze`.
        class_weights: weights of the classes in Σ_B, ``"samples"`` (default; their numbers of samples) or ``"equal"``.

    Returns:
        The measures by layer name. NC4 compares the nearest class mean in the layer with the model's predicted class.

    Raises:
        TypeError, ValueError: for arguments of the wrong kind, or if a layer is unknown or not reached, or its name
            stands for several calls; if the second pass gets other batches than the first; if a label is out of range.
        RuntimeError: if the weights changed during the measurement.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    >>> inputs, labels = torch.randn(20, 4), torch.arange(20) % 2
    >>> list(layerwise_collapse(model, ["0", "1"], (inputs, labels), classes=2))
    ['0', '1']
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    batches = _repeatable(batches)
    limit = memory if memory == 0 else bytes_of(memory)
    names = check_names("layers", model, layers)
    weights, biases = _classifier(model, classifier)
    with frozen(model, batch_statistics):
        means: dict[str, CollapseMeans] = {}
        stored: list[tuple[dict[str, Tensor], Tensor, Tensor]] | None = []
        size = 0
        for features, output, labels in representations(model, names, batches):
            for name, feature in features.items():
                means.setdefault(name, CollapseMeans(classes)).update(feature.flatten(1), labels)
            size += sum(h.numel() * h.element_size() for h in features.values())
            if stored is not None and size <= limit:
                stored.append((features, output, labels))
            else:
                stored = None
        if not size:
            raise ValueError("batches: are none; needs at least one")
        scatters = {
            name: CollapseScatter(freeze(mean, tolerance, class_weights))
            for name, mean in means.items()
        }
        if weights is not None:
            last = [*means][-1]
            scatters[last] = CollapseScatter(scatters[last].basis, weights, biases)
        again: Pass = stored if stored is not None else representations(model, [*means], batches)
        for features, output, labels in again:
            for name, scatter in scatters.items():
                scatter.update(features[name].flatten(1), labels, _decision(output, classes))
        return {name: scatter.result() for name, scatter in scatters.items()}


def _repeatable(batches: Any) -> Iterable[Batch]:
    """Return batches that can be iterated twice; a pair of inputs and labels is divided into batches."""
    if isinstance(batches, Iterator):
        raise TypeError(
            "batches: got an iterator, which can be iterated only once; needs a list or a loader"
        )
    is_pair = (
        isinstance(batches, tuple)
        and len(batches) == 2
        and not isinstance(batches[0], (tuple, list))
    )
    if is_pair or isinstance(batches, Tensor):
        return partition_of("batches", batches)
    if not hasattr(batches, "__iter__") and not hasattr(batches, "__getitem__"):
        raise TypeError(
            f"batches: got {type(batches).__name__}, needs (inputs, labels) or batches of them"
        )
    return batches  # type: ignore[no-any-return]


def _decision(output: Any, classes: int) -> Tensor:
    if not isinstance(output, Tensor):
        raise TypeError(
            f"model: gives {type(output).__name__}, needs one tensor [batch, {classes}]"
        )
    if output.ndim != 2 or output.shape[1] != classes:
        raise ValueError(f"model: gives shape {list(output.shape)}, needs [batch, {classes}]")
    return output.argmax(1)


def _classifier(model: nn.Module, name: str | None) -> tuple[Tensor | None, Tensor | None]:
    if name is None:
        return None, None
    named = dict(model.named_modules())
    module = named[checks.one_of("classifier", name, named)]
    checks.instance("classifier", module, nn.Linear, "the name of an nn.Linear")
    return module.weight, module.bias

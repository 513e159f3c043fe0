r"""Usable (V-) information in a representation: the information that decoders of one architecture can extract.

The definition is :math:`I_V(h \to y) = H(y) - \inf_{f \in V} E[-\log_2 f[h](y)]`, in bits, with the empirical entropy
of the given labels. The infimum is approached by training a decoder, so that every estimate is a lower bound, which is
as tight as the training is good.

*Sufficiency* takes the classes for y. *Minimality* takes relabellings within each class (``relabelling``) and averages
over classes and relabellings. By definition every class has its own decoders; in practice, the thesis included, one
decoder for all classes is used. It has to serve all classes at once and extracts at most as much information.

Relabelling of samples within their class: the base-C digits of their index in the class (thesis, Algorithm 2).

Indices start at 0 here, so that n samples need the smallest number of digits k with C^k >= n, computed in exact
integers. The theory is ``theory.collapse.relabelling``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Int64
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks
from empirics.data.dataset import number_in_class
from empirics.measure.collapse.decoding import InformationBound, decode, joined
from empirics.measure.measurement_result import MeasurementResult
from empirics.measure.models.frozen_model import frozen
from empirics.networks.staged import initialised
from empirics.training.classification import Optimisation
from empirics.training.partition import Partition, partition_of

MINIMALITY = ("joint", "per_class", "both", "none")


@dataclass(frozen=True, repr=False)
class UsableInformation(MeasurementResult):
    """Estimates of the usable information in a representation, all in bits.

    Attributes:
        sufficiency: usable information about the class.
        minimality: usable information about relabellings within classes, with one decoder for all classes; None if not
            requested.
        minimality_per_class: the same by the definition, with separate decoders for every class; None if not requested.
    """

    sufficiency: InformationBound
    minimality: InformationBound | None
    minimality_per_class: InformationBound | None


def usable_information(
    encoder: nn.Module | Callable[[Tensor], Tensor] | None,
    decoder_factory: Callable[[], nn.Module],
    data: Partition | Any,
    *,
    classes: int | None = None,
    minimality: Literal["joint", "per_class", "both", "none"] = "joint",
    optimisation: Optimisation | None = None,
    patience: int = 5,
    tolerance: float = 0.01,
    batch_statistics: bool = False,
    seed: int = 0,
    progress: bool = True,
) -> UsableInformation:
    """Measure sufficiency and minimality of a representation.

    The estimates refer to the given data: for test data, decoders are trained on the test data.

    Args:
        encoder: map from inputs to representations ``[batch, ...]``, frozen and evaluated once, in the fixed batches of
            ``data``. None takes the inputs themselves as representations.
        decoder_factory: function that returns a new decoder, from representations to logits ``[batch, C]``. It is
            called under a fixed seed, so that torch's default initialisation is reproducible. Representations are
            converted to the decoder's precision.
        data: a :class:`empirics.training.Partition`, or inputs and labels (a :class:`empirics.data.Dataset`, a tuple of
            tensors or arrays). Relabelling follows the order of its samples, not that of its batches.
        classes: number of classes C; None (default) takes the largest label plus one.
        minimality: the version of minimality to measure: ``"joint"`` (default), ``"per_class"``, ``"both"`` or
            ``"none"``. ``"per_class"`` trains C times as many decoders, on C times fewer samples per decoder.
        optimisation: settings for training the decoders; None (default) takes those of the thesis. Its ``stop_loss``,
            in nats, ends a training at that mean cross-entropy.
        patience: number of epochs, default 5. A training has converged when the lowest mean cross-entropy of the last
            ``patience`` epochs is not ``tolerance`` below that of as many epochs before, and no decoder is more than
            ``tolerance`` worse than the class frequencies. With only a few batches of
            data an epoch improves little; then raise ``patience`` or lower ``tolerance``, since slow training would
            count as converged.
        tolerance: smallest improvement in the sense of ``patience``, in nats, default 0.01.
        batch_statistics: whether the encoder's batch normalisation uses the statistics of the batch; default False.
        seed: seed of the decoders and of the order of the samples; default 0.
        progress: whether to show a progress bar on stderr when a training takes more than two seconds; default True.

    Returns:
        The estimates in bits, with their entropies, their training histories and whether the training converged.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, a value is out of range, or a representation is not finite.
        ArithmeticError: if a decoder's training diverges.
        RuntimeError: within ``torch.inference_mode``.

    >>> labels = torch.arange(60) % 2
    >>> data = (2.0 * labels[:, None] - 1, labels)
    >>> settings = {"minimality": "none", "patience": 2, "tolerance": 0.1, "progress": False}
    >>> 0 < usable_information(None, lambda: nn.Linear(1, 2), data, **settings).sufficiency.information < 1
    True
    """
    checks.one_of("minimality", minimality, MINIMALITY)
    if optimisation is not None:
        checks.instance("optimisation", optimisation, Optimisation, "an Optimisation")
    checks.boolean("batch_statistics", batch_statistics)
    checks.size("patience", patience)
    checks.nonnegative_number("tolerance", tolerance)
    if classes is not None:
        checks.size("classes", classes)
    checks.function("decoder_factory", decoder_factory, "a callable without arguments")
    if isinstance(decoder_factory, nn.Module):
        kind = type(decoder_factory).__name__
        raise TypeError(
            f"decoder_factory: got one {kind}, needs a function that makes a new one at every call"
        )
    if torch.is_inference_mode_enabled():
        raise RuntimeError(
            "called within torch.inference_mode(), where no decoder can be trained; use no_grad()"
        )
    parts = data if isinstance(data, Partition) else partition_of("data", data)
    number = int(parts.labels.max()) + 1 if classes is None else classes
    if number < 2 or int(parts.labels.min()) < 0 or int(parts.labels.max()) >= number:
        raise ValueError(
            f"labels: need at least two classes and values 0 ... {number - 1} (classes - 1)"
        )
    h = _encoded(encoder, parts, batch_statistics)
    y = parts.labels.to(h.device)

    def fitted(rows: Tensor, targets: Tensor, first: int, label: str) -> InformationBound:
        decoders = initialised(
            lambda: _decoders(decoder_factory, targets.shape[1]), seed + first
        ).to(h.device)
        like = next((p.dtype for p in decoders.parameters() if p.is_floating_point()), h.dtype)
        return decode(
            decoders, h[rows].to(like), targets[rows], number, optimisation or Optimisation(),
            patience=patience, tolerance=tolerance, seed=seed, progress=progress, label=label,
        )  # fmt: skip

    everything = torch.arange(len(y), device=y.device)
    sufficiency = fitted(everything, y[:, None], 0, "sufficiency")
    joint = per_class = None
    if minimality != "none":
        digits = relabelling_digits(y, number)
        if minimality in ("joint", "both"):
            joint = fitted(everything, digits, 1, "minimality")
        if minimality in ("per_class", "both"):
            members = [torch.nonzero(y == c).flatten() for c in range(number)]
            per_class = joined(
                [
                    fitted(rows, digits, 2 + c, f"minimality, class {c}")
                    for c, rows in enumerate(members)
                    if len(rows)
                ]
            )
    return UsableInformation(sufficiency, joint, per_class)


def _decoders(factory: Callable[[], nn.Module], count: int) -> nn.ModuleList:
    """Return ``count`` new decoders that share no parameters."""
    decoders = [factory() for _ in range(count)]
    for decoder in decoders:
        if not isinstance(decoder, nn.Module):
            raise TypeError(
                f"decoder_factory: gives {type(decoder).__name__}, needs to give an nn.Module"
            )
    if len({id(decoder) for decoder in decoders}) < count:
        raise ValueError(
            "decoder_factory: gives the same module again, needs to make a new one at every call"
        )
    return nn.ModuleList(decoders)


def _encoded(
    encoder: nn.Module | Callable[[Tensor], Tensor] | None, data: Partition, batch_statistics: bool
) -> Tensor:
    """Return representations ``[N, ...]``, evaluated in the fixed batches, in the order of the data."""
    if encoder is not None:
        checks.function("encoder", encoder, "a module, a function or None")
    run: Callable[[Tensor], Tensor] = encoder if encoder is not None else (lambda x: x)
    still = encoder if isinstance(encoder, nn.Module) else nn.Identity()
    with frozen(still, batch_statistics):
        numbers = torch.arange(len(data.inputs), device=data.inputs.device)
        # those of ``data``, labelled by index
        batches = Partition(data.inputs, numbers, data.batch_size, data.seed)
        encoded = [(run(inputs), rows) for inputs, rows in batches]
    if not isinstance(encoded[0][0], Tensor):
        raise TypeError(f"encoder: gives {type(encoded[0][0]).__name__}, needs to give one tensor")
    shuffled, rows = (
        torch.cat([h.detach() for h, _ in encoded]),
        torch.cat([rows for _, rows in encoded]),
    )
    if len(shuffled) != len(rows):
        raise ValueError(f"encoder: gives {len(shuffled)} representations of {len(rows)} inputs")
    h = shuffled[rows.argsort().to(shuffled.device)]
    if not h.is_floating_point() or not bool(torch.isfinite(h).all()):
        raise ValueError("encoder: gives values that are not finite floating-point numbers")
    return h


def relabelling_digits(labels: Int64[Tensor, " N"], classes: int) -> Int64[Tensor, "N digits"]:
    """Compute relabellings that distinguish the samples of one class and carry no information about the class.

    Args:
        labels: class indices ``[N]``, int64.
        classes: C >= 2, the base of the digits.

    Returns:
        New labels ``[N, digits]``, int64, 0 ... C - 1, the least significant digit first.

    Raises:
        ValueError: if there are fewer than two classes, a label is none of them, or no class has two samples (nothing
            to relabel).
        TypeError: if the labels are not integers.

    >>> relabelling_digits(torch.tensor([0, 0, 0, 1, 1]), classes=2).tolist()
    [[0, 0], [1, 0], [0, 1], [0, 0], [1, 0]]
    """
    checks.size("classes", classes, 2)  # the base of the digits
    labels = tensor_checks.class_indices("labels", labels).long()
    fits = labels.ndim == 1 and len(labels) > 0
    tensor_checks.shape("labels", labels, fits, "[N] with at least one sample")
    inside = bool(((labels >= 0) & (labels < classes)).all())
    checks.require(
        inside,
        "labels",
        "class indices outside of the classes",
        f"integers from 0 to {classes - 1}",
    )
    largest = int(torch.bincount(labels, minlength=classes).max())
    if largest < 2:
        raise ValueError("labels: no class has two samples; there is nothing to relabel")
    number = number_in_class(labels, classes)
    digits = []
    reach = 1
    while reach < largest:
        digits.append(number % classes)
        number = number // classes
        reach *= classes
    return torch.stack(digits, dim=1)

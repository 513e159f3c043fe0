r"""Usable (V-) information in a representation: what decoders of one architecture can get out of it.

:math:`I_V(h \to y) = H(y) - \inf_{f \in V} E[-\log_2 f[h](y)]`, in bits, with the empirical entropy of the labels at
hand and the infimum approached by training a decoder: every estimate is a lower bound, as good as the training.

*Sufficiency* takes the classes for y. *Minimality* takes relabellings within each class (``relabelling``), and averages
over classes and relabellings. By definition every class has its own decoders; what is usually run, the thesis included,
is one decoder for all classes. That one has to serve all of them at once, so it finds at most as much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from empirics import check
from empirics.measure.decoding import Estimate, decode, joined
from empirics.measure.frozen_model import frozen
from empirics.measure.relabelling import relabelling_digits
from empirics.networks.staged import initialised
from empirics.training.classification import Optimisation
from empirics.training.partition import Partition

MINIMALITY = ("joint", "per_class", "both", "none")


@dataclass(frozen=True)
class UsableInformation:
    """All in bits.

    Attributes:
        sufficiency: about the class.
        minimality: about relabellings within classes, one decoder for all classes; None where not asked for.
        minimality_per_class: the same by the definition, decoders for each class; None where not asked for.
    """

    sufficiency: Estimate
    minimality: Estimate | None
    minimality_per_class: Estimate | None


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

    The quantity belongs to the data given: for test data, decoders are trained on the test data.

    Args:
        encoder: from inputs to representations ``[batch, ...]``; frozen, and evaluated once, in the fixed batches of
            ``data``. None: the inputs themselves.
        decoder_factory: makes a new decoder, from representations to logits ``[batch, C]``. It is called under a seed,
            so that its initial weights are those of torch's default. Representations come in its precision.
        data: a :class:`empirics.training.Partition`, or inputs and labels (a :class:`empirics.data.Dataset`, a tuple of
            tensors or arrays).
            Relabelling follows the order of its samples, not that of its batches.
        classes: C; the largest label plus one where None.
        minimality: which to measure. ``"per_class"`` trains C times as many decoders, on C times fewer samples each.
        optimisation: of the decoders; the thesis' settings where None. ``stop_loss`` ends a training whose mean
            cross-entropy is that low.
        patience: a training has converged when the least mean cross-entropy of so many epochs is not ``tolerance``
            below that of as many epochs before. An epoch of few steps gains little: with less data than a few batches,
            raise it (or lower ``tolerance``), or a training that crawls counts as converged.
        tolerance: nats, as all training losses are (``stop_loss``, too); see ``patience``.
        batch_statistics: whether the encoder's batch normalisation takes the batch's statistics.
        seed: of the decoders and the order of the samples.
        progress: whether to show a bar on stderr when a training takes more than two seconds.

    Returns:
        The estimates in bits, each with its entropy, its history and whether it converged.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, a value is out of range, or a representation is not finite.
        ArithmeticError: if a decoder's training diverges.
        RuntimeError: within ``torch.inference_mode``.
    """
    check.one_of("minimality", minimality, MINIMALITY)
    check.whole("patience", patience)
    check.real("tolerance", tolerance, at_least=0)
    if classes is not None:
        check.whole("classes", classes)
    check.function("decoder_factory", decoder_factory, "a callable without arguments")
    if torch.is_inference_mode_enabled():
        raise RuntimeError("called within torch.inference_mode(), where no decoder can be trained; use no_grad()")
    parts = data if isinstance(data, Partition) else _partition(data)
    number = int(parts.labels.max()) + 1 if classes is None else classes
    if number < 2 or int(parts.labels.min()) < 0 or int(parts.labels.max()) >= number:
        raise ValueError(f"labels: need at least two classes and values 0 ... {number - 1} (classes - 1)")
    h = _encoded(encoder, parts, batch_statistics)
    y = parts.labels.to(h.device)

    def fitted(rows: Tensor, targets: Tensor, first: int, label: str) -> Estimate:
        decoders = initialised(lambda: _decoders(decoder_factory, targets.shape[1]), seed + first).to(h.device)
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
                [fitted(rows, digits, 2 + c, f"minimality, class {c}") for c, rows in enumerate(members) if len(rows)]
            )
    return UsableInformation(sufficiency, joint, per_class)


def _partition(data: Any) -> Partition:
    """Inputs and labels, tensors or arrays, in fixed batches."""
    try:
        inputs, labels = (torch.as_tensor(part) for part in data)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"data: got {type(data).__name__}, needs a Partition or (inputs, labels); {error}") from error
    check.class_indices("labels", labels)
    return Partition(inputs, labels.to(torch.int64))


def _decoders(factory: Callable[[], nn.Module], count: int) -> nn.ModuleList:
    """``count`` new decoders that share nothing."""
    made = [factory() for _ in range(count)]
    for decoder in made:
        if not isinstance(decoder, nn.Module):
            raise TypeError(f"decoder_factory: gives {type(decoder).__name__}, needs to give an nn.Module")
    if len({id(decoder) for decoder in made}) < count:
        raise ValueError("decoder_factory: gives the same module again, needs to make a new one at every call")
    return nn.ModuleList(made)


def _encoded(encoder: nn.Module | Callable[[Tensor], Tensor] | None, data: Partition, batch_statistics: bool) -> Tensor:
    """Representations ``[N, ...]``, evaluated in the fixed batches but in the order of the data."""
    if encoder is not None:
        check.function("encoder", encoder, "a module, a function or None")
    run: Callable[[Tensor], Tensor] = encoder if encoder is not None else (lambda x: x)
    still = encoder if isinstance(encoder, nn.Module) else nn.Identity()
    with frozen(still, batch_statistics):
        numbers = torch.arange(len(data.inputs), device=data.inputs.device)
        batches = Partition(data.inputs, numbers, data.batch_size, data.seed)  # those of ``data``, but numbered
        encoded = [(run(inputs), rows) for inputs, rows in batches]
    if not isinstance(encoded[0][0], Tensor):
        raise TypeError(f"encoder: gives {type(encoded[0][0]).__name__}, needs to give one tensor")
    shuffled, rows = torch.cat([h.detach() for h, _ in encoded]), torch.cat([rows for _, rows in encoded])
    if len(shuffled) != len(rows):
        raise ValueError(f"encoder: gives {len(shuffled)} representations of {len(rows)} inputs")
    h = shuffled[rows.argsort().to(shuffled.device)]
    if not h.is_floating_point() or not bool(torch.isfinite(h).all()):
        raise ValueError("encoder: gives values that are not finite floating-point numbers")
    return h

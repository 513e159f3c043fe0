"""NC1 and CKA as metrics of torchmetrics: ``update``, ``compute`` and ``reset``, on one process or on several.

They need the extra ``metrics``. Representations come from a hook of the user's, or from
:func:`empirics.measure.models.layer_outputs.outputs_of`.
"""

from contextlib import suppress
from typing import Any

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.measure.collapse.means import add_by_class, features_of, labels_of
from empirics.measure.kernels.cka import alignment, alignments

with suppress(ImportError):  # torchmetrics imports torchvision where it is installed
    import empirics.vision  # noqa: F401
from torchmetrics import Metric


class NC1(Metric):
    """tr(Σ_W Σ_B⁺) of representations and labels, dimensionless; smaller where classes lie closer together.

    Each process accumulates about its own class means, in float64; the parts are merged when they are gathered.

    Args:
        classes: number of classes C.
        dimension: number of features D.
        options: options of ``torchmetrics.Metric``.
    """

    counts: Tensor
    sums: Tensor
    within: Tensor
    is_differentiable = False
    higher_is_better = False
    full_state_update = False

    def __init__(self, classes: int, dimension: int, **options: Any) -> None:
        super().__init__(**options)
        self.classes, size = checks.size("classes", classes), checks.size("dimension", dimension)
        shapes = {"counts": (classes,), "sums": (classes, size), "within": (size, size)}
        for name, shape in shapes.items():
            with tensor_checks.memory_for(classes=self.classes, dimension=size):
                self.add_state(name, torch.zeros(shape, dtype=torch.float64), dist_reduce_fx=None)

    def update(self, features: Tensor, labels: Tensor) -> None:
        """Add a batch: representations ``[batch, ...]`` and class indices ``[batch]``."""
        x = features_of(features, self.sums.shape[-1])
        y = labels_of("labels", labels, len(x), self.classes, x.device)
        reference = x[0].double()  # sums about it do not lose the digits of a common offset
        apart = x.double() - reference
        counts = torch.bincount(y, minlength=self.classes).double()
        sums = add_by_class(apart.new_zeros(self.classes, x.shape[1]), y, apart)
        apart = apart - (sums / counts.clamp(min=1)[:, None])[y]
        self._set(
            _merged(self._parts(), counts, sums + counts[:, None] * reference, apart.T @ apart)
        )

    def compute(self) -> Tensor:
        """Return NC1 of all samples of all processes."""
        counts, sums, within = _merged(self._parts())
        means, total = sums / counts.clamp(min=1)[:, None], counts.sum()
        centred = counts.sqrt()[:, None] * (means - sums.sum(0) / total)
        between = torch.linalg.pinv(centred.T @ centred, hermitian=True, rtol=1e-12)
        nc1: Tensor = (within * between).sum()
        return nc1

    def _parts(self) -> list[tuple[Tensor, Tensor, Tensor]]:
        """Return the states of all processes: one before they are gathered, stacked afterwards."""
        if self.counts.ndim == 1:
            return [(self.counts, self.sums, self.within)]
        return [*zip(self.counts, self.sums, self.within, strict=True)]

    def _set(self, state: tuple[Tensor, Tensor, Tensor]) -> None:
        self.counts, self.sums, self.within = state


class CKA(Metric):
    """Debiased centred kernel alignment of two representations, averaged over batches; 1 for equal ones up to rotation.

    Args:
        options: options of ``torchmetrics.Metric``.
    """

    alignments: Tensor
    is_differentiable = False
    higher_is_better = None
    full_state_update = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_state("alignments", torch.zeros(3, dtype=torch.float64), dist_reduce_fx="sum")

    def update(self, x: Tensor, y: Tensor) -> None:
        """Add a batch of at least 4 points: two representations ``[batch, ...]`` of them."""
        self.alignments = self.alignments + alignments(x, y).to(self.alignments)

    def compute(self) -> Tensor:
        """Return CKA of all batches of all processes."""
        return alignment(self.alignments)


def _merged(
    parts: list[tuple[Tensor, Tensor, Tensor]], *added: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the moments of all parts together: scatters add, with that of the class means about the joint ones."""
    counts, sums, within = parts[0]
    for n, s, w in [*parts[1:], *([added] if added else [])]:
        n, s, w = n.to(counts), s.to(counts), w.to(counts)
        apart = s / n.clamp(min=1)[:, None] - sums / counts.clamp(min=1)[:, None]
        weight = counts * n / (counts + n).clamp(min=1)
        within = within + w + (weight[:, None] * apart).T @ apart
        counts, sums = counts + n, sums + s
    return counts, sums, within

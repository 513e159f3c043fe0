r"""Neural collapse from one pass over the data instead of two, for small D: it stores C·D + D² numbers.

The within-class scatter is updated about the running class means (pairwise, as Chan, Golub and LeVeque do for
variances), not by Eq. 2.1 of the thesis, :math:`\Sigma_W = G/N - \bar\mu \bar\mu^\top - \Sigma_B`: that difference
loses all digits once the classes have collapsed.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from jaxtyping import Float, Int, Real
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.measure.collapse.basis import freeze
from empirics.measure.collapse.checked_input import features_of, labels_of
from empirics.measure.collapse.means import CollapseMeans
from empirics.measure.collapse.report import NeuralCollapse, report

LARGEST = 4096  # dimension, at which a D x D float64 matrix takes 128 MB


class CollapseOnePass:
    """Accumulator of NC1 to NC3 from one pass; NC4 needs the class means beforehand and stays NaN.

    Args:
        classes: number of classes C.

    Attributes:
        means: the accumulator of the class means of the same samples.
        within: within-class scatter, the sum of (h - class mean)(h - class mean)ᵀ, ``[D, D]``, float64; None before
            the first update.

    >>> one_pass = CollapseOnePass(classes=2)
    >>> _ = one_pass.update(torch.tensor([[0.0, 0], [0, 1], [0, 3], [0, 4]]), torch.tensor([0, 0, 1, 1]))
    >>> round(float(one_pass.result().nc1), 4)
    0.1111
    """

    def __init__(self, classes: int) -> None:
        self.means = CollapseMeans(classes)
        self.within: Tensor | None = None

    def update(self, features: Real[Tensor, "batch ..."] | Any, labels: Int[Tensor, " batch"] | Any) -> CollapseOnePass:
        """Add a batch; returns the accumulator itself.

        Args:
            features: representations ``[batch, ...]``, flattened to ``[batch, D]`` with D <= 4096.
            labels: class indices ``[batch]``.

        Raises:
            TypeError: if an argument is of the wrong kind.
            ValueError: if shapes do not fit, D is too large, or a value is out of range or not finite.
        """
        x = features_of(features, self.means.dimension)
        if x.shape[1] > LARGEST:
            raise ValueError(f"features: got D = {x.shape[1]}, needs D <= {LARGEST}; use the two passes")
        y = labels_of("labels", labels, len(x), self.means.classes, x.device)
        batch = CollapseMeans(self.means.classes).update(x, y)
        assert batch.reference is not None
        assert batch.sums is not None
        n = batch.counts.to(x.device, torch.float64).clamp(min=1)[:, None]
        deviations = x.double() - batch.reference - (batch.sums / n)[y]
        return self._add(batch, deviations.T @ deviations)

    def merge(self, other: CollapseOnePass) -> CollapseOnePass:
        """Add the samples of another accumulator; returns this one.

        Raises:
            TypeError: if ``other`` is not a :class:`CollapseOnePass`.
            ValueError: if ``other`` has another number of classes or another dimension.
        """
        checks.instance("other", other, CollapseOnePass, "a CollapseOnePass")
        return self if other.within is None else self._add(other.means, other.within)

    def result(
        self,
        weights: Float[Tensor, "C D"] | Any | None = None,
        divide_by_classes: bool = False,
        centre: str = "samples",
        tolerance: float | None = None,
    ) -> NeuralCollapse:
        """Return the measures; see :func:`empirics.measure.neural_collapse` for the options."""
        basis = freeze(self.means, tolerance)
        assert self.within is not None
        within = self.within.cpu()
        scatter = torch.einsum("dr,de,er->r", basis.directions, within, basis.directions)
        classifier = None if weights is None else tensor_checks.finite_numbers("weights", weights).cpu()
        if classifier is not None:
            shape = basis.means.shape
            tensor_checks.shape("weights", classifier, classifier.shape == shape, str(list(shape)))
        total = float(within.diagonal().sum())
        return report(basis, scatter, total, None, None, classifier, divide_by_classes, centre)

    def _add(self, means: CollapseMeans, within: Tensor) -> CollapseOnePass:
        """Add another part's scatter and, for each class, the scatter of the two means about the joint mean."""
        if self.within is None:
            self.means.merge(means)
            self.within = deepcopy(within)
            return self
        old_means, device = self.means, self.within.device
        snapshot = CollapseMeans(old_means.classes).merge(old_means)
        old_means.merge(means)  # raises on a mismatch before anything has changed
        assert snapshot.reference is not None
        assert snapshot.sums is not None
        assert means.reference is not None
        assert means.sums is not None
        a = snapshot.counts.to(device, torch.float64)[:, None]
        b = means.counts.to(device, torch.float64)[:, None]
        difference = means.reference.to(device) - snapshot.reference.to(device)
        difference = difference + means.sums.to(device) / b.clamp(min=1) - snapshot.sums.to(device) / a.clamp(min=1)
        rows = (a * b / (a + b).clamp(min=1)).sqrt() * difference
        self.within += within.to(device) + rows.T @ rows
        return self

r"""Second pass of neural collapse: scatter of representations about their class means, in the span of these means.

:math:`\mathrm{tr}(\Sigma_W \Sigma_B^+) = \sum_r \frac{1}{s_r^2} \sum_i (v_r \cdot (h_i - \mu_{y_i}))^2` with the
directions v and sizes s of ``collapse_basis``; the factors 1/N of the two covariances cancel. The pass stores a few
times C·D numbers.

Where several class means are equally near to a sample up to rounding, the sample is divided equally among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Int, Real
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.measure.collapse.basis import Basis, Projection, projection, shares_of_first_place
from empirics.measure.collapse.means import add_by_class, by_loops, features_of, labels_of, pieces
from empirics.measure.collapse.report import NeuralCollapse, report

# largest fraction of NC1 that a drift of the class means since the first pass may cause
MOVED = 1e-4


class CollapseScatter:
    """Accumulator of the second pass over the same samples, in any batches and any order; it merges like the first.

    All workers must be sent the same :class:`Basis`: if every worker computed its own, signs and rounding would differ.

    Args:
        basis: class means after the first pass, from :func:`empirics.measure.collapse.basis.freeze`.
        weights: weights ``[C, D]`` of the linear classifier that reads this representation, for NC3 and NC4; default
            None.
        biases: biases ``[C]`` of that classifier; None (default) stands for zero.

    Raises:
        ValueError: if shapes do not fit or a weight is not finite.

    >>> from empirics.measure.collapse.basis import freeze
    >>> from empirics.measure.collapse.means import CollapseMeans
    >>> features, labels = torch.tensor([[3.0, 0], [5, 0], [0, 3], [0, 5]]), torch.tensor([0, 0, 1, 1])
    >>> basis = freeze(CollapseMeans(2).update(features, labels))
    >>> CollapseScatter(basis).update(features, labels).result().nc1
    0.0625
    """

    def __init__(
        self, basis: Basis, weights: Tensor | Any | None = None, biases: Tensor | Any | None = None
    ) -> None:
        self.basis = checks.instance(
            "basis", basis, Basis, "the class means of the first pass, see `freeze`"
        )
        self.weights = _finite("weights", weights, list(basis.means.shape))
        self.biases = _finite("biases", biases, [basis.classes])
        if self.biases is not None and self.weights is None:
            raise ValueError("biases: given without weights")
        self.counts = torch.zeros_like(basis.counts)
        # sums of deviations, zero if the means are right
        self.projected = torch.zeros(basis.classes, basis.rank, dtype=torch.float64)
        self.scatter = torch.zeros(basis.rank, dtype=torch.float64)
        self.total = 0.0  # sum of all squared distances to the class means
        self.misplaced = 0.0  # samples nearer to another class mean than to their own
        self.predicted = 0  # samples with a prediction
        self.disagreeing = 0.0  # predictions that are not the nearest class mean
        self._on: dict[torch.device, Projection] = {}

    def update(
        self,
        features: Real[Tensor, "batch ..."] | Any,
        labels: Int[Tensor, " batch"] | Any,
        predictions: Int[Tensor, " batch"] | Any | None = None,
    ) -> CollapseScatter:
        """Add a batch; returns the accumulator itself.

        Args:
            features: representations ``[batch, ...]`` as in the first pass.
            labels: class indices ``[batch]``.
            predictions: the network's predicted classes ``[batch]``, for NC4; None (default) takes those of the
                classifier's weights, if weights were given.

        Raises:
            TypeError: if an argument is of the wrong kind.
            ValueError: if shapes do not fit, or a value is out of range or not finite; nothing was added then.
        """
        basis = self.basis
        x = features_of(features, basis.means.shape[1])
        y = labels_of("labels", labels, len(x), basis.classes, x.device)
        decided = None
        if predictions is not None:
            decided = labels_of("predictions", predictions, len(x), basis.classes, x.device)
        onto = self._projection(x.device)
        scatter = torch.zeros_like(self.scatter, device=x.device)
        projected = torch.zeros_like(self.projected, device=x.device)
        total, misplaced, disagreeing = 0.0, 0.0, 0.0
        needs_deviations = self.weights is not None and decided is None
        for rows, deviations, lengths, products in self._products(x, y, onto, needs_deviations):
            own_class = y[rows]
            coordinates = products - onto.error[own_class]
            nearest = onto.nearest(coordinates, own_class, lengths)
            misplaced += float((1 - nearest.gather(1, own_class[:, None])).sum())
            answer = self._answer(
                deviations, lengths, own_class, decided[rows] if decided is not None else None
            )
            disagreeing += (
                float((1 - (nearest * answer).sum(1)).sum()) if answer is not None else 0.0
            )
            total += float(lengths.square().sum())
            z = coordinates[:, : basis.rank]
            scatter += z.square().sum(0)
            add_by_class(projected, own_class, z)
        tensor_checks.finite("features", torch.tensor(total, dtype=torch.float64))
        self.scatter += scatter.cpu()
        self.projected += projected.cpu()
        self.counts += torch.bincount(y, minlength=basis.classes).cpu()
        self.total, self.misplaced = self.total + total, self.misplaced + misplaced
        self.disagreeing += disagreeing
        self.predicted += len(x) if decided is not None or self.weights is not None else 0
        return self

    def merge(self, other: CollapseScatter) -> CollapseScatter:
        """Add the samples of another accumulator with the same basis; returns this one.

        Raises:
            TypeError: if ``other`` is not a :class:`CollapseScatter`.
            ValueError: if ``other`` has another basis.
        """
        checks.instance("other", other, CollapseScatter, "a CollapseScatter")
        basis, other_basis = self.basis, other.basis
        if basis is not other_basis and not (
            torch.equal(basis.directions, other_basis.directions)
            and torch.equal(basis.means, other_basis.means)
        ):
            raise ValueError(
                "other: has another basis; needs the same one, sent to all workers after the first pass"
            )
        for name in (
            "counts",
            "projected",
            "scatter",
            "total",
            "misplaced",
            "predicted",
            "disagreeing",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def result(self, divide_by_classes: bool = False, centre: str = "samples") -> NeuralCollapse:
        """Return all measures; see :func:`empirics.measure.neural_collapse` for the options.

        Raises:
            ValueError: if the two passes did not receive the same samples or the same representations of them.
        """
        if not torch.equal(self.counts, self.basis.counts):
            raise ValueError(
                f"features: the second pass saw {self.counts.tolist()} samples a class, the first "
                f"{self.basis.counts.tolist()}; both need the same samples"
            )
        n = self.basis.counts.double().clamp(min=1)[:, None]
        moved = (self.projected.square() / n).sum(0)
        nc1 = float((self.scatter / self.basis.sizes**2).sum())
        drift = float((moved / self.basis.sizes**2).sum())
        if drift > MOVED * nc1 + float((self.basis.rounding / self.basis.sizes).square().sum()):
            raise ValueError(
                "features: the class means of the second pass are not those of the first (they account for "
                f"{drift / nc1:.2g} of NC1); needs the same representations twice: frozen weights, no dropout, and "
                "the same batches where batch normalisation uses their statistics"
            )
        # The class means are rounded to points, about which the squared distances sum to too much.
        total = max(self.total - float((n * self.basis.rounded_away.square()).sum()), 0.0)
        return report(
            self.basis, (self.scatter - moved).clamp(min=0), total, self.misplaced / int(self.counts.sum()),
            self.disagreeing / self.predicted if self.predicted else None, self.weights, divide_by_classes, centre,
        )  # fmt: skip

    @staticmethod
    def _products(
        x: Tensor, y: Tensor, onto: Projection, needs_deviations: bool
    ) -> Iterator[tuple[slice, Tensor, Tensor, Tensor]]:
        """Yield rows, deviations (none by loops), their lengths, and their products with the directions."""
        if not needs_deviations and by_loops(x, len(onto.rows)):
            from empirics.measure.collapse import pass_loops

            products, lengths = pass_loops.projected(x, y, onto.points, onto.rows)
            yield slice(None), x[:0], lengths, products
            return
        for rows, part in pieces(x):
            deviations = part.sub_(onto.points.index_select(0, y[rows]))
            # in this order the product is twice as fast
            yield (
                rows,
                deviations,
                torch.linalg.vector_norm(deviations, dim=1),
                (onto.rows @ deviations.T).T,
            )

    def _answer(
        self, deviations: Tensor, lengths: Tensor, own_class: Tensor, decided: Tensor | None
    ) -> Tensor | None:
        """Return the weight of each class in the network's decision for each row, ``[row, C]``."""
        if decided is not None:
            return torch.nn.functional.one_hot(decided, self.basis.classes).double()
        if self.weights is None:
            return None
        weights, points = (
            self.weights.to(deviations.device),
            self._projection(deviations.device).points,
        )
        logits = deviations @ weights.T + (points @ weights.T)[own_class]
        logits = logits if self.biases is None else logits + self.biases.to(deviations.device)
        length = lengths + points.norm(dim=1)[own_class]  # at least that of the features
        unsure = self.basis.grain + torch.finfo(torch.float64).eps * length
        return shares_of_first_place(logits, unsure * weights.norm(dim=1).amax())

    def _projection(self, device: torch.device) -> Projection:
        """Return the projection on ``device``, which is prepared once."""
        if device not in self._on:
            self._on[device] = projection(self.basis, device)
        return self._on[device]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_on": {}}


def _finite(name: str, value: Tensor | Any | None, shape: list[int]) -> Tensor | None:
    if value is None:
        return None
    tensor = tensor_checks.finite_numbers(name, value).cpu()
    tensor_checks.shape(name, tensor, list(tensor.shape) == shape, str(shape))
    return tensor

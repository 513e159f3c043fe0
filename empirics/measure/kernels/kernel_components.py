r"""Principal components of a tangent kernel, with their projections on the labels and their label information.

The Gram matrix of *N* points is :math:`K = \sum_r \lambda_r \phi_r \phi_r^T` with
:math:`N^{-1}\sum_\mu \phi_r(x^\mu)\phi_s(x^\mu) = \delta_{rs}`. For each leading component the module
computes the eigenvalue :math:`\lambda_r`, the squared projection of the labels
:math:`\omega_r^2 = (N^{-1}\sum_\mu \phi_r(x^\mu) y^\mu)^2`, whose sum over all N components is one, and the mutual
information :math:`I(\phi_r; y)` in bits.

Conventions: the kernel is not centred, and eigenvalues are those of K/N. Source: Paccolat et al. (2021), section 5,
Figures 9 and 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor, nn

from closedform import checks
from closedform.rounding import ROUNDINGS
from empirics import tensor_checks
from empirics.measure.kernels.information_estimate import NEIGHBOURS, binary, label_information
from empirics.measure.kernels.neural_tangent import neural_tangent_gram
from empirics.measure.measurement_result import MeasurementResult
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.frozen_model import copied
from empirics.measure.models.points import Precision
from empirics.tensor_checks import tensor

SYMMETRIC = 1e-6  # relative asymmetry that rounding in single precision may leave
FIRST = 10  # components, as in Figure 9
LARGE = 0.5  # fraction of a component's largest entry, so that rounding cannot change which entry fixes the sign


@dataclass(frozen=True, repr=False)
class TangentComponents(MeasurementResult):
    """The leading principal components of a kernel.

    Attributes:
        eigenvalues: eigenvalues of K/N, ``[component]``, in descending order, in units of the kernel.
        projections: fraction of the labels along each component, ``[component]``, between 0 and 1, dimensionless.
        information: mutual information of each component and the labels, ``[component]``, in bits; about 0.07 for an
            uninformative component.
        components: the components ``[N, component]``, with mean square one. Their sign makes the correlation with the
            labels positive or, without a correlation beyond rounding, the first large entry.

    Components whose eigenvalues coincide to rounding, in particular eigenvalue zero, are determined only up to a
    rotation: of their ``projections`` only the sum is meaningful.
    """

    eigenvalues: Float64[Tensor, " component"]
    projections: Float64[Tensor, " component"]
    information: Float64[Tensor, " component"]
    components: Float64[Tensor, "N component"]

    @property
    def projected(self) -> float:
        """The fraction of the labels in the span of these components."""
        return float(self.projections.sum())


def tangent_components(
    model: nn.Module,
    x: Real[Tensor, "N ..."] | Any,
    labels: Real[Tensor, " N"] | Any,
    *,
    components: int | None = None,
    neighbours: int = NEIGHBOURS,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> TangentComponents:
    """Compute the principal components of a model's tangent kernel, their projections and their label information.

    Args:
        model, x, memory, precision: as for :func:`neural_tangent_gram`.
        labels, components, neighbours: as for :func:`gram_components`.

    Raises:
        TypeError, ValueError: under the conditions of :func:`neural_tangent_gram` and :func:`gram_components`.

    >>> model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    >>> x = torch.linspace(-1, 1, 24).reshape(12, 2)
    >>> tangent_components(model, x, [1.0, -1.0] * 6, components=2).eigenvalues.shape
    torch.Size([2])
    """
    gram = neural_tangent_gram(model, x, memory=memory, precision=precision)
    return gram_components(gram, labels, components=components, neighbours=neighbours)


def gram_components(
    gram: Real[Tensor, "N N"] | Any,
    labels: Real[Tensor, " N"] | Any,
    *,
    components: int | None = None,
    neighbours: int = NEIGHBOURS,
) -> TangentComponents:
    """Compute the principal components of any kernel from its Gram matrix.

    Args:
        gram: symmetric Gram matrix ``[N, N]``, tensor or array.
        labels: labels ``[N]`` with two different values.
        components: number of components, at most N; None (default) takes 10, or N where there are fewer points.
        neighbours: number of neighbours in the estimate of information, default 5.

    Raises:
        TypeError, ValueError: for a matrix that is not symmetric, labels that are not two values, or more components
            than points.

    >>> gram_components(torch.diag(torch.arange(1.0, 13.0)), [1.0, -1.0] * 6, components=3).eigenvalues.tolist()
    [1.0, 0.9166666666666666, 0.8333333333333334]
    """
    matrix = symmetric(gram)
    count = len(matrix)
    number = (
        min(FIRST, count)
        if components is None
        else checks.integer("components", components, 1, count)
    )
    signs = torch.as_tensor(binary(labels, count), device=matrix.device)
    values, vectors = torch.linalg.eigh(matrix / count)
    phi = vectors.flip(-1)[:, :number] * count**0.5
    omega = phi.T @ signs / count
    phi = phi * _signs(phi, omega)
    told = [
        label_information(column.cpu().numpy(), signs.cpu().numpy(), neighbours)
        for column in phi.T
    ]
    return TangentComponents(
        values.flip(-1)[:number], omega.square(), torch.tensor(told).to(omega), phi
    )


def _signs(phi: Tensor, omega: Tensor) -> Tensor:
    """Return the sign ``[component]`` for each column of ``phi`` ``[N, component]``, from its correlation ``omega``."""
    large = phi.abs() > LARGE * phi.abs().amax(dim=0)
    first = phi.gather(0, large.int().argmax(dim=0, keepdim=True))[0]
    rounding = ROUNDINGS * torch.finfo(phi.dtype).eps * len(phi) ** 0.5
    return torch.where(omega.abs() > rounding, omega, first).sign()


def last_layer_gram(
    model: nn.Module,
    x: Tensor | Any,
    y: Tensor | Any | None = None,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Tensor:
    """Compute the tangent kernel ``[N, M]`` of the parameters of the module that is called last.

    Of the modules with trainable parameters of their own this is the one whose call begins last, whatever the order in
    which they are registered. Arguments, result and errors are those of :func:`neural_tangent_gram`.
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    held = copied(model)
    last = _last_called(held, tensor("x", x), precision)
    parameters = [p for p in last.parameters(recurse=False) if p.requires_grad]
    held.requires_grad_(False)
    for parameter in parameters:
        parameter.requires_grad_(True)
    return neural_tangent_gram(held, x, y, memory=memory, precision=precision)


def _last_called(model: nn.Module, x: Tensor, precision: Precision) -> nn.Module:
    """Return the module with trainable parameters of its own whose call begins last."""
    names = [
        name
        for name, part in model.named_modules()
        if any(p.requires_grad for p in part.parameters(recurse=False))
    ]
    if not names:
        raise ValueError("model: has no trainable parameter, needs at least one (requires_grad)")
    ready = prepare(model, x[:1], precision, tokens=True)
    assert ready.module is not None  # prepare() keeps it for modules
    calls: list[str] = []
    parts = dict(ready.module.named_modules())
    handles = [
        parts[name].register_forward_pre_hook(lambda *_, name=name: calls.append(name))
        for name in names
    ]
    try:
        with torch.no_grad():
            ready.call(ready.x)
    finally:
        for handle in handles:
            handle.remove()
    # an attention takes weights from a part that it does not call
    return model.get_submodule((calls or names)[-1])


def symmetric(gram: Any) -> Tensor:
    """Return a square, finite and symmetric Gram matrix ``[N, N]`` in float64; ValueError for another one."""
    matrix = tensor_checks.finite_numbers("gram", gram)
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and matrix.numel() > 0
    tensor_checks.shape("gram", matrix, square, "[N, N]")
    if (matrix - matrix.T).abs().max() > SYMMETRIC * matrix.abs().max():
        raise ValueError("gram: is not symmetric, so it is not a Gram matrix")
    return matrix

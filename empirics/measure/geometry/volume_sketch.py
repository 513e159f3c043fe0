r"""The volume element of a map of many features by Lanczos quadrature and random probes, without the Jacobian.

With :math:`A = J J^\top` (or :math:`J^\top J`, whichever is smaller, of size n), :math:`\log\sqrt{\det g} = \frac12
\mathrm{tr} \log A = \frac{n}{2} \mathbb{E}[u^\top \log(A)\, u]` over unit vectors u in random directions. Lanczos
iteration gives the eigenvalues and weights of a quadrature of :math:`u^\top f(A)\, u` from a few products with A, each
of which is one derivative in reverse and one in forward mode. Features that do not depend on the input (dead units) are
left out. Eigenvalues that are zero for another reason are not told from small ones, unless there are as many steps as
features. The trace gives the root mean square of the stretching.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float64, Real
from scipy import stats
from torch import Tensor

from closedform import checks
from empirics.measure.geometry.forward_mode import pushforward, random_vectors
from empirics.measure.geometry.jacobian import require_finite
from empirics.measure.geometry.slope_check import warn_of_other_slope
from empirics.measure.measurement_result import MeasurementResult
from empirics.measure.models.differentiation import grad
from empirics.measure.models.feature_map import FeatureMap, prepare
from empirics.measure.models.memory import bytes_of, require, work_of
from empirics.measure.models.points import Precision

FEWEST = 2  # probes, for an error


@dataclass(frozen=True, repr=False)
class VolumeSketch(MeasurementResult):
    """Estimates at every point from independent probes.

    Attributes:
        log_volumes: sum of the logarithms of the non-zero singular values of the Jacobian, ``[batch, probes]``.
        ranks: number of these, ``[batch, probes]``.
        squares: sum of their squares, ``[batch, probes]``, without bias.
        truncation: what half of the Lanczos steps change in ``log_volume``, ``[batch]``: the size of the error of the
            quadrature.
        largest_rank: the smaller of the numbers of inputs and of features.
        inputs: number of inputs.
    """

    log_volumes: Float64[Tensor, "batch probes"]
    ranks: Float64[Tensor, "batch probes"]
    squares: Float64[Tensor, "batch probes"]
    truncation: Float64[Tensor, " batch"]
    largest_rank: int
    inputs: int

    @property
    def log_volume(self) -> Float64[Tensor, " batch"]:
        """The mean over probes."""
        return self.log_volumes.mean(1)

    @property
    def rank(self) -> Float64[Tensor, " batch"]:
        """The mean over probes, at most ``largest_rank``."""
        return self.ranks.mean(1).clamp(max=self.largest_rank)

    @property
    def typical(self) -> Float64[Tensor, " batch"]:
        """Root mean square of the stretching over all directions of the inputs."""
        typical: Tensor = (self.squares.mean(1) / self.inputs).sqrt()
        return typical

    @property
    def error(self) -> Float64[Tensor, " batch"]:
        """Half of the 95 % interval of ``log_volume`` at each point: scatter of the probes, and the truncation."""
        count = self.log_volumes.shape[1]
        width = float(stats.t.ppf(0.975, count - 1)) / count**0.5
        scatter: Tensor = width * self.log_volumes.std(1)
        return scatter + self.truncation


def volume_sketch(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    probes: int = 4,
    steps: int = 16,
    seed: int = 0,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> VolumeSketch:
    """Estimate the volume element and the root mean square of the stretching, in bounded memory.

    The work is ``probes * steps`` derivatives in both modes for each point, whatever the number of features.

    Args:
        feature_map, x, memory, precision: as for :func:`empirics.measure.nonsingular_volume`.
        probes: number of random directions at each point, at least 2; default 4.
        steps: number of Lanczos steps; default 16. As many as there are features leave no error of the quadrature.
        seed: seed of the directions; default 0.

    Raises:
        ValueError, TypeError: under the conditions of :func:`empirics.measure.nonsingular_volume`.

    >>> sketch = volume_sketch(lambda x: 2 * x, torch.randn(5, 3))
    >>> sketch.log_volume.round(decimals=6).tolist()[0]  # 3 log 2
    2.079442
    """
    count, most = checks.integer("probes", probes, FEWEST), checks.integer("steps", steps, 2)
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    size = min(d, ready.features)
    most = min(most, size)
    each = 4 * ready.graph + 8 * (most * size + 4 * (d + ready.features))
    require(bytes_of(memory), each, "one point of this map")
    points = max(1, bytes_of(memory) // each)
    generator = torch.Generator().manual_seed(checks.seed("seed", seed))
    found = ready.x.new_empty(4, batch, count, dtype=torch.float64)
    for start in range(0, batch, points):
        part = slice(start, start + points)
        at = ready.x[part]
        product = _products(ready, at, start)
        alive = (
            product(torch.randn(len(at), size, generator=generator, dtype=torch.float64).to(at))
            != 0
        )
        for probe in range(count):
            first = torch.randn(len(at), size, generator=generator, dtype=torch.float64).to(at)
            found[:, part, probe] = _quadrature(
                product, first * alive, most, torch.finfo(at.dtype).eps
            )
    warn_of_other_slope(ready)
    half = (found[0] - found[3]).mean(1).abs() if most < size else torch.zeros(batch).to(found)
    return VolumeSketch(found[0], found[1], found[2], half, size, d)


def _products(ready: FeatureMap, x: Tensor, start: int = 0) -> Callable[[Tensor], Tensor]:
    """Return the product of A with a vector for each point, ``[batch, n] -> [batch, n]``; ``start`` is the first's."""
    pushed = pushforward(ready, x, random_vectors(x, seed=1), len(x))
    require_finite("its derivative", pushed.values, start)
    with torch.enable_grad():
        taken = x.detach().requires_grad_()
        output = ready.call(taken)

    def backward(v: Tensor) -> Tensor:
        return grad(output, taken, v, retain_graph=True)[0]

    def forward(u: Tensor) -> Tensor:
        return pushed.along(ready.call, x, u)

    is_narrow = ready.features <= x.shape[1]
    return (lambda v: forward(backward(v))) if is_narrow else (lambda u: backward(forward(u)))


def step_work(feature_map: Callable[[Tensor], Tensor], x: Tensor, precision: Precision) -> float:
    """Return the counted work of one Lanczos step, for all points of ``x`` at once: half of that of two steps."""
    ready = prepare(feature_map, x, precision)
    product, first = (
        _products(ready, ready.x),
        ready.x.new_ones(len(ready.x), min(ready.x.shape[1], ready.features)),
    )
    return work_of(lambda: _quadrature(product, first, 2, torch.finfo(ready.x.dtype).eps)) / 2


def _quadrature(
    product: Callable[[Tensor], Tensor], first: Tensor, steps: int, epsilon: float
) -> Tensor:
    """Return half of tr log A, the rank and the trace of A, and the first with half of the steps, ``[4, batch]``."""
    size, sizes = first.shape[1], (first != 0).sum(1)
    basis = first.new_zeros(steps + 1, *first.shape)
    basis[0] = first / first.norm(dim=1, keepdim=True)
    alphas: list[Tensor] = []
    betas: list[Tensor] = []
    for step in range(steps):
        w, before = product(basis[step]).to(first), basis[: step + 1]
        alphas.append((w * basis[step]).sum(1))
        for _ in range(2):
            w = w - torch.einsum("kb,kbn->bn", torch.einsum("kbn,bn->kb", before, w), before)
        norm = w.norm(dim=1)
        is_left = norm > size * epsilon * torch.stack(alphas).abs().amax(0)
        betas.append(torch.where(is_left, norm, 0.0))
        basis[step + 1] = torch.where(is_left[:, None], w / norm.clamp(min=1e-300)[:, None], 0.0)
    whole = _moments(alphas, betas, sizes, epsilon)
    return torch.cat([whole, _moments(alphas[: steps // 2], betas, sizes, epsilon)[:1]])


def _moments(alphas: list[Tensor], betas: list[Tensor], sizes: Tensor, epsilon: float) -> Tensor:
    """Return half of the trace of log A, the rank and the trace, ``[3, batch]``, from the Lanczos coefficients."""
    steps = len(alphas)
    matrix = torch.diag_embed(torch.stack(alphas, 1).double())
    if steps > 1:
        between = torch.stack(betas[: steps - 1], 1).double()
        matrix = matrix + torch.diag_embed(between, 1) + torch.diag_embed(between, -1)
    values, vectors = torch.linalg.eigh(matrix)
    weights = sizes[:, None] * vectors[:, 0].square()
    large = values > len(alphas) * epsilon * values.amax(1, keepdim=True)
    logs = torch.where(large, values, 1.0).log()
    sums = [(weights * logs).sum(1) / 2, (weights * large).sum(1), (weights * values).sum(1)]
    return torch.stack(sums)

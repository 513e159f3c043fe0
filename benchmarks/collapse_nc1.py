"""Two streaming passes for tr(Σ_W Σ_B⁺), compared with two straightforward routes in time, memory and precision.

The route *direct* forms both D x D covariances in two passes and takes ``pinv`` of the second. The route *one pass*
accumulates the D x D second moment and uses Eq. 2.1 of the thesis, Σ_W = G/N - μμᵀ - Σ_B, and an eigendecomposition.
Both compute in float64, from the same float32 features, which have a common offset. The last column is the difference
from this package's value, whose relative error is about 1e-15 (tests/empirics/measure/collapse/test_accuracy.py).
D = 16,384 is a layer of the thesis' stronger network; the matrices of the other routes would take 2 GB each there. The
times do not include the computation of the features. Arguments of the program are other dimensions D.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from empirics import measure
from empirics.measure.collapse.neural_collapse import freeze

SAMPLES, CLASSES, BATCH = 10_000, 10, 250
# pinv's relative cut-off: rounding makes the null eigenvalues of Σ_B about 1e-13
OFFSET, CUTOFF = (100.0, 1e-9)
DENSE = 2048  # largest D for which the D x D routes are run
Batches = Callable[[], Iterator[tuple[Tensor, Tensor]]]


def features(dimension: int) -> Batches:
    """Return a function that yields batches of Gaussian classes, computed anew in each pass as an encoder would do."""
    means = (
        torch.randn(CLASSES, dimension, generator=torch.Generator().manual_seed(0))
        * dimension**-0.25
    )

    def batches() -> Iterator[tuple[Tensor, Tensor]]:
        for start in range(0, SAMPLES, BATCH):
            stream = torch.Generator().manual_seed(1 + start)
            labels = torch.randint(CLASSES, (BATCH,), generator=stream)
            yield OFFSET + means[labels] + torch.randn(BATCH, dimension, generator=stream), labels

    return batches


def streaming(batches: Batches) -> float:
    """Return NC1 by the two passes of this package."""
    means = measure.CollapseMeans(CLASSES)
    for x, y in batches():
        means.update(x, y)
    scatter = measure.CollapseScatter(freeze(means))
    for x, y in batches():
        scatter.update(x, y)
    return scatter.result().nc1


def class_means(batches: Batches) -> tuple[Tensor, Tensor]:
    """Return the counts ``[C]`` and the means ``[C, D]`` of the classes, in the straightforward way."""
    sums, counts = 0.0, torch.zeros(CLASSES, dtype=torch.float64)
    for x, y in batches():
        member = torch.nn.functional.one_hot(y, CLASSES).double()
        sums, counts = sums + member.T @ x.double(), counts + member.sum(0)
    return counts, sums / counts[:, None]


def between(counts: Tensor, means: Tensor) -> Tensor:
    """Return Σ_B, ``[D, D]``."""
    centred = means - counts @ means / counts.sum()
    return (centred * counts[:, None] / counts.sum()).T @ centred


def direct(batches: Batches) -> float:
    """Return NC1 from both covariances and the pseudo-inverse."""
    counts, means = class_means(batches)
    within = torch.zeros(means.shape[1], means.shape[1], dtype=torch.float64)
    for x, y in batches():
        deviations = x.double() - means[y]
        within.addmm_(deviations.T, deviations)
    return float(
        (
            within
            / counts.sum()
            * torch.linalg.pinv(between(counts, means), rtol=CUTOFF, hermitian=True)
        ).sum()
    )


def one_pass(batches: Batches) -> float:
    """Return NC1 from the second moment, Eq. 2.1, and an eigendecomposition."""
    moment, sums, counts = 0.0, 0.0, torch.zeros(CLASSES, dtype=torch.float64)
    for x, y in batches():
        member = torch.nn.functional.one_hot(y, CLASSES).double()
        h = x.double()
        moment, sums, counts = moment + h.T @ h, sums + member.T @ h, counts + member.sum(0)
    means = sums / counts[:, None]
    mean = counts @ means / counts.sum()
    sigma_b = between(counts, means)
    within = moment / counts.sum() - torch.outer(mean, mean) - sigma_b
    sizes, directions = torch.linalg.eigh(sigma_b)
    v = directions[:, -(CLASSES - 1) :]
    return float((((within @ v) * v).sum(0) / sizes[-(CLASSES - 1) :]).sum())


def main() -> None:
    """Print the table."""
    print(
        f"N = {SAMPLES:,}, C = {CLASSES}, offset {OFFSET:g}, float32 features; {torch.get_num_threads()} thread(s)"
    )
    print(
        f"{'D':>6} {'route':>10} {'seconds':>8} {'peak MB':>8} {'NC1':>12} {'rel. difference':>16}"
    )
    for dimension in [int(a) for a in sys.argv[1:]] or [512, DENSE, 16_384]:
        batches = features(dimension)
        started = time.perf_counter()
        for _ in batches():
            pass
        encoder_seconds = time.perf_counter() - started
        ours = 0.0
        for name, route, passes in (
            ("two passes", streaming, 2),
            ("one pass", one_pass, 1),
            ("direct", direct, 2),
        ):
            if route is not streaming and dimension > DENSE:
                continue
            started = time.perf_counter()
            value = route(batches)
            seconds = time.perf_counter() - started - passes * encoder_seconds
            ours = value if route is streaming else ours
            # largest so far in this process
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{dimension:6d} {name:>10} {seconds:8.2f} {peak:8.0f} {value:12.8g} {abs(value / ours - 1):16.1e}"
            )


if __name__ == "__main__":
    main()

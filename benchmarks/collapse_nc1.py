"""tr(Σ_W Σ_B⁺): two streaming passes against what one would write first, in time, memory and digits.

*Direct* forms both D x D covariances in two passes and takes ``pinv`` of the second. *One pass* gathers the D x D
second moment, takes Eq. 2.1 of the thesis, Σ_W = G/N - μμᵀ - Σ_B, and an eigendecomposition. Both in float64, on the
same float32 features, which have a common offset. The last column is against ours, which is exact to 1e-15 or so
(tests/empirics/measure/test_collapse_accuracy.py). D = 16,384 is a layer of the thesis' stronger network; the others'
matrices would take 2 GB each there. Seconds are on top of making the features. Other sizes: name them as arguments.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from empirics import measure
from empirics.measure.collapse import freeze

SAMPLES, CLASSES, BATCH = 10_000, 10, 250
OFFSET, CUTOFF = 100.0, 1e-9  # pinv's relative cut-off: the null vectors of Σ_B come out at 1e-13 or so
DENSE = 2048  # largest D for which the D x D routes are run
Batches = Callable[[], Iterator[tuple[Tensor, Tensor]]]


def features(dimension: int) -> Batches:
    """Batches of Gaussian classes, made anew in each pass as an encoder would."""
    means = torch.randn(CLASSES, dimension, generator=torch.Generator().manual_seed(0)) * dimension**-0.25

    def batches() -> Iterator[tuple[Tensor, Tensor]]:
        for start in range(0, SAMPLES, BATCH):
            stream = torch.Generator().manual_seed(1 + start)
            labels = torch.randint(CLASSES, (BATCH,), generator=stream)
            yield OFFSET + means[labels] + torch.randn(BATCH, dimension, generator=stream), labels

    return batches


def streaming(batches: Batches) -> float:
    """Ours."""
    means = measure.CollapseMeans(CLASSES)
    for x, y in batches():
        means.update(x, y)
    scatter = measure.CollapseScatter(freeze(means))
    for x, y in batches():
        scatter.update(x, y)
    return scatter.result().nc1


def class_means(batches: Batches) -> tuple[Tensor, Tensor]:
    """Counts and means of the classes, naively."""
    sums, counts = 0.0, torch.zeros(CLASSES, dtype=torch.float64)
    for x, y in batches():
        member = torch.nn.functional.one_hot(y, CLASSES).double()
        sums, counts = sums + member.T @ x.double(), counts + member.sum(0)
    return counts, sums / counts[:, None]


def between(counts: Tensor, means: Tensor) -> Tensor:
    """Σ_B, D x D."""
    centred = means - counts @ means / counts.sum()
    return (centred * counts[:, None] / counts.sum()).T @ centred


def direct(batches: Batches) -> float:
    """Both covariances, then the pseudo-inverse."""
    counts, means = class_means(batches)
    within = torch.zeros(means.shape[1], means.shape[1], dtype=torch.float64)
    for x, y in batches():
        apart = x.double() - means[y]
        within.addmm_(apart.T, apart)
    return float((within / counts.sum() * torch.linalg.pinv(between(counts, means), rtol=CUTOFF, hermitian=True)).sum())


def one_pass(batches: Batches) -> float:
    """The second moment, Eq. 2.1, and an eigendecomposition."""
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
    print(f"N = {SAMPLES:,}, C = {CLASSES}, offset {OFFSET:g}, float32 features; {torch.get_num_threads()} thread(s)")
    print(f"{'D':>6} {'route':>10} {'seconds':>8} {'peak MB':>8} {'NC1':>12} {'rel. difference':>16}")
    for dimension in [int(a) for a in sys.argv[1:]] or [512, DENSE, 16_384]:
        batches = features(dimension)
        started = time.perf_counter()
        for _ in batches():
            pass
        encoder = time.perf_counter() - started
        ours = 0.0
        for name, route, passes in (("two passes", streaming, 2), ("one pass", one_pass, 1), ("direct", direct, 2)):
            if route is not streaming and dimension > DENSE:
                continue
            started = time.perf_counter()
            value = route(batches)
            seconds = time.perf_counter() - started - passes * encoder
            ours = value if route is streaming else ours
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # of the process so far
            print(f"{dimension:6d} {name:>10} {seconds:8.2f} {peak:8.0f} {value:12.8g} {abs(value / ours - 1):16.1e}")


if __name__ == "__main__":
    main()

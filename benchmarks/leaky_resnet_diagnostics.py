"""Diagnostics of all layers of the paper's network (width 100, 1000 points, 20 layers), without and with inverses of K.

The usual route forms K = σ(A)'σ(A), of shape ``[point, point]``, and its pseudo-inverse in every layer. It is timed on
a few layers and scaled to all. Then both routes compute costs of identity that are known: the rank of ill-conditioned
non-negative representations, and infinity outside the image.

    python benchmarks/leaky_resnet_diagnostics.py [--naive-layers 2]
"""

from __future__ import annotations

import argparse
import time
import warnings

import torch
from torch import Tensor

from empirics.data.teacher import teacher_data
from empirics.measure.leaky_resnet.path import path_state
from empirics.measure.leaky_resnet.state import LeakyResNetState
from empirics.networks.leaky_resnet import initial_nets, sigma

DEPTH, LAYERS, WIDTH, POINTS, GAMMA = 7.0, 20, 100, 1000, 1e-3
REPEATS = 3


def naive(a: Tensor, velocity: Tensor, bias: bool = True) -> tuple[float, float, float, float]:
    """Return cost of identity and kinetic energy of one layer, and their stable versions, from K."""
    s = sigma(a, bias)
    k = s.mT @ s
    stable = torch.linalg.inv(
        k + GAMMA * torch.linalg.matrix_norm(s, 2) ** 2 * torch.eye(len(k), dtype=k.dtype)
    )
    inverse = torch.linalg.pinv(k)
    return tuple(float(((m @ i) * m).sum()) for i in (inverse, stable) for m in (a, velocity))  # type: ignore[return-value]


def state(path: Tensor, bias: bool = True) -> LeakyResNetState:
    """Return the state of all layers at once, as this package computes it."""
    rho = torch.full((len(path) - 1,), 1 / (len(path) - 1), dtype=torch.float64)
    with warnings.catch_warnings():
        # the table shows the condition number of imprecise values
        warnings.simplefilter("ignore", RuntimeWarning)
        return path_state(path, rho, DEPTH, bias=bias, gamma=GAMMA)


def known_cases() -> list[tuple[str, Tensor, float]]:
    """Return ``(name, A, exact cost of identity without bias)`` of each case."""
    i = torch.arange(1, 11, dtype=torch.float64)
    hilbert = 1 / (i[:, None] + i[None, :] - 1)
    negative = torch.tensor([[1.0, -2.0], [1.0, 0.0]], dtype=torch.float64)
    return [
        ("Hilbert 6 x 6 (rank 6)", hilbert[:6, :6], 6.0),
        ("Hilbert 8 x 8 (rank 8)", hilbert[:8, :8], 8.0),
        ("Hilbert 10 x 10 (rank 10)", hilbert, 10.0),
        ("outside the image", negative, float("inf")),
    ]


def main() -> None:
    """Print times and values."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--naive-layers",
        type=int,
        default=2,
        help="number of layers timed with K (default: %(default)s)",
    )
    arguments = parser.parse_args()
    data = teacher_data(0, (30, 3, 30), POINTS, hidden=100)
    nets = initial_nets(seeds=[0], depth=DEPTH, inputs=30, outputs=30, width=WIDTH, layers=LAYERS)
    path = nets.path(data.x[None])[0]
    ours = min(_timed(lambda: state(path)) for _ in range(REPEATS))
    layers = range(arguments.naive_layers)
    naive_seconds = sum(
        _timed(lambda l=l: naive(path[l], (path[l + 1] - path[l]) * LAYERS)) for l in layers
    )
    per_layer = naive_seconds / arguments.naive_layers
    print(
        f"width {WIDTH}, {POINTS} points, {LAYERS} layers, float64, {torch.get_num_threads()} thread(s)"
    )
    print(f"all layers, with spectra and lengths: {ours:.2f} s")
    print(
        f"by pseudo-inverse of K: {per_layer:.2f} s a layer, {LAYERS * per_layer:.1f} s for all,",
        end=" ",
    )
    print(f"{LAYERS * per_layer / ours:.0f} times as long")
    ours_state, dense = state(path), naive(path[0], (path[1] - path[0]) * LAYERS)
    print(
        f"stable cost of identity at the input: {ours_state.stable_cost_of_identity[0]:.10f}, by K {dense[2]:.10f}\n"
    )
    print(
        f"{'cost of identity':>26} {'exact':>6} {'here':>16} {'condition':>14} {'by pinv of K':>16}"
    )
    for name, a, cost in known_cases():
        computed = state(torch.stack([a, a]), bias=False)
        by_k = naive(a, a, bias=False)[0]
        print(
            f"{name:>26} {cost:6.0f} {computed.cost_of_identity[0]:16.10f} {computed.condition[0]:14.1e} {by_k:16.10f}"
        )


def _timed(call) -> float:
    """Return the duration of a call in seconds."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()

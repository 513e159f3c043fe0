"""Scalar curvature by the Gauss equation compared with derivatives of the metric, and its cost at 784 inputs.

In two dimensions there are 1600 points of a random erf network. "autodiff" is torch.func: Christoffel symbols from
``jacfwd`` of the metric, the curvature from ``jacfwd`` of these, batched by ``vmap``. "any map" is the same network
passed as a function, so that its structure is not used. Times are the best of three, in seconds.

    python benchmarks/geometry_curvature.py [--skip-784] [--device cuda]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.func import jacfwd, vmap

from empirics import measure

POINTS = 1600
WIDTHS = (20, 100, 500)
REPEATS = 3


class Erf(nn.Module):
    """The activation erf(z/√2)."""

    def forward(self, z: Tensor) -> Tensor:
        """Apply the activation to every element."""
        return torch.erf(z / math.sqrt(2))


def by_autodiff(net: nn.Module, x: Tensor) -> Tensor:
    """Return the scalar curvature ``[point]`` from derivatives of the metric."""

    def metric(y: Tensor) -> Tensor:
        jacobian = jacfwd(lambda z: net(z[None])[0])(y)
        return jacobian.T @ jacobian

    def christoffel(y: Tensor) -> Tensor:
        d = jacfwd(metric)(y)
        lower = (d + d.transpose(1, 2) - d.permute(2, 0, 1)) / 2
        return torch.einsum("da,abc->dbc", torch.linalg.inv(metric(y)), lower)

    def curvature(y: Tensor) -> Tensor:
        gamma, d = christoffel(y), jacfwd(christoffel)(y)
        riemann = d.transpose(2, 3) - d + torch.einsum("aec,ebd->abcd", gamma, gamma)
        ricci = torch.einsum("abad->bd", riemann - torch.einsum("aed,ebc->abcd", gamma, gamma))
        return (torch.linalg.inv(metric(y)) * ricci).sum()

    with torch.no_grad():
        return vmap(curvature)(x)


def best(run: Callable[[], Tensor]) -> tuple[float, Tensor]:
    """Return the shortest of several runs in seconds, and the result."""
    seconds = math.inf
    for _ in range(REPEATS):
        started = time.perf_counter()
        result = run()
        float(result.sum())  # waits for the device
        seconds = min(seconds, time.perf_counter() - started)
    return seconds, result


def two_dimensions(device: str) -> None:
    """Print the table for d = 2."""
    print(f"d = 2, {POINTS} points; seconds")
    print(
        f"{'width':>6} {'Gauss':>8} {'any map':>8} {'autodiff':>9} {'ratio':>6} {'largest relative difference':>28}"
    )
    for width in WIDTHS:
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(2, width), Erf()).double().to(device)
        x = torch.randn(POINTS, 2, dtype=torch.float64).to(device)
        ours, value = best(lambda net=net, x=x: measure.scalar_curvature(net, x))
        any_map, _ = best(lambda net=net, x=x: measure.scalar_curvature(lambda y: net(y), x))
        autodiff, other = best(lambda net=net, x=x: by_autodiff(net, x))
        difference = float(((value - other) / value).abs().max())
        print(
            f"{width:>6} {ours:8.4f} {any_map:8.4f} {autodiff:9.4f} {autodiff / ours:6.1f} {difference:28.1e}"
        )


def mnist_size(device: str) -> None:
    """Print the cost of one point at d = 784."""
    print("d = 784, one point, GELU, width 2000; seconds")
    torch.manual_seed(0)
    shallow = nn.Sequential(nn.Linear(784, 2000), nn.GELU())
    deep = nn.Sequential(*shallow, nn.Linear(2000, 2000), nn.GELU())
    x = torch.randn(1, 784)
    for name, net in (("one hidden layer", shallow), ("two hidden layers", deep)):
        net = net.to(device)
        log_volume, _ = best(lambda net=net: measure.log_volume_element(net, x))
        exact, value = best(lambda net=net: measure.scalar_curvature(net, x))
        started = time.perf_counter()
        estimate = measure.scalar_curvature_estimate(net, x, 256)
        estimate_seconds = time.perf_counter() - started
        print(
            f"{name:>18}: log volume {log_volume:.2f}, exact curvature {exact:.2f} (R = {float(value):.1f}); "
            f"256 probes, as for any map, {estimate_seconds:.1f} (R = {float(estimate.value):.1f} ± "
            f"{float(estimate.standard_error):.1f}), {estimate_seconds / exact:.1f} times the exact"
        )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--skip-784", action="store_true", help="only d = 2")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    name = (
        torch.cuda.get_device_name()
        if arguments.device == "cuda"
        else f"CPU, {torch.get_num_threads()} thread(s)"
    )
    print(f"{name}; torch {torch.__version__}; float64")
    two_dimensions(arguments.device)
    if not arguments.skip_784:
        mnist_size(arguments.device)


if __name__ == "__main__":
    main()

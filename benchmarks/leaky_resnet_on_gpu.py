"""On a GPU: the Leaky ResNets of Figure 1a at the paper's size, all effective depths and seeds as one batch.

The networks have width 100, 20 layers and 1000 points, k* = 3, and effective depths of 1 and more. They are trained for
5000 steps of Adam and 1000 of SGD. The program prints the quantities of the figure for every depth, as mean and
standard deviation over seeds. Without a CUDA device it does nothing and says so.

    python benchmarks/leaky_resnet_on_gpu.py [--seeds 5] [--adam 5000] [--dtype float64] [--meshes]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import torch

from empirics import experiments
from empirics.experiments import leaky_resnet


def shown(values: np.ndarray) -> str:
    """Return mean and standard deviation over seeds as text."""
    return f"{values.mean():9.3f} ± {values.std(ddof=1) if len(values) > 1 else np.nan:6.3f}"


def depths(arguments: argparse.Namespace) -> None:
    """Print the quantities of Figure 1a."""
    config = replace(
        experiments.STUDIES["leaky-resnet-depths"].configs("paper")["default"],
        device="cuda",
        seeds=arguments.seeds,
        adam=arguments.adam,
        dtype=arguments.dtype,
        polish=arguments.polish,
    )
    started = time.perf_counter()
    trace = leaky_resnet.run(config)
    seconds = time.perf_counter() - started
    print(
        f"{len(config.depths)} depths x {config.seeds} seeds, {config.adam} + {config.polishing} steps: {seconds:.0f} s"
    )
    print(f"memory: {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB")
    columns = ("-2H/L", "min stable COI", "gap of W", "residual", "gamma |B|^2", "test cost")
    print(f"{'L':>5} " + " ".join(f"{name:>18}" for name in columns))
    for depth in config.depths:
        selected = trace.sel(depth=depth)
        values = selected.weight_values.isel(layer=config.layers // 2).values[
            :, : config.dimensions[0]
        ]
        bound = (selected.gamma * selected.momentum_norm**2).max("node").values
        rows = (
            np.median(-2 * selected.hamiltonian.values / depth, axis=1),
            selected.stable_cost_of_identity.min("node").values,
            (values[:, :-1] / values[:, 1:]).argmax(1) + 1.0,
            selected.residual.isel(record=-1).values,
            bound,
            selected.test_cost.values,
        )
        print(f"{depth:5.1f} " + " ".join(f"{shown(row):>18}" for row in rows))


def meshes(arguments: argparse.Namespace) -> None:
    """Print the quantities of Figure 2a for all three meshes."""
    print(f"\n{'mesh':>22} {'test cost':>18} {'training cost':>18}")
    for label, base in experiments.STUDIES["leaky-resnet-meshes"].configs("paper").items():
        config = replace(
            base, device="cuda", seeds=arguments.seeds, adam=arguments.adam, dtype=arguments.dtype
        )
        trace = leaky_resnet.run(config).isel(depth=0)
        print(
            f"{label:>22} {shown(trace.test_cost.values):>18} {shown(trace.cost.isel(record=-1).values):>18}"
        )


def main() -> None:
    """Run the studies if there is a CUDA device."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5, help="default: %(default)s")
    parser.add_argument(
        "--adam", type=int, default=5000, help="steps of Adam (default: %(default)s)"
    )
    parser.add_argument(
        "--dtype", default="float64", choices=["float32", "float64"], help="default: %(default)s"
    )
    parser.add_argument(
        "--polish", default="sgd", choices=["sgd", "lbfgs"], help="default: %(default)s"
    )
    parser.add_argument("--meshes", action="store_true", help="also Figure 2a")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("no CUDA device: nothing measured")
        return
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {arguments.dtype}")
    depths(arguments)
    if arguments.meshes:
        meshes(arguments)


if __name__ == "__main__":
    main()

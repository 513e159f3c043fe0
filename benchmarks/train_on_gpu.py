"""On a GPU: 50 seeds of the two-point paper's default network (20 x 500), 6000 epochs, as one batch and one by one.

The batch is trained to the end. A few seeds are also trained one by one, and their time is scaled to 50. Without a CUDA
device the program does nothing and says so.

    python benchmarks/train_on_gpu.py [--seeds 50] [--epochs 6000] [--alone 2]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import torch

from empirics.experiments import two_point


def timed(config: two_point.Config) -> tuple[float, float]:
    """Return the wall time in seconds, until the records are on the host, and the largest final loss."""
    started = time.perf_counter()
    trace = two_point.run(config, progress=False)
    return time.perf_counter() - started, float(trace.loss.isel(step=-1).max())


def main() -> None:
    """Print the times and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seeds", type=int, default=50, help="networks in the batch (default: %(default)s)"
    )
    parser.add_argument("--epochs", type=int, default=6000, help="default: %(default)s")
    parser.add_argument(
        "--alone", type=int, default=2, help="networks timed one by one (default: %(default)s)"
    )
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("no CUDA device: nothing measured")
        return
    batch = two_point.Config(device="cuda", seeds=arguments.seeds, epochs=arguments.epochs)
    timed(replace(batch, seeds=1, epochs=20))  # loads kernels
    together, loss = timed(batch)
    alone = [timed(replace(batch, seeds=1, first_seed=seed))[0] for seed in range(arguments.alone)]
    one_by_one = arguments.seeds * sum(alone) / len(alone)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, float32")
    size = f"{arguments.seeds} seeds of 20 x 500, {arguments.epochs} epochs"
    print(f"{size}, as one batch: {together:.1f} s (largest final loss {loss:.1e})")
    print(
        f"one by one: {one_by_one:.1f} s (from {arguments.alone} seeds), {one_by_one / together:.1f} times as long"
    )
    print(f"memory: {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()

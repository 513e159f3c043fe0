"""On a GPU: Figure 5 at the paper's size, 20 realisations at once, d = 5 and 10, h = 10,000, p up to 10,000.

The program prints medians of the amplification factor at t* and of its maximum, the wall time, realisations per minute,
and at the end the exponents. Without a CUDA device it does nothing and says so.

    python benchmarks/compression_on_gpu.py [--seeds 20] [--until 0.9] [--points 464 1000 4641] [--dimensions 5 10]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import torch

from bridge import compression as analysis
from empirics.experiments import STUDIES, compression


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument(
        "--until",
        type=float,
        default=0.9,
        help="fraction of fitted training points at which runs stop",
    )
    parser.add_argument("--points", type=int, nargs="*", help="only these sizes")
    parser.add_argument("--dimensions", type=int, nargs="*", default=[5, 10])
    given = parser.parse_args()
    if not torch.cuda.is_available():
        print("no CUDA device: nothing measured")
        return
    configs = STUDIES["compression-amplification"].configs("paper").values()
    for dimension in given.dimensions:
        traces = []
        columns = (
            "p",
            "t*",
            "Lambda*",
            "Lambda_max",
            "test error",
            "steps",
            "jumps",
            "seconds",
            "per minute",
            "GiB",
        )
        print(f"\nstripe, d = {dimension}\n" + " ".join(f"{name:>10}" for name in columns))
        for config in configs:
            is_wanted = config.labels == "stripes" and config.dimension == dimension
            if not is_wanted or (given.points and config.points not in given.points):
                continue
            shares = tuple(dict.fromkeys((0.1, given.until)))
            torch.cuda.reset_peak_memory_stats()
            started = time.perf_counter()
            trace = compression.run(replace(config, seeds=given.seeds, shares=shares))
            seconds = time.perf_counter() - started
            traces.append(trace)
            row = (
                config.points, *(float(np.nanmedian(values)) for values in (
                    trace["time_at"].values[:, 0], trace["amplification_at"].values[:, 0],
                    trace["amplification_max"].values, trace["test_error_at"].values[:, -1], trace["steps"].values,
                    trace["jumps"].values,
                )), seconds, 60 * given.seeds / seconds, torch.cuda.max_memory_allocated() / 2**30,
            )  # fmt: skip
            print(" ".join(f"{value:10.4g}" for value in row), flush=True)
        if len(traces) > 2:
            fits = analysis.amplification_scaling(traces)
            print(f"at t*:\n{fits.fit.summary()}\nlargest:\n{fits.fit_largest.summary()}")


if __name__ == "__main__":
    main()

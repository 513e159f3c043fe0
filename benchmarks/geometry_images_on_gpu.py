"""On a GPU: Figures 4 to 6 at the paper's size, ResNet-34 of width 64 on CIFAR-10 images of full size.

The program trains ResNet-34 with GELU and ReLU (200 epochs) and, with ``--self-supervised``, Barlow Twins and SimCLR
(1000 epochs). It measures volume elements along lines and on planes, stores the traces in a folder that
``closedform report`` turns into figures, and prints the rank correlations that test the hypothesis, with time and
memory. The environment variable CLOSEDFORM_DATA names the directory of the images. Without a CUDA device the program
does nothing and says so.

    python benchmarks/geometry_images_on_gpu.py OUT [--seeds 3] [--epochs 200] [--resolution 41] [--self-supervised]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from bridge.cli.training import run_study
from bridge.results import folder
from empirics.experiments import STUDIES
from empirics.sweep import store
from papers.zavatoneveth2023.studies.images import correlations, drawing


def study(name: str, arguments: argparse.Namespace) -> None:
    """Run one study at the paper's size and print its results."""
    changes: dict[str, Any] = {"seeds": arguments.seeds, "resolution": arguments.resolution}
    if arguments.epochs is not None:
        changes |= {"epochs": arguments.epochs, "snapshots": ()}
    configs = {
        label: replace(config, **changes)
        for label, config in STUDIES[name].configs("paper").items()
    }
    torch.cuda.reset_peak_memory_stats()
    started = time.perf_counter()
    run_study(arguments.out, STUDIES[name], "paper", configs, resume=True)
    seconds = time.perf_counter() - started
    peak = torch.cuda.max_memory_allocated() / 2**30
    print(
        f"{name}: {seconds:.0f} s, peak {peak:.1f} GiB (measuring may use up to 32 GiB at a time)"
    )
    traces = {
        label: store.load(store.path_of(config, arguments.out / folder.TRACES))
        for label, config in configs.items()
    }
    print(drawing.origin(traces))
    for label, trace in traces.items():
        accuracy = float(trace["accuracy"].isel(snapshot=-1).sel(split="test").mean())
        print(f"{label}: test accuracy {accuracy:.1%}")
        for key, correlation in correlations.measured(trace).items():
            print(
                f"    {correlations.CASES[key][1]:<45} {correlation.shown} ({correlation.verdict})"
            )


def main() -> None:
    """Run the studies if there is a CUDA device."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "out",
        type=Path,
        help="folder for the traces; traces that are stored there already are kept",
    )
    parser.add_argument("--seeds", type=int, default=3, help="default: %(default)s")
    parser.add_argument(
        "--epochs", type=int, default=None, help="default: the paper's 200, or 1000"
    )
    parser.add_argument(
        "--resolution", type=int, default=41, help="points along each side of a plane"
    )
    parser.add_argument("--self-supervised", action="store_true", help="Figure 6 as well")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("no CUDA device: nothing measured")
        return
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    study("geometry-resnet", arguments)
    if arguments.self_supervised:
        study("geometry-self-supervised", arguments)


if __name__ == "__main__":
    main()

"""On a GPU: the thesis' four scenarios at full size, with NC1 of every layer after every epoch.

The networks are trained on 10,000 images with AdamW and a learning rate of 2e-3, until the training loss is 0.02 or for
50 epochs, and tested on the whole test split. The program prints the final accuracies next to the thesis' (75.3, 62.6,
91.0 and 88.4 %), r and the log-ratios, and draws Figures 3.1 to 3.4. If the data directory contains only a part of
CIFAR-10 (12,000 images, say), the figures say so. The environment variable CLOSEDFORM_DATA names this directory.
Without a CUDA device the program does nothing and says so.

    CLOSEDFORM_DATA=my/data python benchmarks/collapse_on_gpu.py [--seeds 3] [--information] [--out DIR]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import torch

from bridge import collapse
from bridge.collapse.separation import over_seeds
from bridge.collapse.trace import at, origin_note
from bridge.plots import style
from bridge.results import analyses
from empirics import experiments
from empirics.sweep import store
from papers.cheong2025.studies.training import printed


def main() -> None:
    """Run the studies if there is a CUDA device."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3, help="default: %(default)s")
    parser.add_argument(
        "--information",
        action="store_true",
        help="also usable information (Figures 3.5 to 3.8); takes hours",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("closedform-gpu"),
        metavar="DIR",
        help="default: %(default)s",
    )
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("no CUDA device: nothing measured")
        return
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    for name in ("collapse-layers", *(("collapse-information",) if arguments.information else ())):
        traces = {}
        for label, paper in experiments.STUDIES[name].configs("paper").items():
            config = replace(paper, seeds=arguments.seeds)
            trace = store.run_or_load(config, arguments.out / "traces")
            traces[label] = trace
            accuracy, loss = printed(json.loads(trace.attrs["config"])) or (
                float("nan"),
                float("nan"),
            )
            test_accuracy, test_loss = (
                100 * at(trace, "accuracy", "test"),
                at(trace, "loss", "test"),
            )
            epochs = ", ".join(f"{epoch:.0f}" for epoch in trace.last_epoch.values)
            print(
                f"{label} {origin_note(trace)}: {float(trace.attrs['processor_seconds']):.0f} s, epochs {epochs}; test "
                f"accuracy {over_seeds(test_accuracy)} % (thesis {100 * accuracy:.1f} %), "
                f"test loss {over_seeds(test_loss)} (thesis {loss:.3f})"
            )
            for split in ("train", "test"):
                print(f"    {split}: {collapse.equiseparation(trace, split).summary()}")
        for picture in analyses.analyse(name, traces).pictures:
            print(style.save(picture.figure, arguments.out / f"{picture.name}.png"))


if __name__ == "__main__":
    main()

"""Log-volume element of ResNet-34, 50 and 101 (GELU) at a 3 x 32 x 32 image: time, and memory beyond the model.

The geometry paper (arXiv 2301.11375, Appendix G 3) was limited to ResNet-34, since a ResNet-50 took "more than 80GB".
Its method makes one backward pass for each feature; a few of these passes are timed here and scaled to all of them.
Each network runs in a process of its own, so that its peak memory is measured. The precision "model" computes in the
float32 of the network, and its log volume shows the loss of accuracy.

    python benchmarks/geometry_log_volume.py [--depths 34 50 101] [--memory 1GiB] [--precision float64 model]
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import resource
import time
from multiprocessing.connection import Connection

import torch

from empirics import measure
from empirics.measure.models.memory import bytes_of
from empirics.networks.resnet import resnet

PAPER = 80e9  # bytes, exceeded by the paper's ResNet-50
ROWS = 6  # number of timed backward passes


def peak(device: str) -> int:
    """Return the largest memory so far in bytes."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def now(device: str) -> float:
    """Return the time in seconds, after the device has finished."""
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def row_by_row(net: torch.nn.Module, x: torch.Tensor, device: str) -> float:
    """Return the seconds for all rows of the Jacobian with one backward pass each, extrapolated from a few rows."""
    x = x.clone().requires_grad_()
    features = net.features(x)[0]
    started = now(device)
    for row in range(ROWS):
        torch.autograd.grad(features[row], x, retain_graph=True)
    return (now(device) - started) / ROWS * len(features)


def measured(depth: int, precision: str, memory: str, device: str, out: Connection) -> None:
    """Send log-volume, seconds, bytes beyond the model, and seconds row by row to ``out``."""
    net = resnet(depth, "gelu", seed=0).eval().to(device)
    x = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)).to(device)
    with torch.no_grad():
        net.features(x)  # loads kernels
    # a float64 copy counts as part of the model, since the measure makes one
    if precision == "float64":
        copy = resnet(depth, "gelu", seed=0).double().to(device)
        before = peak(device)
        del copy
        gc.collect()
    else:
        before = peak(device)
    started = now(device)
    value = measure.log_volume_element(net.features, x, memory, precision=precision)
    seconds = now(device) - started
    extra_bytes = peak(device) - before
    out.send((float(value), seconds, extra_bytes, row_by_row(net, x, device)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--depths", type=int, nargs="+", default=[34, 50, 101], help="default: %(default)s"
    )
    parser.add_argument(
        "--memory", default="1GiB", help="memory that the measure may use (default: %(default)s)"
    )
    parser.add_argument("--precision", nargs="+", default=["model"], choices=["model", "float64"])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    bytes_of(arguments.memory)
    name = (
        torch.cuda.get_device_name()
        if arguments.device == "cuda"
        else f"CPU, {torch.get_num_threads()} thread(s)"
    )
    print(
        f"{name}; torch {torch.__version__}; one image, memory={arguments.memory}; paper: more than 80 GB for ResNet-50"
    )
    print(f"{'net':>10} {'precision':>9} {'log volume':>11} {'s':>7} {'GB over model':>13} {'80 GB /':>8}"
          f" {'row by row, s':>13} {'ratio':>6}")  # fmt: skip
    context = multiprocessing.get_context("spawn")
    for depth in arguments.depths:
        for precision in arguments.precision:
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(
                target=measured,
                args=(depth, precision, arguments.memory, arguments.device, sender),
            )
            process.start()
            sender.close()
            value, seconds, extra_bytes, rows = receiver.recv()
            process.join()
            print(
                f"ResNet-{depth:<3} {precision:>9} {value:11.3f} {seconds:7.1f} {extra_bytes / 1e9:13.2f}"
                f" {PAPER / extra_bytes:8.0f} {rows:13.1f} {rows / seconds:6.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

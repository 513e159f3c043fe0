"""The device and the number type that a configuration names, and the number of threads that suits its networks.

Properties of the machine on which the last bits of a result depend: the processor's vector units and BLAS.

The same configuration gives the same bits on one machine with one instruction set and one number of threads. Numerical
libraries choose their code at run time by the processor and its vendor, and different code adds in a different order.
"""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import torch
from threadpoolctl import threadpool_info

from empirics import tensor_checks

SWITCHES = (
    "MKL_ENABLE_INSTRUCTIONS", "MKL_CBWR", "ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES",
    "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip

DTYPES = {name: getattr(torch, name) for name in ("bfloat16", "float32", "float64")}


def find(name: str) -> torch.device:
    """Return the torch device called ``name``; ValueError if torch does not know it or it is not available."""
    device = tensor_checks.device("device", name)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(f"device: got {name!r}, but torch sees no CUDA device here")
    return device


NARROW = 200  # units in a layer, whose matrices are too small to gain from more than one core


@contextmanager
def threads_suited_to(width: int) -> Iterator[None]:
    """Let torch use one thread within this context for narrow layers, unless ``OMP_NUM_THREADS`` is set."""
    before = torch.get_num_threads()
    if width <= NARROW and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@cache
def processor() -> str:
    """Return architecture, vendor and torch's newest usable instruction set, as ``"x86_64, GenuineIntel, AVX512"``."""
    parts = (platform.machine(), _vendor(), torch.backends.cpu.get_cpu_capability())
    return ", ".join(part for part in parts if part)


@cache
def blas() -> str:
    """Return the linear algebra libraries of torch and numpy, and the environment variables that select their code."""
    settings = [f"{name}={os.environ[name]}" for name in SWITCHES if name in os.environ]
    return "; ".join([f"torch: {_of_torch()}", f"numpy: {_of_numpy()}", *settings])


def _vendor() -> str:
    """Return the vendor of the processor; empty if the system does not tell it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return ""
    match = re.search(r"^vendor_id\s*:\s*(\S+)", text, re.MULTILINE)
    return match[1] if match else ""


def _of_torch() -> str:
    """Return the name and, for MKL, the version of torch's linear algebra library."""
    report = torch.__config__.show()
    mkl = re.search(r"Math Kernel Library Version (\S+?)(-Product)?\s", report)
    other = re.search(r"BLAS_INFO=(\w+)", report)
    return f"MKL {mkl[1]}" if mkl else other[1] if other else "unknown"


def _of_numpy() -> str:
    """Return name and version of numpy's library, and the processor for which OpenBLAS has chosen its code."""
    build = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    kernels = {
        str(library["architecture"])
        for library in threadpool_info()
        if library.get("architecture")
    }
    return " ".join([str(build["name"]), str(build["version"]), *sorted(kernels)])

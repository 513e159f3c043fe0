"""What the last bits of a result depend on besides the program: the processor's vector units, BLAS, threads.

"Same config, same bits" holds on one machine with one instruction set and one number of threads. The libraries choose
their code at run time, by the processor and its vendor, and add in another order on another one.
"""

from __future__ import annotations

import os
import platform
import re
from functools import cache
from pathlib import Path

import numpy as np
import torch
from threadpoolctl import threadpool_info

SWITCHES = (
    "MKL_ENABLE_INSTRUCTIONS", "MKL_CBWR", "ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES",
    "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


@cache
def processor() -> str:
    """Architecture, vendor and the newest instruction set that torch uses, as ``"x86_64, GenuineIntel, AVX512"``."""
    parts = (platform.machine(), _vendor(), torch.backends.cpu.get_cpu_capability())
    return ", ".join(part for part in parts if part)


@cache
def blas() -> str:
    """Linear algebra of torch and of numpy with versions, and the switches by which a user chose their code."""
    chosen = [f"{name}={os.environ[name]}" for name in SWITCHES if name in os.environ]
    return "; ".join([f"torch: {_of_torch()}", f"numpy: {_of_numpy()}", *chosen])


def _vendor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""
    match = re.search(r"^vendor_id\s*:\s*(\S+)", text, re.MULTILINE)
    return match[1] if match else ""


def _of_torch() -> str:
    shown = torch.__config__.show()
    mkl = re.search(r"Math Kernel Library Version (\S+?)(-Product)?\s", shown)
    other = re.search(r"BLAS_INFO=(\w+)", shown)
    return f"MKL {mkl[1]}" if mkl else other[1] if other else "unknown"


def _of_numpy() -> str:
    """Name, version, and the processor that OpenBLAS takes its code for."""
    built = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    kernels = {str(one["architecture"]) for one in threadpool_info() if one.get("architecture")}
    return " ".join([str(built["name"]), str(built["version"]), *sorted(kernels)])

"""The name of the linear algebra library is read from torch's own report of how it was built."""

from __future__ import annotations

import pytest
import torch

from empirics.runs import device

MKL = "  - Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605 for Intel(R) 64 architecture\n"


@pytest.mark.parametrize(
    ("report", "name"),
    [
        (MKL + "  - Build settings: BLAS_INFO=mkl, BUILD_TYPE=Release\n", "torch: MKL 2024.2;"),
        ("  - Build settings: BLAS_INFO=open, BUILD_TYPE=Release\n", "torch: open;"),
        ("PyTorch built with:\n", "torch: unknown;"),
    ],
)
def test_the_library_of_torch(monkeypatch, report, name):
    monkeypatch.setattr(torch.__config__, "show", lambda: report)
    assert device.blas.__wrapped__().startswith(name)

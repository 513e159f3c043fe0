"""Tests of the number of torch's threads during the training of narrow and of wide networks."""

from __future__ import annotations

import pytest
import torch

from empirics.runs.device import NARROW, threads_suited_to


@pytest.mark.parametrize(
    ("width", "variable", "threads"), [(NARROW, None, 1), (NARROW + 1, None, 2), (NARROW, "2", 2)]
)
def test_narrow_networks_get_one_thread_unless_the_environment_says_otherwise(
    monkeypatch, width, variable, threads
):
    before = torch.get_num_threads()
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if variable:
        monkeypatch.setenv("OMP_NUM_THREADS", variable)
    torch.set_num_threads(2)
    try:
        with threads_suited_to(width):
            assert torch.get_num_threads() == threads
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)

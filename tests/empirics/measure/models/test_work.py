"""Counted work: the same whatever else the machine does, in proportion to what is computed."""

import torch
from torch import nn

from empirics.measure.models.memory import CALL, NUMBERS, OPERATIONS, work_of


def test_a_product_of_matrices_is_counted_by_hand():
    a, b = torch.randn(30, 40, dtype=torch.float64), torch.randn(40, 50, dtype=torch.float64)
    expected = CALL + 2 * 30 * 40 * 50 / OPERATIONS + 30 * 50 / NUMBERS
    assert abs(work_of(lambda: a @ b) - expected) < 1e-12
    assert (
        abs(
            work_of(lambda: a.float() @ b.float()) - work_of(lambda: (a.float(), b.float())) - CALL
        )
        < expected
    )


def test_work_grows_with_points_features_and_passes():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(100, 400), nn.ReLU(), nn.Linear(400, 400))
    x = torch.randn(1000, 100)
    forward, half = work_of(lambda: net(x)), work_of(lambda: net(x[:500]))
    assert work_of(lambda: net(x)) == forward
    assert 1.8 < forward / half < 2
    assert 2.5 < work_of(lambda: net(x).sum().backward()) / forward < 3.5
    assert work_of(lambda: torch.linalg.svdvals(x)) > 10 * 1000 * 100**2 / OPERATIONS / 2

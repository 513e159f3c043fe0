"""Steps of a dossier to neighbours, on random floats, whose distances are not exact as those of whole numbers are."""

import numpy as np
import pytest
import torch

from bridge.dossier.geometry import _to_neighbours


def nearest(x, labels, row, same):
    """The step from one point to the nearest of the other points of its class or of the others, by a loop."""
    steps = [
        x[other] - x[row]
        for other in range(len(x))
        if other != row and (labels[other] == labels[row]) == same and (x[other] != x[row]).any()
    ]
    return min(
        steps,
        key=lambda step: float(np.sum(step.astype(float) ** 2)),
        default=np.zeros_like(x[row]),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("copies", [0, 3])
@pytest.mark.parametrize(
    ("points", "size", "offset"), [(20, 5, 0.0), (60, 5, 0.3), (60, 64, 0.0), (90, 30, 100.0)]
)
def test_every_point_has_the_neighbours_that_a_loop_finds(rng, points, size, offset, copies):
    x = rng.normal(offset, size=(points, size)).astype(np.float32)
    x[:copies] = x[-1]  # there is no direction to a copy
    labels = np.arange(points) % 3
    steps = _to_neighbours(torch.from_numpy(x), torch.from_numpy(labels))
    for name, same in (
        ("to a neighbour of the same class", True),
        ("to a neighbour of another class", False),
    ):
        expected = np.stack([nearest(x, labels, row, same) for row in range(points)])
        np.testing.assert_array_equal(steps[name].numpy(), expected)
        assert steps[name].any(dim=1).all()


def test_a_class_with_one_point_has_no_neighbour():
    steps = _to_neighbours(
        torch.rand(40, 3, generator=torch.Generator().manual_seed(0)),
        torch.arange(40).clamp(max=1),
    )
    assert not steps["to a neighbour of the same class"][0].any()
    assert steps["to a neighbour of the same class"][1:].any(dim=1).all()

"""Volume on the non-singular directions, and stretching along directions, against linear maps and other measures."""

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from empirics.measure.geometry.stretch import margin_directions, readout_directions


def linear(matrix):
    layer = nn.Linear(matrix.shape[1], matrix.shape[0], bias=False).double()
    layer.weight.data = torch.as_tensor(matrix)
    return layer


def test_a_collapsed_direction_leaves_the_volume_of_the_others(rng):
    left, _ = np.linalg.qr(rng.standard_normal((6, 6)))
    right, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    sizes = np.array([3.0, 0.5, 0.2, 0.0])
    found = measure.nonsingular_volume(linear(left[:, :4] * sizes @ right), torch.ones(2, 4))
    assert found.rank.tolist() == [3, 3]
    assert found.largest_rank == 4
    assert found.log_volume.numpy() == pytest.approx(np.log(0.3), rel=1e-12)
    assert found.mean_log_stretch.numpy() == pytest.approx(np.log(0.3) / 3, rel=1e-12)
    assert found.typical.numpy() == pytest.approx(np.sqrt(np.square(sizes).mean()), rel=1e-12)


def test_without_singular_points_it_is_the_volume_element(rng):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 9), nn.GELU(), nn.Linear(9, 5), nn.GELU())
    x = torch.as_tensor(rng.standard_normal((5, 3)))
    found = measure.nonsingular_volume(net, x)
    assert found.rank.tolist() == [3] * 5
    assert torch.allclose(found.log_volume, measure.log_volume_element(net, x), rtol=1e-12)
    assert torch.allclose(
        3 * found.typical**2, measure.metric(net, x).diagonal(dim1=1, dim2=2).sum(1), rtol=1e-12
    )


def test_rank_of_a_relu_layer_is_the_number_of_active_units(rng):
    net = nn.Sequential(linear(rng.standard_normal((4, 6))), nn.ReLU())
    x = torch.as_tensor(rng.standard_normal((30, 6)))
    found = measure.nonsingular_volume(net, x)
    active = (net(x) > 0).sum(dim=1)
    assert torch.equal(found.rank, active)
    assert torch.equal(torch.isinf(found.log_volume), active == 0)
    assert torch.equal(torch.isnan(found.mean_log_stretch), active == 0)


def test_stretching_is_the_length_in_the_metric(rng):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 7), nn.Tanh())
    x, u = (torch.as_tensor(rng.standard_normal((6, 4))) for _ in range(2))
    u[0] = 0
    expected = torch.einsum("ni,nij,nj->n", u, measure.metric(net, x), u).sqrt() / u.norm(dim=1)
    found = measure.stretch(net, x, u)
    assert torch.isnan(found[0])
    assert torch.allclose(found[1:], expected[1:], rtol=1e-12)
    assert torch.allclose(measure.stretch(net, x, 7 * u)[1:], expected[1:], rtol=1e-12)


def test_the_margin_of_a_linear_classifier_has_a_constant_gradient_for_each_pair(rng):
    weights = rng.standard_normal((3, 5))
    x = torch.as_tensor(rng.standard_normal((20, 5)))
    first, second = (linear(weights)(x)).argsort(dim=1, descending=True).T[:2]
    expected = torch.as_tensor(weights)[first] - torch.as_tensor(weights)[second]
    assert torch.allclose(margin_directions(linear(weights), x), expected, rtol=1e-12)


def test_the_gradient_of_a_readout_of_a_linear_map_is_in_its_row_space(rng):
    matrix = rng.standard_normal((2, 5))
    x = torch.as_tensor(rng.standard_normal((20, 5)))
    found = readout_directions(linear(matrix), x).numpy()
    assert [
        np.array_equal(found, readout_directions(linear(matrix), x, seed)) for seed in (0, 1)
    ] == [True, False]
    assert np.linalg.matrix_rank(np.vstack([matrix, found]), tol=1e-9) == 2
    assert np.linalg.matrix_rank(found, tol=1e-9) == 2


def test_bad_input():
    with pytest.raises(ValueError, match="directions"):
        measure.stretch(nn.Linear(3, 4), torch.ones(2, 3), torch.ones(2, 4))

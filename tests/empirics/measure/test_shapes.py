"""Tests that the shapes announced by public functions are those of their results."""

from __future__ import annotations

import typing

import pytest
import torch
from torch import nn

from empirics import measure

X = torch.rand(4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
SMOOTH = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 5)).double()
LABELS = torch.tensor([0, 1, 1, 0])
WEIGHTS = torch.rand(2, 6, 3, generator=torch.Generator().manual_seed(1))
PATH = torch.rand(5, 4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
GIVEN = {
    "amplification": lambda: measure.amplification(WEIGHTS, (0, 2)),
    "boundary_distance": lambda: measure.boundary_distance(SMOOTH, X),
    "log_volume_element": lambda: measure.log_volume_element(SMOOTH, X),
    "metric": lambda: measure.metric(SMOOTH, X),
    "metric_spectrum": lambda: measure.metric_spectrum(SMOOTH, X),
    "neural_tangent_gram": lambda: measure.neural_tangent_gram(SMOOTH, X, X[:2]),
    "neuron_vectors": lambda: measure.neuron_vectors(WEIGHTS, WEIGHTS[..., 0]),
    "relabelling_digits": lambda: measure.relabelling_digits(torch.tensor([0, 0, 0, 1, 1]), 2),
    "stretch": lambda: measure.stretch(SMOOTH, X, X + 1),
    "scalar_curvature": lambda: measure.scalar_curvature(SMOOTH, X),
}
RECORDS = {
    "CurvatureEstimate": lambda: measure.scalar_curvature_estimate(SMOOTH, X)._asdict(),
    "NonsingularVolume": lambda: vars(measure.nonsingular_volume(SMOOTH, X)),
    "TangentComponents": lambda: vars(
        measure.tangent_components(SMOOTH, X, LABELS, components=2, neighbours=1)
    ),
    "LeakyResNetState": lambda: vars(
        measure.path_state(PATH, torch.full((4,), 0.25), 1.0, momenta=PATH)
    ),
}


def announced(function):
    return typing.get_type_hints(function)["return"]


@pytest.mark.parametrize("name", GIVEN)
def test_results(name):
    result = GIVEN[name]()
    assert isinstance(result, announced(getattr(measure, name)))


def test_every_function_that_gives_a_tensor_announces_its_shape():
    shaped = {
        name for name in dir(measure)
        if not isinstance(getattr(measure, name), type) and hasattr(announced(getattr(measure, name)), "dim_str")
    }  # fmt: skip
    assert shaped == set(GIVEN)


@pytest.mark.parametrize("name", RECORDS)
def test_records(name):
    hints = typing.get_type_hints(getattr(measure, name))
    checked = 0
    for field, value in RECORDS[name]().items():
        options = [
            option
            for option in (hints[field], *typing.get_args(hints[field]))
            if hasattr(option, "dim_str")
        ]
        if options and value is not None:
            assert isinstance(value, options[0]), field
            checked += 1
    assert checked > 1

"""Tests of the input to usable information: arrays, other precisions, no gradients, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from empirics.training import Optimisation

X = torch.randn(40, 6, generator=torch.Generator().manual_seed(0))
Y = torch.arange(40) % 2


SHARED = nn.Linear(6, 2)


def decoder():
    return nn.Linear(6, 2)


def information(**changes):
    given = {
        "encoder": None,
        "decoder_factory": decoder,
        "data": (X, Y),
        "minimality": "none",
    } | changes
    found = measure.usable_information(
        **given, optimisation=Optimisation(epochs=2), progress=False
    )
    return found.sufficiency.information


def test_arrays_and_other_precisions_are_taken_in_that_of_the_decoders():
    expected = information()
    assert information(data=(X.numpy(), Y.numpy().astype(np.int32))) == expected
    assert information(data=(X.double(), Y)) == expected
    assert information(data=(X.half(), Y)) == pytest.approx(expected, abs=1e-3)
    assert information(encoder=lambda x: x.double()) == expected
    exact = information(encoder=lambda x: x.double(), decoder_factory=lambda: decoder().double())
    assert exact == pytest.approx(expected, abs=1e-6)


def test_without_gradients_decoders_train_all_the_same():
    expected = information()
    with torch.no_grad():
        assert information() == expected
        assert not torch.is_grad_enabled()
    with torch.inference_mode(), pytest.raises(RuntimeError, match=r"inference_mode\(\).*no_grad"):
        information()


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (
            {"data": (X, Y.double())},
            TypeError,
            "labels: got torch.float64, needs integers, the class indices",
        ),
        ({"data": X}, TypeError, "data: got Tensor"),
        ({"data": None}, TypeError, "data: got NoneType"),
        ({"patience": 2.5}, TypeError, "patience: got 2.5"),
        ({"tolerance": "small"}, TypeError, "tolerance: got 'small'"),
        ({"classes": "two"}, TypeError, "classes: got 'two'"),
        ({"encoder": lambda x: (x, x)}, TypeError, "encoder: gives tuple"),
        ({"decoder_factory": lambda: 3}, TypeError, "decoder_factory: gives int"),
        (
            {"decoder_factory": lambda: SHARED, "minimality": "joint"},
            ValueError,
            "the same module",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input(change, error, said):
    with pytest.raises(error, match=said):
        information(**change)

"""Tests of the checks of tensors: valid values are returned, others raise "name: got X, needs Y"."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from empirics import tensor_checks

REFUSED = [
    (lambda: tensor_checks.tensor("x", np.ma.masked_array([1.0])), TypeError,
     "x: got a masked array, needs an array without a mask; fill or drop the masked entries"),
    (lambda: tensor_checks.shape("x", torch.zeros(2), False, "[N, 2]"), ValueError, "x: got shape [2], needs [N, 2]"),
    (lambda: tensor_checks.finite("x", torch.tensor([1.0, math.nan])), ValueError,
     "x: got values that are not finite, needs finite numbers"),
    (lambda: tensor_checks.tensor("x", "text"), TypeError, "x: got str, needs a tensor, an array or numbers"),
    (lambda: tensor_checks.real_numbers("x", [1j]), TypeError, "x: got torch.complex128, needs real numbers"),
    (lambda: tensor_checks.real_numbers("x", [True]), TypeError, "x: got torch.bool, needs real numbers"),
    (lambda: tensor_checks.finite_numbers("x", [math.inf]), ValueError,
     "x: got values that are not finite, needs finite numbers"),
    (lambda: tensor_checks.class_indices("y", [1.0]), TypeError,
     "y: got torch.float64, needs integers, the class indices"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_is_refused(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_numbers_become_tensors_without_gradient():
    weights = torch.ones(2, requires_grad=True)
    assert not tensor_checks.tensor("x", weights).requires_grad
    assert tensor_checks.real_numbers("x", np.ones(2, np.float32)).dtype == torch.float32
    assert tensor_checks.finite_numbers("x", [[1, 2]]).dtype == torch.float64
    assert tensor_checks.class_indices("y", np.array([0, 1], np.uint8)).tolist() == [0, 1]

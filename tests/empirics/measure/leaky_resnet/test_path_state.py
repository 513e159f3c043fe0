"""Tests of the input to ``path_state``: arrays and lists give what tensors give, and bad input is named."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
import torch

from empirics.measure import path_state

RNG = np.random.default_rng(1)
PATH, MOMENTA, WEIGHTS = (
    RNG.normal(size=(4, 3, 5)),
    RNG.normal(size=(4, 3, 5)),
    RNG.normal(size=(3, 3, 4)),
)
RHO = np.array([0.2, 0.3, 0.5])


def of(kind, **changes):
    given = {"path": PATH, "rho": RHO, "weights": WEIGHTS, "momenta": MOMENTA} | changes
    return path_state(depth=2.0, **{name: kind(value) for name, value in given.items()})


@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist])
def test_arrays_and_lists_give_what_tensors_give(kind):
    ours, expected = of(kind), of(torch.from_numpy)
    for field in fields(expected):
        np.testing.assert_array_equal(getattr(ours, field.name), getattr(expected, field.name))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"path": PATH[0]}, ValueError, r"path: got shape \[3, 5\], needs \[node, width, point\]"),
        ({"path": PATH > 0}, TypeError, "path: got torch.bool, needs real numbers"),
        ({"path": np.full_like(PATH, np.nan)}, ValueError, "path: got values that are not finite"),
        ({"path": np.ma.masked_array(PATH)}, TypeError, "path: got a masked array"),
        ({"rho": RHO[:2]}, ValueError, r"rho: got \[0.2, 0.3\], needs 3 positive finite steps"),
        (
            {"momenta": MOMENTA[:2]},
            ValueError,
            r"momenta: got shape \[2, 3, 5\], needs that of path, \[4, 3, 5\]",
        ),
        (
            {"weights": WEIGHTS[..., :3]},
            ValueError,
            r"weights: got shape \[3, 3, 3\], needs .*, \[3, 3, 4\]",
        ),
        ({"weights": WEIGHTS * np.inf}, ValueError, "weights: got values that are not finite"),
    ],
)
def test_bad_input_is_named(changes, error, message):
    with pytest.raises(error, match=message):
        of(lambda value: value, **changes)

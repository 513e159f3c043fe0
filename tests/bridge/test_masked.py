"""Tests that masked arrays are refused by name: numpy would use the numbers under the mask."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.collapse import equiseparation
from theory import two_point

MASKED = np.ma.masked_array([0.8, 0.4, 0.2], mask=[False, True, False])
T = np.linspace(0, 40, 30)
STATE = np.ma.masked_array([0.1, 0.01, -0.06], mask=[False, False, True])


def curves():
    columns = (T, *two_point.trajectory(T, 0.1, 0.01, -0.06, 4.0, 5.0, 1.0, 0.5))
    return dict(zip(("t", "dh2", "dy2", "w"), columns, strict=True))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("prediction", lambda: bridge.compare(MASKED, [1.0, 1.0, 1.0], error=0.1)),
        ("measurement", lambda: bridge.compare([1.0, 1.0, 1.0], MASKED, error=0.1)),
        ("measurement", lambda: bridge.compare([1.0], [MASKED])),
        ("error", lambda: bridge.compare([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], error=MASKED)),
        (
            "repetitions",
            lambda: bridge.compare([1.0] * 3, [1.0] * 3, error=0.1, repetitions=MASKED),
        ),
        ("nc1", lambda: equiseparation(MASKED)),
        ("nc1", lambda: equiseparation([MASKED, MASKED])),
        ("initial", lambda: bridge.two_point.fit(curves(), dx2=1.0, target2=0.5, initial=STATE)),
    ],
)
def test_masked_arrays_are_refused(name, call):
    with pytest.raises(
        TypeError, match=f"{name}: got a masked array, needs an array without a mask"
    ):
        call()


@pytest.mark.parametrize("column", ["t", "dh2", "w"])
def test_masked_columns_are_refused(column):
    masked = np.ma.masked_array(curves()[column], mask=np.arange(T.size) == 5)
    with pytest.raises(
        ValueError,
        match=rf"{column}.*: got NaN or infinity in 1 of 30 entries \(the first in row 5\)",
    ):
        bridge.two_point.fit(curves() | {column: masked}, dx2=1.0, target2=0.5)

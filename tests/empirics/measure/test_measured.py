"""Tests of the display of measured results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from empirics import measure
from empirics.measure.measurement_result import MeasurementResult


@dataclass(frozen=True, repr=False)
class Everything(MeasurementResult):
    number: float
    nothing: Any
    few: Any
    many: Any
    matrix: Any
    words: tuple[str, ...]
    inner: Any
    note: str = ""


def test_a_line_for_each_field_and_the_range_of_long_arrays():
    many = np.array([3.0, np.nan, 1.0, 2.0, 2.0, 2.0, 2.0])
    inner = Everything(1.0, None, (), (), (), (), None)
    shown = Everything(
        1 / 3, None, torch.tensor([1.0, 2.5]), many, torch.eye(3), ("a", "b"), inner
    )
    assert [line.split(maxsplit=1)[-1] for line in repr(shown).splitlines()[1:7]] == [
        "0.3333",
        "None",
        "1, 2.5",
        "7 numbers, 1 to 3, 1 not finite",
        "3 x 3 numbers, 0 to 1",
        "a, b",
    ]
    assert repr(shown).splitlines()[7].startswith("  inner    number 1; ")
    assert "note" not in repr(shown).splitlines()[-1]


def test_a_measure_with_thousands_of_numbers_fits_a_screen():
    features = torch.randn(400, 30, generator=torch.Generator().manual_seed(0))
    shown = repr(measure.neural_collapse(features, torch.arange(400) % 20))
    assert shown.startswith("NeuralCollapse\n  nc1 ")
    assert len(shown.splitlines()) <= 15
    assert max(map(len, shown.splitlines())) <= 100

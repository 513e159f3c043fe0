"""Tests that bad input to functions of the two-point theory raises an error that names the argument.

Forms of all subjects: `core/formula/test_domain.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theory import two_point

GOOD = {
    "dh2_0": 0.3,
    "dy2_0": 0.2,
    "w_0": 0.1,
    "tau_h": 2.0,
    "tau_y": 3.0,
    "dx2": 0.7,
    "target2": 1.3,
}
CROSSING = {
    "dh2_0": 0.69,
    "dy2_0": 1.0,
    "w_0": 1.7,
    "tau_h": 2.8,
    "tau_y": 1.4,
    "dx2": 1.3,
    "target2": 0.78,
}
CALLS: dict[str, tuple[Callable[..., Any], dict[str, float]]] = {
    "trajectory": (two_point.trajectory, {"t": 1.0, **GOOD}),
    "loss": (two_point.loss, {"t": 1.0, **GOOD, "tau_mean": 1.0, "mean2_0": 0.5}),
    "escape_time": (two_point.escape_time, GOOD),
    "crossing_time": (lambda **named: two_point.crossing_time()(**named), CROSSING),
}
MAY_BE_ZERO = {"t", "dy2_0", "target2", "mean2_0"}
negative = st.floats(max_value=-1e-6, min_value=-1e6)
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "NaN": st.just(math.nan),
    "infinite": st.sampled_from([math.inf, -math.inf]),
    "negative": negative,
    "zero": st.just(0.0),
    "text": st.text(alphabet="abc", min_size=1),
    "None": st.none(),
    "complex": st.complex_numbers(min_magnitude=1, max_magnitude=9).filter(
        lambda z: abs(z.imag) > 1e-3
    ),
    "boolean array": st.just(np.array([True, False])),
    "empty": st.sampled_from([[], np.empty(0), np.empty((3, 0))]),
    "hidden NaN": st.integers(0, 4).map(lambda i: np.where(np.arange(5) == i, np.nan, 1.0)),
    "hidden negative": st.integers(0, 4).map(lambda i: np.where(np.arange(5) == i, -1.0, 1.0)),
    "ragged": st.just([[1.0, 2.0], [3.0]]),
    "dictionary": st.just({"value": 1.0}),
    "dates": st.just(np.array(["2024-01-01"], dtype="datetime64[D]")),
    "masked": st.just(np.ma.masked_array([1.0, 2.0], mask=[True, False])),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
@settings(max_examples=3)
@given(data=st.data())
def test_bad_values_are_refused_by_name(call: str, kind: str, data: st.DataObject) -> None:
    function, good = CALLS[call]
    name = data.draw(st.sampled_from(sorted(good)))
    if (kind == "zero" and name in MAY_BE_ZERO | {"w_0"}) or (
        "negative" in kind and name == "w_0"
    ):
        return
    value = data.draw(KINDS[kind])
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}\b"):
        function(**{**good, name: value})


@pytest.mark.parametrize("call", CALLS)
@settings(max_examples=10)
@given(data=st.data())
def test_missing_and_unknown_arguments_are_refused(call: str, data: st.DataObject) -> None:
    function, good = CALLS[call]
    name = data.draw(st.sampled_from(sorted(good)))
    with pytest.raises(TypeError, match=name):
        function(**{key: value for key, value in good.items() if key != name})
    with pytest.raises(TypeError, match="tau_z"):
        function(**good, tau_z=1.0)


@given(st.floats(1.01, 100), st.sampled_from([-1, 1]))
def test_states_that_no_vectors_have_are_refused(excess: float, sign: int) -> None:
    impossible = GOOD["dy2_0"] + sign * excess * math.sqrt(GOOD["dy2_0"] * GOOD["target2"])
    for call in ("trajectory", "loss"):
        function, good = CALLS[call]
        with pytest.raises(ValueError, match="Cauchy and Schwarz"):
            function(**{**good, "w_0": impossible})


def test_shapes_that_do_not_broadcast_are_refused() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        two_point.trajectory(1.0, **{**GOOD, "tau_h": [1.0, 2.0], "tau_y": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match=r"\bt\b.*shape"):
        two_point.trajectory(np.ones((2, 2)), **GOOD)

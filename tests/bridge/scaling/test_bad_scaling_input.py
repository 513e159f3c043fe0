"""Tests that bad input to a scaling fit raises an error that names the argument."""

from __future__ import annotations

import numpy as np
import pytest

import bridge

X = np.geomspace(1, 100, 6)
Y = 2 * X**-0.5 + 0.1
NOISY = np.random.default_rng(0).normal(size=(6, 4))
CURVE = np.array([0.3, 0.22, 0.17, 0.12])


def changed(values, value, row=3):
    result = np.array(values, dtype=float)
    result[row] = value
    return result


def repeated(values, count):
    return np.tile(np.asarray(values)[:, None], count)


# Words of the message, and the arguments: x, y and those of `fit` with a name.
REFUSED = [
    *((f"{name}: .*NaN or infinity", {name: changed({"x": X}.get(name, Y), value)})
      for name in ("x", "y", "errors") for value in (np.nan, np.inf, -np.inf)),
    *((f"{name}: got", {name: changed({"x": X}.get(name, Y), value)})
      for name in ("x", "errors") for value in (0, -1e-6)),
    *(("geometric", {"y": repeated(changed(Y, value), 4), "average": "geometric"}) for value in (0, -1)),
    *(("at least 3", {"x": X[:count], "y": Y[:count]}) for count in (0, 1, 2)),
    ("3 points for 3 free parameters, needs more", {"x": X[:3], "y": Y[:3]}),
    ("repeated", {"x": changed(X, X[5])}),
    *((f"{name}: got shape", {name: np.ones(count)}) for name in ("y", "errors") for count in (1, 5, 7)),
    ("transpose", {"y": NOISY.T}),
    *(("at least 3", {"y": repeated(Y, count)}) for count in (1, 2)),
    ("identical", {"y": repeated(Y, 3)}),
    ("errors: got some for y with repetitions", {"y": NOISY, "errors": Y}),
    ("constant", {"y": np.full(6, 0.7), "errors": np.ones(6)}),
    ("real numbers", {"y": ["one"] * 6}),
    ("average: got", {"average": "mean?"}),
    *(("level: got", {"level": level}) for level in (0, 1, -0.5, np.nan, True, "68%")),
    *(("seed: got", {"seed": seed}) for seed in (-1, 0.5, None)),
    *(("offset", {"offset": offset}) for offset in (np.nan, np.inf, [0.0, 1.0])),
    ("y: got multiples of one curve",
     {"x": [100, 200, 400, 800], "y": CURVE[:, None] * [1, 1.05, 0.97], "offset": 0.0}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "arguments"), REFUSED)
def test_bad_input_is_refused_in_these_words(words, arguments):
    with pytest.raises((TypeError, ValueError), match=words):
        bridge.scaling.fit(**({"x": X, "y": Y} | arguments))


@pytest.mark.parametrize("x", [0.0, -1e-6, -np.inf])
def test_predictions(x):
    with pytest.raises(ValueError, match="x: "):
        bridge.scaling.fit(X, Y).predict([x])

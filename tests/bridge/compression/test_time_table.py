"""A table of t* gives the law that the traces give, and what is wrong with a table is named."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import theory.compression
from bridge import compression
from bridge.compression.trace import MEASURED
from empirics.experiments.compression import Config
from theory.compression import Stripes

ALPHAS = (1e-5, 1e-9, 1e-13)
CONFIG = {"boundaries": (-0.3, 1.2), "dimension": 2, "seeds": 4, "shares": (0.2,)}
OPTIONS = {"labels": Stripes((-0.3, 1.2), 1), "dimension": 2, "fitted": 0.2}


def test_time_law(rng, monkeypatch):
    derived = functools.cache(theory.compression.characteristic_time)
    monkeypatch.setattr(theory.compression, "characteristic_time", derived)
    times = 3 * np.log(1 / np.array(ALPHAS))[:, None] + rng.normal(size=(3, 4))
    traces, rows = [], []
    for alpha, values in zip(ALPHAS, times, strict=True):
        variables = dict.fromkeys(MEASURED, ("seed", values)) | {
            "time_at": (("seed", "share"), values[:, None])
        }
        traces.append(
            xr.Dataset(variables, attrs={"config": Config(alpha=alpha, **CONFIG).to_json()})
        )
        rows += [(alpha, seed, value) for seed, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["alpha", "seed", "time"]).sample(frac=1, random_state=0)
    expected = compression.time_law(traces, neurons=2)
    found = compression.time_law(frame, neurons=2, **OPTIONS)
    assert derived.cache_info().misses == 1  # both ask the theory for the same law
    for name in ("alpha", "times", "slopes", "offsets", "bend"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.slope.z == expected.slope.z
    for wrong, options, message in [
        (
            frame.drop(columns="time"),
            OPTIONS,
            "data: got columns 'alpha', 'seed' without 'time', needs 'alpha', 'seed', 'time'",
        ),
        (
            frame.assign(time=np.nan),
            OPTIONS,
            "column 'time': got NaN or infinity in 12 of 12 entries",
        ),
        (pd.concat([frame, frame]), OPTIONS, "several rows with the same 'alpha', 'seed'"),
        (frame.iloc[1:], OPTIONS, "needs a row for every combination of 'alpha', 'seed'"),
        (frame, {}, "labels, dimension, fitted: are not in the data"),
        (
            frame[frame["alpha"] == ALPHAS[0]],
            OPTIONS,
            "column 'alpha': has 1 value, needs at least 2",
        ),
        (frame[frame["seed"] == 0], OPTIONS, "1 realisations reached"),
    ]:
        with pytest.raises(ValueError, match=message):
            compression.time_law(wrong, neurons=2, **options)
    with pytest.raises(TypeError, match="labels: got tuple"):
        compression.time_law(frame, **OPTIONS | {"labels": (0.3, 1.2)})

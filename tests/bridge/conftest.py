"""Traces from the integration of explicit scalar maps, without code of the theory, the fit or the experiment."""

import json

import numpy as np
import pytest
import xarray as xr
from scipy.integrate import solve_ivp

import theory
from bridge.results.quantity import quantities

DX2, TARGET, TARGET_MEAN = 1.0, np.sqrt(0.5), 0.95
TAU_H, TAU_Y, TAU_MEAN = 40.0, 25.0, 15.0


def make_trace(
    *,
    layers=(3,),
    seeds=(0, 1, 2),
    epochs=400,
    slowed=1.0,
    scale=0.2,
    config=None,
    tau_h=TAU_H,
    tau_y=TAU_Y,
) -> xr.Dataset:
    """Return traces of a two-layer scalar chain, output = b a x, under exact gradient flow with one rate per layer.

    With tau of Eq. (7), which is twice that of Eq. (6): a' = -(2/tau_h) dL/da, L = (b a |u| - v)^2 / 8.
    ``slowed`` slows the later half of the motion, which no choice of the two constants can fit.
    """
    u = np.sqrt(DX2)
    t = np.arange(epochs + 1.0)
    states = []
    for number, _ in enumerate(seeds):
        a0, b0 = scale * (1 + 0.2 * number), scale * (0.8 - 0.1 * number)

        def flow(_, state):
            a, b = state
            error = b * a * u - TARGET
            speed = slowed if b * a * u > TARGET / 2 else 1.0
            return [-speed * error * b * u / (2 * tau_h), -speed * error * a * u / (2 * tau_y)]

        states.append(solve_ivp(flow, (0, epochs), [a0, b0], t_eval=t, rtol=1e-10, atol=1e-12).y)
    a, b = np.array(states).swapaxes(0, 1)
    dh2, dy = (a * u) ** 2, b * a * u
    offset = 0.3 * np.exp(-t / TAU_MEAN) * np.ones((len(seeds), 1))
    loss = offset**2 / 2 + (dy - TARGET) ** 2 / 8
    config = {"width": 8, "activation": "relu", **(config or {})}
    return xr.Dataset(
        {
            "dh2": (("seed", "step", "layer"), dh2[..., None] * np.ones(len(layers))),
            "dy2": (("seed", "step"), dy**2),
            "w": (("seed", "step"), dy**2 - dy * TARGET),
            "loss": (("seed", "step"), loss),
            "output_mean": (("seed", "step", "output"), (TARGET_MEAN + offset)[..., None]),
            "diverged_at": (("seed",), np.full(len(seeds), -1)),
        },
        {
            "seed": np.asarray(seeds),
            "step": np.arange(epochs + 1),
            "layer": np.asarray(layers),
            "output": [0],
        },
        {
            "experiment": "two_point",
            "config": json.dumps(config),
            "commit": "0" * 40,
            "versions": json.dumps({"python": "3", "torch": "2"}),
            "device": "cpu",
            "dtype": "float64",
            "threads": 1,
            "processor": "x86_64, AVX2",
            "blas": "torch: MKL 2024.2; numpy: openblas 0.3",
            "dx2": DX2,
            "target2": TARGET**2,
            "target_mean": json.dumps([TARGET_MEAN]),
            "processor_seconds": 1.5,
            "learning_rate": 0.01,
        },
    )


@pytest.fixture(scope="session")
def trace_maker():
    return make_trace


@pytest.fixture(scope="session")
def trace():
    return make_trace()


@pytest.fixture(scope="session")
def check():
    """Return a function that checks that an analysis of traces is complete, and each of its numbers named once."""

    def is_complete(analysis, traces, may_be_empty=()):
        assert set(analysis.traces) == set(traces)
        assert analysis.findings
        assert set(analysis.theory) <= set(theory.catalogue())
        assert len({picture.name for picture in analysis.pictures}) == len(analysis.pictures) > 0
        for picture in analysis.pictures:
            assert picture.caption.endswith(".")
            shown = [axes for axes in picture.figure.axes if axes.get_visible()]
            assert all(axes.has_data() or axes.texts for axes in shown)
        for table in analysis.tables:
            assert table.cells or table.name in may_be_empty
            assert len(set(table.heads)) == len(table.heads) > 1
        named = [(one.quantity, one.label) for table in analysis.tables for one in table.measured]
        assert len(set(named)) == len(named)
        for one in analysis.numbers:
            assert one.quantity in quantities(one.quantity.partition(".")[0])

    return is_complete


@pytest.fixture(scope="session")
def numbers():
    """Return a function of a table or an analysis: its measured numbers by quantity and label."""

    def by_name(whole):
        measured = whole.numbers if hasattr(whole, "numbers") else whole.measured
        return {(one.quantity, one.label): one for one in measured}

    return by_name

"""Tests that the result does not depend on the container of the data."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bridge
from bridge.tables import table
from empirics.runs import trace_file


def trace_of(cases, layers=(11,), **attributes):
    """A Dataset as a training run leaves it, one seed for every case; deeper layers have dh2 scaled."""
    t = cases[0].columns["t"]
    dh2 = np.stack(
        [[case.columns["dh2"] * (1 + i) for i in range(len(layers))] for case in cases]
    ).transpose(0, 2, 1)
    return xr.Dataset(
        {
            "dh2": (("seed", "step", "layer"), dh2),
            "dy2": (("seed", "step"), np.stack([case.columns["dy2"] for case in cases])),
            "w": (("seed", "step"), np.stack([case.columns["w"] for case in cases])),
        },
        coords={"seed": np.arange(len(cases)), "step": t, "layer": list(layers)},
        attrs=cases[0].data | {"experiment": "two_point", "config": json.dumps({})} | attributes,
    )


def test_mapping_frame_csv_and_dataset_agree(clean_case, tmp_path):
    frame = pd.DataFrame(clean_case.columns)
    frame.to_csv(tmp_path / "commas.csv", index=False, float_format="%.17g")
    frame.to_csv(tmp_path / "tabs.tsv", index=False, sep="\t", float_format="%.17g")
    dataset = frame.set_index("t").to_xarray()
    expected = bridge.two_point.fit(clean_case.columns, **clean_case.data)
    forms = (
        frame,
        frame.rename(columns={"t": "epoch"}),
        frame.set_index("t"),
        str(tmp_path / "commas.csv"),
        tmp_path / "tabs.tsv",
        dataset,
        dataset.assign_attrs(clean_case.data),
    )
    for form in forms:
        fit = bridge.two_point.fit(form, **clean_case.data)
        # some versions of pandas round the last digit of a number in text
        assert (fit.tau_h, fit.tau_y) == pytest.approx((expected.tau_h, expected.tau_y), rel=1e-9)
        assert fit.loss == pytest.approx(expected.loss, abs=1e-15)


def test_arrays_with_an_axis_for_the_seed_are_several_runs(clean_case):
    t = clean_case.columns["t"]
    rows = {
        name: np.stack([column, 1.001 * column])
        for name, column in clean_case.columns.items()
        if name != "t"
    }
    long = {name: column.ravel() for name, column in rows.items()}
    expected = table.read(
        {"t": np.tile(t, 2), "seed": np.repeat([0, 1], len(t)), **long}, ("dh2", "dy2", "w")
    )
    for given in ({"t": t}, {"t": np.tile(t, (2, 1))}):
        found = table.read(given | rows, ("dh2", "dy2", "w"))
        assert len(found) == len(expected) == 2
        for one, other in zip(found, expected, strict=True):
            assert one.label == other.label
            assert all(np.array_equal(one.columns[name], other.columns[name]) for name in rows)
    named = table.read({"t": t, "seed": [7, 3], **rows}, ("dh2",))
    assert [one.label for one in named] == ["seed 3", "seed 7"]
    assert np.array_equal(named[1].columns["dh2"], rows["dh2"][0])
    with pytest.raises(ValueError, match=r"column 't': got shape .* next to"):
        table.read({"t": t} | {name: column.T for name, column in rows.items()}, ("dh2",))


def test_a_trace_of_ours_needs_no_arguments_and_survives_a_file(clean_case, tmp_path):
    trace = trace_of([clean_case])
    trace.to_netcdf(tmp_path / "trace.nc", engine="h5netcdf")
    for form in (trace, tmp_path / "trace.nc"):
        fit = bridge.two_point.fit(form)
        assert fit.tau_h == pytest.approx(clean_case.tau_h, rel=1e-7)
        assert fit.initial == "data"
        assert fit.layer == 11


def test_a_damaged_file_is_refused(clean_case, tmp_path):
    file = tmp_path / "trace.nc"
    content = bytearray(trace_file.content(trace_of([clean_case])))
    file.write_bytes(content)
    assert bridge.two_point.fit(file).tau_h == pytest.approx(clean_case.tau_h, rel=1e-7)
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(
        ValueError, match=r"trace\.nc: got .*the file is damaged, needs a readable netCDF file"
    ):
        bridge.two_point.fit(file)


def test_noise_does_not_make_a_trace_of_ours_noisy(clean_case):
    """A jagged record of a network, dropout's say, still begins exactly where it began."""
    rng = np.random.default_rng(1)
    seen = clean_case.clean + 0.01 * rng.normal(size=clean_case.clean.shape)
    seen[:, 0] = clean_case.initial
    trace = trace_of([clean_case])
    for name, row in zip(("dy2", "w"), seen[1:], strict=True):
        trace[name].values[0] = row
    trace["dh2"].values[0, :, 0] = seen[0]
    assert bridge.two_point.fit(trace).initial == "data"
    del trace.attrs["experiment"]
    assert bridge.two_point.fit(trace).initial == "fit"


def test_layers_are_chosen_or_fitted_all(clean_case):
    trace = trace_of([clean_case], layers=(3, 7))
    fits = bridge.two_point.fit_layers(trace)
    assert list(fits) == [3, 7]
    assert bridge.two_point.fit(trace, layer=7).tau_h == fits[7].tau_h
    # dh2 twice as large is the same theory with dx2/tau_h and 1/tau_y scaled by 2 and 1/2
    assert fits[7].tau_h == pytest.approx(fits[3].tau_h / 2, rel=1e-6)
    assert fits[7].tau_y == pytest.approx(fits[3].tau_y * 2, rel=1e-6)


def test_several_seeds_give_errors_from_the_seeds(draw, clean_case):
    rng = np.random.default_rng(3)
    traces, logs = [], []
    for tau_h in 400 * np.exp(0.1 * rng.normal(size=6)):
        clean = type(clean_case)(
            clean_case.columns | dict(zip(("dh2", "dy2", "w"), theory_curves(clean_case, tau_h), strict=True)),
            clean_case.data, tau_h, clean_case.tau_y, clean_case.initial, clean_case.clean,
        )  # fmt: skip
        traces.append(clean)
        logs.append(np.log(tau_h))
    fit = bridge.two_point.fit(trace_of(traces))
    assert fit.error_source == "seeds"
    assert len(fit.per_seed) == 6
    assert fit.tau_h == pytest.approx(np.exp(np.mean(logs)), rel=1e-6)
    assert fit.errors["tau_h"] / fit.tau_h == pytest.approx(
        np.std(logs, ddof=1) / np.sqrt(6), rel=1e-6
    )
    assert fit.loss == pytest.approx(np.mean([each.loss for each in fit.per_seed]), abs=0)
    long = pd.concat(pd.DataFrame(each.columns).assign(seed=i) for i, each in enumerate(traces))
    assert bridge.two_point.fit(long, **clean_case.data).tau_h == pytest.approx(
        fit.tau_h, rel=1e-9
    )


def theory_curves(case, tau_h):
    from theory import two_point as theory

    return theory.trajectory(case.columns["t"], *case.initial, tau_h, case.tau_y, **case.data)


def test_time_may_start_anywhere_and_have_any_name(clean_case):
    columns = dict(clean_case.columns)
    columns["hours"] = columns.pop("t") + 100
    fit = bridge.two_point.fit(columns, time="hours", **clean_case.data)
    assert fit.tau_h == pytest.approx(clean_case.tau_h, rel=1e-7)
    assert fit.predict(columns["hours"]) == pytest.approx(clean_case.clean, abs=1e-7)


def test_single_precision_rounding_is_forgiven_without_a_warning(clean_case):
    columns = {name: column.astype(np.float32) for name, column in clean_case.columns.items()}
    fit = bridge.two_point.fit(columns, **clean_case.data)
    assert fit.initial == "data"
    assert fit.warnings == ()
    assert fit.tau_h == pytest.approx(clean_case.tau_h, rel=1e-4)


def test_identical_outputs_can_be_fitted(draw):
    from theory import two_point as theory

    t = np.linspace(0, 60, 400)
    clean = theory.trajectory(t, 0.5, 0.3, 0.3, 4.0, 9.0, 0.8, 0.0)
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *clean), strict=True))
    fit = bridge.two_point.fit(columns, dx2=0.8, target2=0.0)
    assert [fit.tau_h, fit.tau_y] == pytest.approx([4, 9], rel=1e-6)
    noisy = {
        name: column + (name != "t") * 1e-3 * np.random.default_rng(0).normal(size=400)
        for name, column in columns.items()
    }
    fit = bridge.two_point.fit(noisy, dx2=0.8, target2=0.0)
    assert fit.initial == "fit"
    assert abs(fit.tau_h - 4) < 4 * fit.errors["tau_h"]

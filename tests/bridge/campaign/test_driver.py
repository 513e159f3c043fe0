"""Tests that a campaign keeps its budget, is resumed with the same results, and begins with what has value."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import torch
import xarray as xr

from bridge.campaign import driver
from bridge.campaign.command import described
from bridge.cli import main
from bridge.results import record
from empirics.experiments import STUDIES
from empirics.sweep import store
from tests import forked

STUDY = "two-point-initial-weights"  # five configurations


@pytest.fixture
def imported():
    """Let the process that a campaign forks be the one that other tests fork, too."""
    forked.start()


@pytest.mark.parametrize(
    ("text", "expected"), [("25m", 1500), ("90s", 90), ("1.5h", 5400), (" .5 m", 30)]
)
def test_budgets(text, expected):
    assert driver.seconds(text) == expected


@pytest.mark.parametrize("text", ["25", "m", "-3m", "0s", "1d", "1e3s", ""])
def test_bad_budgets(text):
    with pytest.raises(ValueError, match=r"^budget: got"):
        driver.seconds(text)


@pytest.mark.slow
def test_interrupted_and_resumed(imported, tmp_path, capsys, trained):
    """The time ends during the runs, again and again; what results is what runs without interruption give."""
    words = ["campaign", STUDY, "--scale", "smoke", "--out", str(tmp_path / "pieces")]
    assert main([*words, "--budget", "0.01s"]) == 0
    assert "0 of 5" in capsys.readouterr().out
    for attempt in range(1, 100):
        assert main([*words, "--budget", f"{0.3 * attempt}s"]) == 0
        shown = capsys.readouterr().out
        if "unfinished" not in shown:
            break
    assert "5 of 5" in shown
    configs = STUDIES[STUDY].configs("smoke")
    chosen = list(configs.values())[:2]
    for config, whole in zip(chosen, trained(chosen), strict=True):
        pieces = store.load(store.path_of(config, tmp_path / "pieces" / "traces"))
        xr.testing.assert_identical(pieces.drop_attrs(), whole.drop_attrs())
    result = record.load(STUDY, tmp_path / "pieces" / driver.RESULTS)["smoke"]
    assert set(result.configurations) == set(configs)
    assert result.is_current
    files = [path for path in (tmp_path / "pieces").rglob("*") if path.is_file()]
    assert max(path.stat().st_size for path in files) < 16 * 2**20


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_runs_that_fail_are_named_and_the_device_is_recorded(imported, tmp_path, capsys):
    words = "campaign two-point-adam two-point-layer --scale smoke --budget 60s --device cuda"
    assert main(f"{words} --out {tmp_path}".split()) == 1
    shown = capsys.readouterr().out
    for label in ("Adam", "default"):
        assert f"0 of 1  {label}: ValueError: device: got 'cuda'" in shown
    assert "unfinished" not in shown
    assert json.loads((tmp_path / "study-two-point-adam.json").read_text(encoding="utf-8"))[
        "changed"
    ] == {"device": "cuda"}


def test_what_has_a_number_and_no_result_comes_first(monkeypatch):
    cost = {
        "two-point-adam": 3.0,
        "two-point-layer": 1.0,
        "compression-time": 9.0,
        "collapse-layers": 2.0,
    }
    known = {"compression-time": "paper"}

    def load(name, fresh=False):
        scale = known.get(name, "smoke")
        return {scale: record.Record(name, scale, {}, {}, (), {}, "", cost[name], (), (), (), {})}

    with_number = {"collapse-layers", "compression-time"}
    monkeypatch.setattr(
        driver, "FIGURES", SimpleNamespace(each=lambda _: [("a paper", with_number)])
    )
    monkeypatch.setattr(record, "load", load)
    assert driver.order("paper", list(cost)) == [
        "collapse-layers", "two-point-layer", "two-point-adam", "compression-time",
    ]  # fmt: skip
    known["collapse-layers"] = "laptop"
    assert driver.order("laptop", list(cost))[2:] == ["collapse-layers", "compression-time"]
    assert set(driver.order("smoke", list(cost))) == set(cost)
    with pytest.raises(ValueError, match=r"^no study 'none'"):
        driver.order("paper", ["none"])


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_a_dry_run_lists_the_order_and_writes_nothing(tmp_path, capsys):
    names, folder = ["two-point-layer", "two-point-adam"], tmp_path / "runs"
    words = f"campaign --scale smoke --device cuda --out {folder} --dry-run"
    assert main([*words.split(), *names]) == 0
    device, *lines = capsys.readouterr().out.splitlines()
    assert "torch sees no CUDA device here" in device
    assert [line.split()[0] for line in lines] == driver.order("smoke", names)
    assert all("0 of 1" in line and " s at " in line for line in lines)
    assert not folder.exists()


def test_devices_are_described():
    assert described(None) == "device: as in the configurations"
    assert described("cpu") == "device: cpu"


def test_a_budget_that_is_spent_at_once(imported, tmp_path, capsys):
    words = f"campaign geometry-xor --scale smoke --budget 0.01s --out {tmp_path}"
    assert main(words.split()) == 0
    shown = capsys.readouterr().out
    assert "0 of 2" in shown
    assert "unfinished; the same command continues" in shown

"""Tests of the driver of `make portable`: every switch is set, failing runs are reported, failures are counted."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NEEDED = {
    "MKL_ENABLE_INSTRUCTIONS": {"SSE4_2", "AVX2", "AVX512"},
    "MKL_CBWR": {"COMPATIBLE", "AVX2"},
    "ATEN_CPU_CAPABILITY": {"default", "avx2", "avx512"},
    "OPENBLAS_CORETYPE": {"Nehalem", "Haswell", "SkylakeX"},
}


@pytest.fixture
def driver(monkeypatch):
    spec = importlib.util.spec_from_file_location("portable_run", HERE / "run.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "portable_run", module)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def test_default_runs_hold_every_value_of_every_switch(driver):
    chosen = [driver.SETTINGS[name] for name in driver.DEFAULT]
    for switch, values in NEEDED.items():
        assert values <= {setting.environment.get(switch) for setting in chosen}
    assert {setting.numpy for setting in chosen} == {None, "baseline", "X86_V3"}
    assert {setting.threads for setting in chosen} == {1, 2}


def test_a_run_has_its_own_switches_only(driver, monkeypatch):
    monkeypatch.setenv("MKL_CBWR", "AVX512")
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "X86_V4")
    environment = driver.environment_of(driver.SETTINGS["avx512"], Path("shim.so"))
    assert "MKL_CBWR" not in environment
    assert "NPY_DISABLE_CPU_FEATURES" not in environment
    assert environment["MKL_ENABLE_INSTRUCTIONS"] == "AVX512"
    assert environment["OMP_NUM_THREADS"] == "1"
    assert environment["LD_PRELOAD"].startswith("shim.so")


@pytest.mark.parametrize(("failing", "code"), [((), 0), (("avx2",), 1)])
def test_exit_code_and_table(driver, monkeypatch, capsys, failing, code):
    runs = []

    def suite(environment, threads, report, tests):
        wrong = int(environment.get("MKL_ENABLE_INSTRUCTIONS", "").lower() in failing)
        report.write_text(
            f'<testsuites><testsuite tests="9" failures="{wrong}" errors="0" skipped="2"/></testsuites>'
        )
        runs.append((threads, tests))
        return wrong

    monkeypatch.setattr(driver, "suite", suite)
    monkeypatch.setattr(driver, "probed", lambda environment: "as told")
    monkeypatch.setattr(driver, "intel_path", lambda folder: None)
    monkeypatch.setattr(
        sys, "argv", ["run.py", "--settings", "avx2", "two-threads", "--", "tests/theory"]
    )
    assert driver.main() == code
    assert runs == [(1, ["tests/theory"]), (2, ["tests/theory"])]
    shown = capsys.readouterr().out
    assert f"| avx2 | {7 - code} | {code} |" in shown
    assert "| two-threads | 7 | 0 |" in shown


def test_without_a_compiler_it_says_what_has_no_effect(driver, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(driver.shutil, "which", lambda name: None)
    monkeypatch.setattr(
        driver.Path, "read_text", lambda path, encoding: "vendor_id\t: AuthenticAMD\n"
    )
    assert driver.intel_path(tmp_path) is None
    assert "no C compiler" in capsys.readouterr().out

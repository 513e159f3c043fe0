"""``require`` within hypothesis and pytest: a planted fault is found and shrunk, and a true claim passes."""

from __future__ import annotations

import dataclasses
import re
import unittest
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bridge
from bridge.testing import require
from bridge.testing.requirement import SIMPLER, SharedLevel, command, running
from bridge.validity.decision import decide
from bridge.validity.prediction import as_prediction
from empirics.experiments import two_point

pytest_plugins = ["pytester"]
FINAL = bridge.claims()["two_point.final_distance"]
SEVERAL = settings(max_examples=20, deadline=None, database=None)


@pytest.fixture(autouse=True)
def run():
    with running(SharedLevel()) as current:
        yield current


def noisy(config, seed):
    """The mean is one."""
    mean, scatter = config
    return 1.0, mean + scatter * np.random.default_rng(seed).normal()


def test_a_true_claim_passes_and_a_wrong_one_fails_with_the_comparison():
    with running(SharedLevel()) as run:  # its own, within that of the plugin
        assert require(noisy, (1.0, 0.1)).holds is True
        assert require(noisy, (1.1, 0.05)).holds is None
        with pytest.raises(
            AssertionError,
            match=r"noisy fails: measured 1\.2.*predicted 1, resolution 0\.1, .* seeds, level",
        ):
            require(noisy, (1.25, 0.05))
        assert run.counts.keys() == {"holds", "fails", "not decided", "seconds"}
        assert (run.counts["holds"], run.counts["fails"], run.counts["not decided"]) == (1, 1, 1)


def test_the_level_is_shared_over_the_examples_of_a_run():
    with running(SharedLevel()) as run:  # its own, within that of the plugin
        levels = [require(noisy, (1.0, 0.01 * k), false_alarm=0.05).level for k in range(1, 8)]
        assert levels == sorted(levels, reverse=True)
        assert sum(levels) < 0.05
        # comes again, as it was decided
        assert require(noisy, (1.0, 0.01), false_alarm=0.05).level == levels[0]
        with pytest.raises(AssertionError):
            require(noisy, (2.0, 0.01), false_alarm=0.05)
        kept = run.failure.level
        assert require(noisy, (1.0, 0.5), false_alarm=0.05).level == kept


UNDECIDED = (1.1, 0.05)


def test_an_undecided_example_fails_skips_or_passes_as_it_is_told():
    with running(SharedLevel()) as run:
        assert require(noisy, UNDECIDED, undecided="pass").holds is None
        with pytest.raises(AssertionError, match=r"not decided: .* 64 seeds see a factor of 1\.1"):
            require(noisy, UNDECIDED, undecided="fail")
        with pytest.raises(unittest.SkipTest, match="not decided"):
            require(noisy, UNDECIDED, undecided="skip")
        assert (run.open, run.failure) == ("", None)
        with pytest.raises(ValueError, match="undecided: "):
            require(noisy, UNDECIDED, undecided="perhaps")
        require(noisy, (1.1, 0.06))
        assert run.open.startswith("1 example not decided")


def test_networks_are_kept_for_another_resolution():
    asked = []

    def counted(config, seed):
        asked.append(seed)
        return noisy(config, seed)

    with running(SharedLevel()):
        require(counted, (1.0, 0.01))
        second = require(counted, (1.0, 0.01), resolution=0.2)
    assert second.holds is True
    assert asked == [*range(asked[0], asked[0] + len(second.measured))]


def test_the_search_for_a_simpler_failure_ends():
    asked = set()

    def failing(config, seed):
        asked.add(config)
        return 1.0, 2.0 + 0.01 * np.random.default_rng(seed).normal()

    with running(SharedLevel()) as run:
        for config in range(SIMPLER + 11):
            if config <= SIMPLER:
                with pytest.raises(AssertionError):
                    require(failing, config)
            else:
                assert require(failing, config).holds is None
        assert run.failure.config == SIMPLER
    assert len(asked) == SIMPLER + 1
    assert run.open == ""


def test_a_bound_is_decided_on_its_sides():
    bound = dataclasses.replace(as_prediction(noisy), relation="<")
    assert [decide(bound, (mean, 0.1)).holds for mean in (0.9, 1.1)] == [True, False]
    assert decide(dataclasses.replace(bound, relation=">"), (1.1, 0.1)).holds is True


def test_networks_that_measure_nothing_decide_nothing():
    decision = decide(FINAL, FINAL.base.changed(epochs=10))
    assert decision.holds is None
    assert len(decision.measured) == 4
    assert "none of 4 networks measures it" in decision.comparison


@SEVERAL
@given(st.builds(tuple, st.tuples(st.floats(0.99, 1.01), st.floats(0.01, 0.1))))
def test_a_true_claim_in_a_property_test(config):
    require(noisy, config)


@pytest.mark.slow
def test_the_test_of_the_page_finds_a_planted_factor_and_shrinks_it(monkeypatch):
    from papers.vanrossem2024.studies import predictions

    right = predictions.predicted_distances
    monkeypatch.setattr(predictions, "predicted_distances", lambda *given: 1.2 * right(*given))
    page = (Path(bridge.__file__).parents[1] / "docs" / "how-to" / "property-test.md").read_text(
        encoding="utf-8"
    )
    code, *_ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {
        "bridge": bridge,
        "given": given,
        "settings": settings,
        "st": st,
        "two_point": two_point,
    }
    exec(code, names)
    with (
        running(SharedLevel()) as run,
        pytest.raises(AssertionError, match="final_distance fails: measured"),
    ):
        names["test_final_distance"]()
    assert run.failure.config.depth == 2
    assert run.failure.config.gain == 1.0
    assert f"$ {command(run.failure)}\n" in page.replace("\\\n    ", "")


def test_the_command_names_what_differs_from_the_claims_own_configuration():
    decision = decide(FINAL, FINAL.at(FINAL.base, gain=1.5, layers=(1, 2)), 0.2, most=4)
    assert command(decision) == (
        f"closedform validity two_point.final_distance --at gain=1.5 --at learning_rate="
        f"{decision.config.learning_rate} --at layers=1,2 --resolution 0.2"
    )


@pytest.mark.parametrize(
    ("claim", "config", "options", "error"),
    [
        ("two_point.final_distance", {"gain": 1.0}, {}, TypeError),
        (noisy, (1.0, 0.1), {"resolution": 0.0}, ValueError),
        (noisy, (1.0, 0.1), {"false_alarm": 1.5}, ValueError),
        ("two_point.distance", FINAL.base, {}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(claim, config, options, error):
    with pytest.raises(error):
        require(claim, config, **options)


def test_the_plugin_reports_examples_and_the_trace_of_the_simplest_failure(pytester):
    pytester.makepyfile(
        """
        from hypothesis import given, settings, strategies as st
        import bridge

        def planted(config, seed):
            return 1.0, 1.2 + 0.001 * (seed % 3) if config > 10 else 1.001 + 0.001 * (seed % 2)

        @settings(max_examples=20, deadline=None, database=None, derandomize=True)
        @given(st.integers(0, 100))
        def test_it(config):
            bridge.testing.require(planted, config)

        def test_holds():
            bridge.testing.require(planted, 1)

        def test_undecided():
            bridge.testing.require(lambda config, seed: (1.0, 1.1 + 0.1 * (-1) ** seed), 1)

        def test_nothing_is_measured():
            bridge.testing.require(lambda config, seed: (1.0, float("nan")), 1)

        def test_said():
            bridge.testing.require(planted_undecided, 1, undecided="pass")

        def planted_undecided(config, seed):
            return 1.0, 1.1 + 0.1 * (-1) ** seed

        def test_network():
            claim = "compression.lazy_amplification"
            bridge.testing.require(claim, bridge.claims()[claim].base.changed(alpha=1e-4))
        """
    )
    result = pytester.runpytest_inprocess("-p", "bridge.testing.plugin", "-W", "ignore")
    result.assert_outcomes(passed=2, failed=4)
    result.stdout.fnmatch_lines(["*the simplest failure*", "planted fails: *", "at 11"])
    result.stdout.fnmatch_lines(
        [
            "closedform validity compression.lazy_amplification --at alpha=0.0001",
            "trace: *compression*.nc",
        ]
    )
    result.stdout.fnmatch_lines(["1 example not decided*", "*64 seeds see a factor of *"])
    result.stdout.fnmatch_lines(["1 example not decided*", "*none of 4 networks measures it"])
    result.stdout.fnmatch_lines(
        ["*closedform: examples*", "*test_holds: 1 holds, 0 not decided, 0 fails; * s"]
    )

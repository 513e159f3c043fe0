"""What new users typed first, off the documented paths: every call works, or says the call that does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sympy as sp

import closedform as cf
import theory
from bridge.cli import main

START = {"dh2_0": 0.3, "dy2_0": 0.2, "tau_h": 2.0, "tau_y": 3.0, "dx2": 0.7, "target2": 1.3}
TRUE = {"tau_h": 300.0, "tau_y": 150.0}


@pytest.fixture(scope="module")
def form():
    return theory.catalogue()["two_point.final_distance"]


@pytest.fixture(scope="module")
def log():
    times = np.arange(0, 1200, 10.0)
    curves = theory.two_point.trajectory(times, 0.1, 0.01, -0.05, 300.0, 150.0, 1.0, 0.5)
    return pd.DataFrame(dict(zip(("t", "dh2", "dy2", "w"), (times, *curves), strict=True)))


def test_a_curvature_of_an_activation_is_found_by_both_words(capsys):
    names = [hit["name"] for hit in cf.find("ricci gelu")]
    assert names[0] == "geometry.scalar_curvature.gelu"
    assert names[0] in theory.catalogue()
    (call,) = [hit["call"] for hit in cf.find("ricci gelu")[:1]]
    assert eval(call, {"cf": cf}).name == names[0]
    assert main(["show", "ricci", "--activation", "gelu"]) == 0
    assert names[0] in capsys.readouterr().out
    with pytest.raises(ValueError, match="no thing that fits 'ricci gel'"):
        cf.find("ricci gel")


def test_depth_is_an_argument_of_the_curvature_and_the_volume():
    from theory import geometry

    for name in ("scalar_curvature", "volume_element"):
        function = getattr(geometry, name)
        assert function("erf", depth=2).name == f"geometry.deep_{name}.erf_2"
        assert function("erf", depth=1).expression == function("erf").expression
        with pytest.raises(ValueError, match="depth: got 0"):
            function("erf", depth=0)


def test_sympy_differentiates_the_plain_expression_by_a_name(form):
    slope = sp.diff(form.plain, "tau_y")
    assert not slope.has(sp.Derivative, sp.re, sp.im)
    ends = [form(**START | {"tau_y": 3.0 + step}) for step in (1e-6, -1e-6)]
    number = sp.lambdify(list(form.symbols), slope)(**START)
    assert number == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert float(form.plain.subs(START)) == pytest.approx(form(**START), rel=1e-14)


def test_latex_is_a_text_and_may_be_called(form):
    assert form.latex() == form.latex == sp.latex(form)
    assert type(form.latex()) is str


@pytest.mark.parametrize(
    "values", [("tau_h", 300), ({"tau_h": 300},), ([("tau_h", 300)],), ((("tau_h", 300),),)]
)
def test_numbers_are_put_in_as_in_sympy(form, values):
    assert form.subs(*values).expression == form.subs(tau_h=300).expression


@pytest.mark.parametrize("values", [(3,), ("tau_h",), ("tau_h", 300, 2)])
def test_values_that_are_no_pairs_are_refused(form, values):
    with pytest.raises(TypeError, match="needs a mapping, pairs, or a name and a value"):
        form.subs(*values)


def test_fixed_points_are_shown_with_their_letters_and_in_numbers(form, capsys):
    assert main(["show", "two_point.fixed_points"]) == 0
    assert "A_high = dh2_0 - dx2*dy2_0*tau_y/(dh2_0*tau_h)" in capsys.readouterr().out
    learned, merged = cf.show("two_point.fixed_points")
    for state in (START, START | {"dh2_0": 1e-7}):  # A_high of both signs; (A_high + R)/2 cancels
        numbers = [float(value) for value in learned.at(**state).position.values()]
        assert numbers == pytest.approx([form(**state), 1.3, 0], rel=1e-13)
        rate = float(merged.at(**state).eigenvalues[0])
        assert rate == pytest.approx(
            theory.catalogue()["two_point.growth_rate"](**state), rel=1e-12
        )
    assert "A_high" not in repr(learned.at(**START))
    with pytest.raises(ValueError, match="time constant of the encoder"):
        learned.at(**START | {"tau_h": -1})
    with pytest.raises(TypeError, match=r"tau_h: got \[1, 2\]"):
        learned.at(**START | {"tau_h": [1, 2]})


def test_the_metrics_of_one_run_are_named_without_the_run(log, tmp_path):
    export = log.rename(
        columns={"t": "Step", "dh2": "run - probe/a", "dy2": "run - dy2", "w": "run - w"}
    )
    export.to_csv(tmp_path / "wandb.csv", index=False)
    fit = cf.fit(
        "two-point", tmp_path / "wandb.csv", column={"dh2": "probe/a"}, dx2=1, target2=0.5
    )
    assert {"tau_h": fit.tau_h, "tau_y": fit.tau_y} == pytest.approx(TRUE, rel=1e-6)
    apart = log.rename(columns={"dh2": "a - dh2"})  # anybody's name, no run
    assert "a - dh2" in __import__("bridge").table(apart).columns


def test_rows_at_which_something_else_was_logged_do_not_count(log):
    history = pd.concat([log, log.assign(t=log["t"] + 5, dh2=None, dy2=None, w=None)])
    history = history.sort_values("t").rename(columns={"t": "_step"}).assign(loss=1.0)
    fit = cf.fit("two-point", history, dx2=1, target2=0.5)
    assert fit.tau_h == pytest.approx(TRUE["tau_h"], rel=1e-6)
    assert fit.forecast(3000) is not None
    assert fit.learning_rates["encoder"].value == pytest.approx(1 / TRUE["tau_h"], rel=1e-6)


def test_a_corrected_equation_has_its_latex_and_entries_are_chosen_by_verdict():
    entries = theory.equations("zavatoneveth2023")
    latex = entries["(7)"].latex
    assert latex == entries["(7)"].corrected_latex == cf.errata("2301.11375", "7")[0].latex
    assert entries["(6)"].latex == entries["(6)"].printed_latex
    confirmed = entries.filter(verdict="CONFIRMED")
    assert confirmed == entries.filter(lambda entry: entry.verdict.value == "confirmed")
    assert confirmed == entries.filter("CONFIRMED")
    assert 0 < len(confirmed) < len(entries)
    assert {entry.root for entry in entries.filter(root="(A.18)")} == {"(A.18)"}
    with pytest.raises(ValueError, match="no verdict 'right'"):
        entries.filter(verdict="right")
    with pytest.raises(ValueError, match="did you mean verdict"):
        entries.filter(verdit="misprint")

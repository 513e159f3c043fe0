"""Objects that consist of several closed forms are shown by the names of these forms, not by a dump of their fields."""

from __future__ import annotations

import pytest

from theory import activations, geometry, two_point

SEVERAL = {
    lambda: geometry.deep_nngp(activations.EXP, 2): ("volume_element", "scalar_curvature"),
    lambda: geometry.bayesian_volume_correction(2): (
        "factor",
        "fluctuation",
        "at_mean_metric",
        "mean",
    ),
    two_point.final_distance_distribution: ("density", "cdf", "median", "mean"),
}


@pytest.mark.parametrize("derive", SEVERAL, ids=["deep_nngp", "bayesian", "final_distance"])
def test_every_form_has_its_name_and_meaning(derive):
    shown, attributes = derive(), SEVERAL[derive]
    text, html = repr(shown), shown._repr_html_()
    assert text.splitlines()[0].startswith(type(shown).__name__)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    for attribute in attributes:
        form = getattr(shown, attribute)
        assert f"  .{attribute} " in text
        shown_at = next(k for k, line in enumerate(lines) if line.endswith(f"  {form.name}"))
        meaning = lines[shown_at + 1]
        assert lines[shown_at].index(form.name) == len(meaning) - len(meaning.lstrip())
        assert form.meaning in " ".join(text.split())
        assert f"<code>.{attribute}</code>" in html
        assert form._repr_html_() in html


def test_a_fixed_point_says_where_it_is():
    learned, merged = two_point.fixed_points()
    assert repr(learned).startswith("learned (stable): dh2 = ")
    assert "dy2 = target2, w = 0" in repr(learned)
    assert repr(merged).startswith("merged (not stable): dh2 = 0, dy2 = 0, w = 0")
    assert r"\|dh\|^{2} = 0" in merged._repr_latex_()
    assert r"\tau_{y}" in merged._repr_latex_()

"""A statement that only says on which side of a number a quantity lies has a verdict of its own."""

from __future__ import annotations

import pytest

from bridge import compare
from bridge.report import compared as shown
from bridge.results.analysis import Compared


@pytest.mark.parametrize(
    ("relation", "measured", "verdict"),
    [
        ("<", -1.0, "agrees"),  # ten standard errors below the bound
        ("<", 1.0, "disagrees"),
        (">", 1.0, "agrees"),
        (">", -1.0, "disagrees"),
        ("<", -0.15, "too blunt to say"),  # 1.5 standard errors
        (">", -0.15, "too blunt to say"),
        ("=", -1.0, "disagrees"),
        ("=", 0.15, "agrees"),
    ],
)
def test_the_verdict_of_a_bound(relation, measured, verdict):
    one = Compared("a", "share", compare(0.0, measured, error=0.1, resolution=0.5), relation)
    row = shown.table([one], "").rows[0]
    assert one.verdict == row["verdict"] == verdict
    assert one.why.startswith(f"{verdict}: ")
    assert row["predicted"] == (0.0 if relation == "=" else f"{relation} 0")
    assert (row["resolution"] is None) == (row["largest"] is None) == (relation != "=")
    overview = shown.overview([("study", [one])]).rows[0]
    assert overview[{"agrees": "agrees", "disagrees": "disagrees"}.get(verdict, "blunt")] == 1
    assert not shown.what_would_decide(one) or relation == "="


def test_a_bound_says_what_it_needs():
    one = Compared("a", "share", compare(0.5, 0.7, error=0.05), ">")
    assert one.why == "agrees: 4.0 standard errors above 0.5; agreement needs more than 2.0 above"

"""Tests of the warnings of a long run: one at once, the others counted, and none lost or kept back afterwards."""

from __future__ import annotations

import warnings

import pytest

from empirics.runs import session
from empirics.runs.session import RunResult, run_of
from tests.empirics.runs.test_session import Config


def off_by(number, category=RuntimeWarning):
    warnings.warn(f"volume: may be off by {number}", category, stacklevel=2)


def texts(caught):
    return [str(one.message) for one in caught]


def test_the_strongest_of_many_is_said_at_the_end():
    @run_of(Config)
    def warns(config, session):
        for number in ("3e-05", "2.9e-04", "1e-06"):
            off_by(number)
        warnings.warn("curvature: may be off by 7.0", RuntimeWarning, stacklevel=1)
        return RunResult({"place": (("seed",), [0.0] * config.seeds, "place")}, {})

    with pytest.warns(RuntimeWarning) as caught:
        warns(Config())
    assert texts(caught) == [
        "volume: may be off by 3e-05",
        "curvature: may be off by 7.0",
        "2 more such warnings, the strongest: volume: may be off by 2.9e-04",
    ]


def test_other_categories_and_later_warnings_are_left_alone():
    def warns():
        with session.summarised():
            within = warnings.showwarning
            off_by(1, UserWarning)
            off_by(2, UserWarning)
        off_by(3)
        for _ in range(2):  # from another thread that kept the function
            within(RuntimeWarning("volume: may be off by 4"), RuntimeWarning, "file.py", 1)
        return within

    with pytest.warns() as caught:
        within = warns()
    assert len(caught) == 5
    assert warnings.showwarning is not within


def test_an_error_is_not_hidden_by_the_summary():
    def fails():
        with session.summarised():
            off_by(1)
            off_by(2)
            raise LookupError("reason")

    with pytest.warns(RuntimeWarning) as caught, pytest.raises(LookupError, match="reason"):
        fails()
    assert len(caught) == 1

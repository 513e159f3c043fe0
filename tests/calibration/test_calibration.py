"""Intervals, errors and verdicts cover the truth as often as they say, or as the documentation says they do."""

import warnings

import numpy as np
import pytest

from tests.calibration.cases import CASES, ONE, TWO
from tests.calibration.table import PAGE, SEED, row

WITHIN = 0.03


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_coverage(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of single fits
        found = case.shares(np.random.default_rng(SEED))
    np.testing.assert_allclose(found, case.stated or (ONE, TWO), atol=WITHIN)


def test_the_page_has_every_case():
    text = PAGE.read_text(encoding="utf-8")
    assert [case.what for case in CASES if case.what not in text] == []


def test_what_is_not_nominal_is_said():
    assert [case.what for case in CASES if (case.stated is None) != (case.note == "")] == []
    assert row(CASES[0], (0.5, 0.9)).count("|") == 5

"""Intervals, errors and verdicts cover the truth as often as they say, or as the documentation says they do."""

import warnings

import numpy as np
import pytest

from tests.calibration import decisions, noises, theorem, transfer, widths
from tests.calibration.cases import CASES, ONE, TWO
from tests.calibration.page import PAGE, write_table
from tests.calibration.table import SEED, row

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


def test_a_table_is_written_in_place_of_the_one_with_its_head(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n\n| a |\n|---|\n| old |\n| older |\n\nafter\n", encoding="utf-8")
    write_table("| a |\n|---|\n", ["| new |"], page)
    assert page.read_text(encoding="utf-8") == "before\n\n| a |\n|---|\n| new |\n\nafter\n"
    with pytest.raises(ValueError, match=r"needs the head of a table of page\.md"):
        write_table(
            "| b |\n|---|\n", (pytest.fail(f"computed row {number}") for number in [1]), page
        )
    for program in (decisions, noises, theorem, transfer, widths):
        assert program.HEAD in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_width_checks_find_wrong_parametrisations_and_pass_right_ones():
    """Other seeds than those of the page; of 25 right networks more than four have an alarm in 0.5 % of all cases."""
    first_seed = widths.FIRST_SEED + 100_000
    passed = widths.checked(widths.right(first_seed), 25, first_seed)
    assert sum(network.false_alarms > 0 for network in passed) <= 4
    failed = widths.checked(widths.wrong(first_seed + 1), 25, first_seed + 10_000)
    assert all(network.is_found for network in failed)

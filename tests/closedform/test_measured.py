"""Tests of the one type of a measured number: its verdict, what it keeps, and what it writes into files."""

from __future__ import annotations

import copy
import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import bridge
from bridge.results.quantity import Quantity, words
from bridge.statistics.arrays import nested_mean
from closedform.decisive import decisive
from closedform.measured import Measured, to_rows
from closedform.verdicts import AGREES, BLUNT, DISAGREES, FOR, LESS


class Unshowable:
    def __str__(self):
        raise RuntimeError("this object has no text")

    __repr__ = __str__


def one(value=0.5, error=0.01, *, predicted=0.5, resolution=0.06, **fields):
    return Measured(
        "a.number", "a network", value, error, predicted=predicted, resolution=resolution, **fields
    )


@pytest.mark.parametrize(
    ("relation", "value", "verdict"),
    [
        ("<", -1.0, AGREES),  # ten standard errors below the bound
        ("<", 1.0, DISAGREES),
        (">", 1.0, AGREES),
        (">", -1.0, DISAGREES),
        ("<", -0.15, BLUNT),  # 1.5 standard errors
        (">", -0.15, BLUNT),
        ("=", -1.0, DISAGREES),
        ("=", 0.15, AGREES),
        ("=", 0.19, AGREES),
    ],
)
def test_the_verdict(relation, value, verdict):
    number = one(value, 0.1, predicted=0.0, resolution=0.5, relation=relation)
    assert number.verdict == verdict
    assert number.why.startswith(f"{verdict}: ")
    assert number.prediction == ("0" if relation == "=" else f"{relation} 0")


def test_a_bound_says_what_it_needs():
    number = one(0.7, 0.05, relation=">")
    assert (
        number.why == "agrees: 4.0 standard errors above 0.5; agreement needs more than 2.0 above"
    )


@pytest.mark.parametrize("n", [2, 5, 40, None])
def test_limit_and_verdict_are_those_of_a_comparison(n, rng):
    """Two routes: the array code of `bridge.compare`, and Student's t of scipy.stats."""
    tail = stats.norm.sf(2)
    limit = 2.0 if n is None else stats.t.isf(tail, n - 1)
    for _ in range(20):
        value, error, resolution = rng.normal(), rng.exponential(), rng.exponential()
        comparison = bridge.compare(0.3, value, error=error, repetitions=n, resolution=resolution)
        number = comparison.of("a.number", "x")
        assert number.limit == pytest.approx(limit, rel=1e-9)
        assert number.verdict == comparison.verdict
        assert number.z == pytest.approx(comparison.z, rel=1e-3)


def test_rounding_decides_no_verdict():
    """A deviation far below the sixth digit counts where the error is smaller still."""
    sharp = one(1.0000001, 1e-9, predicted=1.0, resolution=1e-3)
    assert sharp.verdict == LESS
    assert one(1 / 3, 0.01).value == 0.333333


def test_without_prediction_or_error_there_is_no_verdict():
    assert one(predicted=None, resolution=None).verdict == ""
    assert one(0.4, None).verdict == ""
    assert one(0.5, None).verdict == AGREES  # a count that is the same in all repetitions
    assert one(0.5, None, relation=">").verdict == ""
    assert math.isnan(one(0.4, None).z)


def test_a_number_without_an_error_that_is_in_doubt_is_too_blunt():
    doubtful = one(0.5, None, doubt="a few carry it")
    assert (doubtful.verdict, doubtful.why) == (BLUNT, f"{BLUNT}: a few carry it")
    assert one(0.4, None, predicted=None, resolution=None, doubt="a few carry it").verdict == ""
    assert Measured.from_json(doubtful.as_json()) == doubtful


@pytest.mark.parametrize("sign", [1, -1])
def test_the_mean_of_skewed_repetitions_says_so(sign):
    values = sign * np.array([1.0, 1.1, 0.9, 1.2, 1.0, 0.8, 1.1, 1.0, 0.9, 9.0])
    number = Measured.mean("q", "l", values, sign * 2.0)
    apart = values - values.mean()
    shift = 1.5 * abs((apart**3).mean()) / (apart**2).mean() ** 1.5 / math.sqrt(10)
    side = "above" if sign > 0 else "below"
    assert f"may lie {shift:.1f} errors further {side} than its error says" in number.why
    assert number.verdict == replace(number, doubt="").verdict
    assert Measured.mean("q", "l", values[:-1], sign * 2.0).doubt == ""
    assert Measured.mean("q", "l", values[3:], sign * 2.0).doubt == ""  # seven cannot show it


def test_normal_repetitions_are_hardly_ever_skewed(rng):
    """The limit is 3.5 standard deviations of the skewness; 1 in 400 sets of 20 numbers exceeds it."""
    doubts = [Measured.mean("q", "l", rng.normal(size=20)).doubt for _ in range(400)]
    assert sum(map(bool, doubts)) <= 6
    skewed = [Measured.mean("q", "l", rng.lognormal(size=50)).doubt for _ in range(100)]
    assert sum(map(bool, skewed)) > 75


def test_what_the_paper_states_takes_the_place_of_the_prediction():
    number = one(0.7, predicted=None, resolution=None, n=3)
    assert number.against(0.753).verdict == DISAGREES
    assert number.against(0.71).verdict == AGREES
    assert number.against(0.65, ">").verdict == AGREES
    assert number.against(0.72, resolution=0.01).verdict == BLUNT
    fixed = one(3.0, 1e-7, predicted=2.0, prediction_error=0.123457)
    assert fixed.against(2.9).prediction_error == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": math.nan}, "value of a.number, a network: got nan, needs a finite number"),
        ({"error": -1.0}, "error of .*: got -1.0"),
        ({"n": 1}, "n: got 1.0, needs at least 2"),
        ({"relation": "≤"}, "relation: got '≤'"),
        ({"resolution": 0.0}, "resolution: got 0.0, needs a positive number"),
        (
            {"predicted": 0.0, "resolution": None},
            "resolution: got none, needs the smallest relevant deviation",
        ),
        ({"among": 0}, "among: got 0"),
        ({"value": None}, "value of a.number, a network: got None"),
        ({"quantity": Unshowable()}, "quantity: got Unshowable, needs text"),
        ({"relation": xr.Dataset({"a": ("x", [1.0])})}, "relation: got"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        replace(one(), **change)


def test_a_file_has_the_fields_that_differ_from_their_defaults():
    number = one(0.52, 0.012, n=5)
    saved = json.loads(json.dumps(number.as_json()))
    assert saved == {
        "quantity": "a.number", "label": "a network", "value": 0.52, "error": 0.012, "n": 5, "predicted": 0.5,
        "resolution": 0.06,
    }  # fmt: skip
    assert Measured.from_json(saved) == number


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        ({"label": "a", "value": 1.0}, "got no field 'quantity'"),
        (None, "measured number: got no field"),
        ({"quantity": "q", "label": "a", "value": 1.0, "colour": 1}, "got the field 'colour'"),
        ({"quantity": "q", "label": "a", "value": "1"}, "value: got '1', needs a number"),
        ({"quantity": "q", "label": "a", "value": True}, "value: got True, needs a number"),
        ({"quantity": ["q"], "label": "a", "value": 1.0}, "quantity: got .* needs a text"),
    ],
)
def test_a_file_of_another_form_is_refused(saved, message):
    with pytest.raises(ValueError, match=message):
        Measured.from_json(saved)


def test_the_mean_over_repetitions():
    number = Measured.mean("a.number", "x", [1.0, 2.0, np.nan, 3.0])
    assert (number.value, number.n) == (2.0, 3)
    assert number.error == pytest.approx(1 / 3**0.5, rel=1e-5)
    assert Measured.mean("a.number", "x", [1.0]).error is None
    assert str(number) == "a.number, x: 2 ± 0.58"
    assert Measured.mean("a.number", "x", [np.nan]) is None
    assert Measured.mean("a.number", "x", [1.0, 2.0, 3.0], 2.0, resolution=3.0).verdict == AGREES
    assert Measured.mean("a.number", "x", [1.0, 1.1, 0.9], 2.0, ">").verdict == DISAGREES


def test_repetitions_that_are_equal_up_to_rounding_determine_no_error():
    same = 0.1 + np.array([0, 1, 2]) * 1e-17 + np.array([1, 0, 0]) * np.spacing(0.1)
    assert Measured.mean("a.number", "x", same, 0.2).verdict == ""
    assert Measured.mean("a.number", "x", same, 0.1).verdict == AGREES
    counts = 2.0**50 + np.arange(3)  # apart by less than rounding of other numbers of this size
    assert Measured.mean("a.number", "x", counts).error == pytest.approx(1 / 3**0.5)


@pytest.mark.slow
def test_a_statement_about_many_has_the_joint_limit():
    """Of eight correct numbers, one is beyond two standard errors in a third of the cases."""
    rng = np.random.default_rng(8)
    verdicts = []
    for errors in rng.normal(scale=0.01, size=(500, 8)):
        numbers = [one(0.5 + error, resolution=1e-9) for error in errors]
        verdicts.append(decisive(numbers).verdict)
    assert verdicts.count(DISAGREES) / len(verdicts) == pytest.approx(0.0455, abs=0.028)


def test_the_least_certain_number_decides_where_none_contradicts():
    assert decisive([one(0.51), one(0.51, 0.1)]).verdict == BLUNT
    assert decisive([one(0.51), one(0.5, 0.001)]).verdict == AGREES
    far = decisive([one(0.4), one(0.5, 0.1)])
    assert (far.verdict, far.value, far.among) == (DISAGREES, 0.4, 2)


def test_the_number_nearest_to_its_bound_decides_whatever_a_tenth_of_the_bound_is():
    near, far = (
        one(v, 0.02, predicted=p, resolution=None, relation=">")
        for v, p in ((0.6, 0.5), (1.0, 0.0))
    )
    assert decisive([near, far]).value == 0.6


def test_numbers_without_a_verdict_decide_nothing():
    for numbers in ([], [one(predicted=None, resolution=None)]):
        with pytest.raises(
            ValueError, match=r"measured: got .* needs at least one, all with a prediction"
        ):
            decisive(numbers)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ((0.5, 0.5, 0.9), AGREES),
        ((0.5, 0.9, 0.9), DISAGREES),
        ((0.5, 0.9), DISAGREES),
        ((0.5, 0.5, 0.5), AGREES),
    ],
)
def test_most_is_more_than_half(values, verdict):
    assert decisive([one(value) for value in values], "most").verdict == verdict


def test_most_leaves_out_no_number_that_is_just_the_predicted_one():
    exact = Measured("a.number", "x", 0.5, 0.0, 3, 0.5)
    assert decisive([exact, exact, one(0.9)], "most").verdict == AGREES
    assert decisive([exact, one(0.9), one(0.9)], "most").verdict == DISAGREES


@pytest.mark.parametrize(
    ("values", "holds", "verdict"),
    [
        ((0.1, 0.3, 0.45), "approaches", AGREES),
        ((0.9, 0.7, 0.45), "approaches", AGREES),
        ((0.45, 0.3, 0.1), "approaches", DISAGREES),
        ((0.45, 0.3, 0.46), "approaches", BLUNT),
        ((0.1, 0.3, 0.45), "from below", AGREES),
        ((0.1, 0.6, 0.45), "from below", DISAGREES),  # nearer at last, but above on the way
        ((0.1, 0.3, 0.45), "from above", DISAGREES),
        ((0.9, 0.6, 0.5), "from above", AGREES),
    ],
)
def test_an_approach_compares_the_last_number_with_the_first(values, holds, verdict):
    assert decisive([one(value) for value in values], holds).verdict == verdict


def test_a_difference_within_the_resolution_is_less_than_matters():
    assert one(0.53).verdict == LESS
    assert one(0.53).why.startswith(f"{LESS}: off by +0.03")
    assert one(0.53, resolution=0.04).verdict == DISAGREES
    assert decisive([one(0.53), one()]).verdict in FOR
    assert bridge.compare([0.5, 0.5], [0.53, 0.5], error=0.01, resolution=0.06).overall == LESS


def test_a_quantity_is_its_identifier_and_knows_its_meaning():
    quantity = Quantity("a.number", "a number, in units")
    assert quantity.name == "number"
    assert quantity == "a.number"
    assert words(quantity) == "a number, in units"
    for copied in (copy.deepcopy(quantity), pickle.loads(pickle.dumps(quantity))):
        assert (copied, copied.meaning) == (quantity, quantity.meaning)
    assert words("nobody.announces_this") == "nobody.announces_this"
    (row,) = to_rows([replace(one(), quantity=quantity)])
    assert row["quantity"] == "a.number"
    for wrong in (("number", "x"), ("a.", "x"), ("a.b", "")):
        with pytest.raises(ValueError, match="quantity: got"):
            Quantity(*wrong)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (16_384, None, "16,384"),
        (12_544, 120, "12,544 ± 120"),
        (9_999.6, 3.14159, "10,000 ± 3.1"),
        (-43_210.7, 99.7, "-43,211 ± 100"),
        (999_999.6, None, "1e+06"),
        (1234.56, 0.00123, "1235 ± 0.0012"),
        (0.123456, 0.0123, "0.1235 ± 0.012"),
    ],
)
def test_numbers_below_a_million_are_shown_without_a_power_of_ten(value, error, text):
    one = Measured("a.b", "", value, error, predicted=value, relation=">", resolution=1.0)
    assert (one.text, one.prediction) == (text, f"> {text.partition(' ')[0]}")


@pytest.mark.parametrize(
    ("value", "predicted", "verdict"),
    [
        (1_234_567, 1_234_568, ""),  # the same to six digits
        (1_234_567, 1_234_567, AGREES),
        (0.1234567, 0.123457, ""),
        (1e12 + 0.25, 1e12 + 0.75, ""),
        (5e-324, 1e-323, ""),
        (np.int64(2**53), 2**53, AGREES),
        (Fraction(1, 3), 1 / 3, AGREES),
        (0.1 + 0.2, 0.3, AGREES),  # but for rounding
    ],
)
def test_numbers_without_an_error_are_judged_as_they_were_given(value, predicted, verdict):
    assert one(value, None, predicted=predicted).verdict == verdict
    assert one(value, None, predicted=None).against(predicted).verdict == verdict
    assert Measured.mean("a.number", "x", [value] * 3, predicted).verdict == verdict


@pytest.mark.parametrize("size", [2.0**-1060, 1e-170, 1.0, 1e170, 2.0**1020])
def test_repetitions_of_any_size_have_an_error(size):
    repetitions = size * np.array([1.0, 2.0, 3.0])
    number = Measured.mean("a.number", "x", repetitions, 5 * size)
    assert number.error / size == pytest.approx(1 / 3**0.5, rel=1e-3)
    assert number.verdict == bridge.compare(5 * size, repetitions).verdict == DISAGREES
    assert bridge.compare([1.0, 5 * size], [[1.0, 1.1, 1.2], repetitions]).verdict[1] == DISAGREES


@pytest.mark.parametrize(
    ("offset", "step"), [(1e15, 100.0), (1e15, 1.0), (1e12, 0.125), (1e8, 1e-5)]
)
def test_scatter_far_below_an_offset_is_scatter(offset, step):
    repetitions, predicted = offset + step * np.arange(3), offset + 1000 * step
    assert (
        Measured.mean("a.number", "x", repetitions, predicted, resolution=step).verdict
        == DISAGREES
    )
    assert bridge.compare(predicted, repetitions, resolution=step).verdict == DISAGREES


def test_the_largest_numbers_are_compared():
    largest = 1.7e308
    assert one(largest, largest, n=2, predicted=-largest).verdict == BLUNT
    assert one(largest, 1.0, predicted=-largest, resolution=1.0).verdict == DISAGREES
    assert bridge.compare(-largest, largest, error=1.0).verdict == DISAGREES


@pytest.mark.parametrize(
    ("repetitions", "kind"),
    [
        ([1 + 5j, 2 - 3j], TypeError),
        ([True, False], TypeError),
        (["1", "2"], TypeError),
        ([2**53 + 1, 2**53 + 3], ValueError),
        ([Fraction(2**53 + 1), 1], ValueError),
        ([10**400, 1], ValueError),
    ],
)
def test_repetitions_that_float64_does_not_hold_are_refused(repetitions, kind):
    with pytest.raises(kind, match=r"^repetitions: got"):
        Measured.mean("a.number", "x", repetitions, 1.5)
    with pytest.raises(kind, match=r"^measurement: got"):
        bridge.compare(1.5, repetitions)
    with pytest.raises(kind, match=r"^value of a\.number, a network: got"):
        one(repetitions[0])


def test_a_number_that_float64_takes_for_zero_is_refused():
    with pytest.raises(ValueError, match=r"^value of .*: got a number below the range of float64"):
        one(Fraction(1, 10**400), predicted=Fraction(2, 10**400))


def test_networks_of_any_size_have_an_error():
    """And those that are equal up to rounding have none."""
    for size in (1e-170, 1.0, 1e170):
        found = nested_mean(size * np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]))
        assert found.error / size == pytest.approx(1 / 3**0.5)
    same = nested_mean(0.1 + np.spacing(0.1) * np.array([[0.0], [1.0], [1.0]]))
    assert same.of("a.number", "x").error == 0


def test_repetitions_that_are_all_one_number_beyond_a_bound_agree():
    found = Measured.mean("a.number", "x", [1.0, 1.0, 1.0])
    assert found.against(0.95, ">").verdict == AGREES
    assert found.against(0.95, "<").verdict == found.against(1.0, ">").verdict == ""
    single = Measured.mean("a.number", "x", [1.0])
    assert single.against(0.95, ">").verdict == ""


def test_two_measurements_join_to_that_of_all_repetitions(rng):
    first, second = rng.normal(size=5), 0.3 + rng.normal(size=9)
    numbers = [Measured.mean("a.b", "c", values, 0.5) for values in (first, second)]
    both = Measured.mean("a.b", "c", np.append(first, second), 0.5)
    joined = numbers[0].joined(numbers[1])
    assert joined.n == 14
    assert (joined.value, joined.error) == pytest.approx((both.value, both.error), rel=1e-5)
    assert (joined.repetitions, joined.counted) == (None, 14)
    few = replace(numbers[0], n=numbers[0].n - 0.5, repetitions=int(numbers[0].n))
    assert few.joined(numbers[1]).n == 13.5
    assert few.joined(numbers[1]).counted == 14


@pytest.mark.parametrize(
    "other",
    [
        Measured("a.b", "d", 1.0, 0.1, 4, 0.5),
        Measured("a.b", "c", 1.0, 0.1, 4, 0.6),
        Measured("a.b", "c", 1.0, 0.1, 4, 0.5, ">"),
        Measured("a.b", "c", 1.0, 0.1, predicted=0.5),  # of a known error
        Measured("a.b", "c", 1.0),
    ],
)
def test_what_is_not_of_one_kind_does_not_join(other):
    number = Measured("a.b", "c", 1.0, 0.1, 4, 0.5)
    assert number.joined(other) is None
    assert number.joined(replace(number, value=2.0)) is not None

"""Tests that every fixed point is found with all digits, and that stability along the axis implies it across."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.marks import slow
from theory.compression import Stripes, attractors
from theory.compression.fixed_points import fixed_point_function

SINGLE = Stripes(("-0.3", "1.18549233272"))
CASES = {
    "single stripe": SINGLE,
    "two stripes": Stripes((-1.0, -0.2, 0.5, 1.3)),
    "one boundary": Stripes((0.5,), leftmost=-1),
    "thin far stripe": Stripes((2.0, 2.3)),
    "nearly balanced": Stripes((-0.4, 0.5, 1.7)),
}
FLOAT = 1e-12  # what float64 promises
# points between -8 and 8; zeros of random labels are further apart than 4e-4
FINE, COARSE = (200_001, 40_001)
REACH = 250.0  # beyond the far fixed point of the thin stripe in ten dimensions, at 190


def scanned(labels, dimension, side, points=FINE):
    """Sign changes of the fixed-point function on a grid: dense where there are boundaries, coarse far out."""
    grid = np.concatenate(
        [np.linspace(-REACH, -8, 4000), np.linspace(-8, 8, points), np.linspace(8, REACH, 4000)]
    )
    values = fixed_point_function(labels, dimension, grid, side)
    # further out it is zero to rounding
    crossing = (values[1:] * values[:-1] < 0) & (np.abs(values[1:]) > 1e-13)
    return grid[1:][crossing]


def by_quadrature(labels, at, side):
    """C_b and C_1 from their definition, 30 digits."""
    edges = [
        mpmath.mpf(at),
        *(e for e in map(mpmath.mpmathify, labels.boundaries) if (e - at) * side > 0),
    ]
    edges = [*sorted(edges), mpmath.inf] if side > 0 else [-mpmath.inf, *sorted(edges)]
    totals = [mpmath.mpf(0), mpmath.mpf(0)]
    for low, high in itertools.pairwise(edges):
        inside = (
            (low + high) / 2
            if mpmath.isfinite(low + high)
            else (high - 1 if mpmath.isinf(low) else low + 1)
        )
        y = int(labels(float(inside)))
        for power in (0, 1):
            totals[power] += y * mpmath.quad(
                lambda x, k=power: x**k * mpmath.npdf(x), [low, inside, high]
            )
    return totals


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dimension", [2, *slow(5), 10])
@pytest.mark.parametrize("name", CASES)
def test_none_is_missed(name, dimension):
    labels = CASES[name]
    found = attractors(labels, dimension)
    for side in (+1, -1):
        mine = np.array([each.position for each in found if each.side == side])
        grid = scanned(labels, dimension, side)
        assert len(mine) == len(grid)
        assert np.all(np.abs(mine - grid) < 0.07)  # the step of the coarse grid
    assert any(each.stable for each in found)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    places=st.lists(st.floats(-2.5, 2.5), min_size=1, max_size=5, unique=True),
    leftmost=st.sampled_from([1, -1]),
    dimension=st.integers(2, 12),
)
def test_none_is_missed_for_any_labels(places, leftmost, dimension):
    places = sorted(places)
    if len(places) > 1 and np.diff(places).min() < 0.02:  # two zeros closer than the grid
        places = places[:1]
    labels = Stripes(tuple(places), leftmost)
    for side in (+1, -1):
        mine = [each.position for each in attractors(labels, dimension) if each.side == side]
        for crossing in scanned(labels, dimension, side, COARSE):
            assert min(abs(crossing - at) for at in mine) < 0.07


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dimension", [2, 5, 10])
@pytest.mark.parametrize("name", CASES)
def test_float64_against_25_digits(name, dimension):
    found, exactly = (attractors(CASES[name], dimension, digits=n) for n in (None, 25))
    for quick, precise in zip(found, exactly, strict=True):
        for field in ("position", "c_parallel", "d_perp", "growth_time"):
            exact = float(getattr(precise, field))
            assert abs(getattr(quick, field) - exact) <= FLOAT * max(1.0, abs(exact)), field
        assert (quick.stable, quick.side, quick.c_perp) == (
            precise.stable,
            precise.side,
            precise.c_perp,
        )


@pytest.mark.parametrize("name", CASES)
def test_digits_are_those_that_are_asked_for(name):
    fewer, more = (attractors(CASES[name], 5, digits=digits) for digits in (20, 50))
    with mpmath.workdps(50):
        for short, long in zip(fewer, more, strict=True):
            for field in ("position", "c_parallel", "slope", "growth_time", "d_perp"):
                value = getattr(long, field)
                assert abs(getattr(short, field) - value) <= mpmath.mpf(10) ** -20 * abs(value)


@pytest.mark.parametrize("digits", [0, -3, 2.5, True, "many", 10**6])
def test_other_digits_are_refused(digits):
    with pytest.raises((TypeError, ValueError), match="digits: got"):
        attractors(SINGLE, 5, digits=digits)


@pytest.mark.parametrize("name", ["single stripe", *slow("two stripes")])
def test_the_constants_are_the_integrals_that_define_them(name):
    with mpmath.workdps(30):
        for each in attractors(CASES[name], 5, digits=28):
            c_bias, c_parallel = by_quadrature(CASES[name], each.position, each.side)
            assert abs(each.c_bias - c_bias) < 1e-20
            assert abs(each.c_parallel - c_parallel) < 1e-20
            assert abs(5 * c_bias + each.position * c_parallel) < 1e-20
            assert abs(each.d_perp - mpmath.ncdf(-each.side * each.position)) < 1e-25


@given(
    places=st.lists(st.floats(-3, 3), min_size=1, max_size=6, unique=True),
    leftmost=st.sampled_from([1, -1]),
    dimension=st.integers(2, 20),
)
def test_stable_along_the_axis_implies_stable_across_it(places, leftmost, dimension):
    for each in attractors(Stripes(tuple(sorted(places)), leftmost), dimension):
        if each.stable:
            assert each.current > 0
            assert each.amplification > 0


def test_symmetric_stripes():
    """Equiprobable: the centre, from both sides. Unbalanced: none, and neurons follow their bias for ever."""
    half = 0.6744897501960817
    assert [
        (each.position, each.side, each.stable) for each in attractors(Stripes((-half, half)), 5)
    ] == [
        (0.0, +1, True),
        (0.0, -1, True),
    ]
    assert attractors(Stripes((-0.3, 0.3)), 5) == ()


@pytest.mark.slow
@pytest.mark.parametrize("place", [*slow(6.0), 11.9])
def test_a_boundary_far_out_has_a_fixed_point_beside_it_and_one_far_away(place):
    """Where float64 has lost the absolute size of the fixed-point function; the oracle bisects at 80 digits."""
    near, far = attractors(Stripes((place,)), 5)
    with mpmath.workdps(80):
        sums = {
            power: lambda z, k=power: mpmath.ncdf(-z) if k == 0 else mpmath.npdf(z)
            for power in (0, 1)
        }

        def value(z):
            return 5 * (sums[0](z) - 2 * sums[0](place)) + z * (sums[1](z) - 2 * sums[1](place))

        exact = mpmath.findroot(
            value,
            (place - 0.5, place - 1e-9),
            solver="ridder",
            tol=1e-200,
            maxsteps=400,
            verify=False,
        )
        balance = 5 * (1 - 2 * mpmath.ncdf(-place)) / (2 * mpmath.npdf(place))
    assert (near.side, near.stable, far.side, far.stable) == (1, True, -1, True)
    assert abs(near.position / exact - 1) < FLOAT
    assert abs(far.position / balance - 1) < FLOAT


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: Stripes(()), ValueError, "boundaries: got shape .*, needs at least one number"),
        (lambda: Stripes((1.0, 0.0)), ValueError, "increasing"),
        (lambda: Stripes((0.0, 0.0)), ValueError, "increasing"),
        (lambda: Stripes((float("nan"),)), ValueError, "finite"),
        (lambda: Stripes("0.3"), ValueError, "boundaries: got shape .*, needs 1 dimension"),
        (lambda: Stripes((0.3,), leftmost=0), ValueError, "leftmost"),
        (
            lambda: Stripes(("a",)),
            ValueError,
            "boundaries: got .*'a'.*, needs a finite real number",
        ),
        (lambda: SINGLE([np.inf]), ValueError, "finite"),
        (lambda: attractors((0.3,), 5), TypeError, "labels"),
        (lambda: attractors(SINGLE, 1), ValueError, "dimension"),
        (lambda: attractors(SINGLE, 2.5), TypeError, "dimension"),
        (lambda: attractors(Stripes((0.0, 13.0)), 5), ValueError, "labels: got a boundary at 13"),
    ],
)
def test_bad_input(make, error, said):
    with pytest.raises(error, match=said):
        make()

"""Tests of attractors for labels in shells: their integrals from the definition, all fixed points, a trained neuron."""

import math

import mpmath
import numpy as np
import pytest

from theory.compression import Shells, Stripes, attractors
from theory.compression.fixed_points import fixed_point_function
from theory.compression.precise_attractors import integrals

CYLINDER = Shells.equiprobable(2)
THREE = Shells((0.8, 1.4, 2.2), 2)
SLOW_CASES = [(Shells((1.1774,), 2), 3), (CYLINDER, 10), (THREE, 3), (Shells((1.5, 2.5), 5), 8)]
CASES = [
    (CYLINDER, 3),
    (Shells((0.6, 1.9), 3, 1), 7),
    *(pytest.param(*c, marks=pytest.mark.slow) for c in SLOW_CASES),
]
FLOAT = 1e-10  # what float64 promises
REACH = 12.0  # further out the function has its limit


# Of the unit sphere in n dimensions: the share beyond a plane at c, and the mean height there times that share.
CAPS = {
    2: (lambda c: mpmath.acos(c) / mpmath.pi, lambda c: mpmath.sqrt(1 - c * c) / mpmath.pi),
    3: (lambda c: (1 - c) / 2, lambda c: (1 - c * c) / 4),
    5: (lambda c: (2 - 3 * c + c**3) / 4, lambda c: 3 * (1 - c * c) ** 2 / 16),
}


def by_spheres(labels, at):
    """C_b and C_1 of side +1 as integrals over the distance from the axis, 20 digits."""
    n, totals = labels.d_parallel, [mpmath.mpf(0), mpmath.mpf(0)]
    norm = mpmath.mpf(2) ** (mpmath.mpf(n) / 2 - 1) * mpmath.gamma(mpmath.mpf(n) / 2)
    edges = sorted(
        {mpmath.mpf(0), *map(mpmath.mpf, labels.radii), abs(mpmath.mpf(at)), mpmath.mpf(9)}
    )
    for low, high in zip(edges, [*edges[1:], mpmath.inf], strict=True):
        inside = min((low + high) / 2, low + 1)
        y = int(labels([float(inside), *[0.0] * (n - 1)]))
        for power, cap in enumerate(CAPS[n]):
            totals[power] += y * mpmath.quad(
                lambda r, k=power, cap=cap: (
                    r ** (n - 1 + k) * mpmath.exp(-r * r / 2) / norm * cap(max(-1, min(1, at / r)))
                ),
                [low, inside, high],
            )
    return totals


@pytest.mark.parametrize(
    "labels", [CYLINDER, THREE, Shells((0.6, 1.9), 3, 1), Shells((1.0, 2.0, 2.5), 5)]
)
def test_the_constants_are_the_integrals_that_define_them(labels):
    with mpmath.workdps(22):
        for at in (-2.3, 0.4):
            exact = by_spheres(labels, at)
            precise = integrals(labels, at, +1)
            quick = (
                labels.c_bias(at, 1),
                labels.c_parallel(at, 1),
                labels.boundary_current(at, 1),
                labels.label_at(at),
            )
            assert all(abs(a - b) < 1e-18 for a, b in zip(exact, precise, strict=False))
            assert all(abs(a - b) < 1e-14 for a, b in zip(quick, precise, strict=True))
            h = mpmath.mpf(10) ** -8  # the slope of C_b is minus the mean label times the density
            slope = (integrals(labels, at + h, 1)[0] - integrals(labels, at - h, 1)[0]) / (2 * h)
            assert abs(slope + precise[3] * mpmath.npdf(at)) < 1e-12
            mirrored = integrals(labels, -at, -1)
            assert all(
                abs(a - s * b) < 1e-20
                for a, b, s in zip(precise, mirrored, (1, -1, -1, 1), strict=True)
            )


@pytest.mark.parametrize(("labels", "dimension"), CASES)
def test_all_fixed_points_are_found_with_all_digits(labels, dimension):
    grid = np.linspace(-REACH, REACH, 1501) + 1e-3
    found = attractors(labels, dimension)
    precise = attractors(labels, dimension, digits=25)
    for side in (+1, -1):
        values = fixed_point_function(labels, dimension, grid, side)
        crossing = grid[1:][(values[1:] * values[:-1] < 0) & (np.abs(values[1:]) > 1e-13)]
        mine = np.array([each.position for each in found if each.side == side])
        assert len(mine) == len(crossing)
        assert np.all(np.abs(mine - crossing) < 0.016)  # the step of the grid
    for quick, exact in zip(found, precise, strict=True):
        assert (quick.stable, quick.side) == (exact.stable, exact.side)
        for field in ("position", "c_parallel", "c_perp", "d_perp", "growth_time"):
            value = getattr(exact, field)
            assert abs(getattr(quick, field) - value) <= FLOAT * max(abs(value), 1e-6), field


def test_the_cylinder_of_the_paper():
    """Equiprobable: the hyperplanes of neurons go through the axis, and there more points are inside than outside."""
    first, second = attractors(CYLINDER, 3)
    assert (first.position, first.side, first.stable, second.side) == (0.0, 1, True, -1)
    radius2 = 2 * math.log(2)  # half of the points are inside, by the distribution of Rayleigh
    current = math.exp(-radius2 / 2) * math.sqrt(radius2) * 2 / math.pi
    label = 1 - 2 * math.erf(math.sqrt(radius2 / 2))
    assert first.current == pytest.approx(current, rel=1e-13)
    assert first.c_perp == pytest.approx(label, rel=1e-13)
    assert first.c_parallel == pytest.approx(current + label / math.sqrt(2 * math.pi), rel=1e-13)
    assert first.amplification == pytest.approx(current * math.sqrt(2), rel=1e-13)


def test_one_informative_direction_has_the_attractors_of_stripes():
    assert attractors(Shells((0.8, 1.4), 1), 3) == attractors(
        Stripes((-1.4, -0.8, 0.8, 1.4), -1), 3
    )


@pytest.mark.slow
def test_a_neuron_on_a_training_set_settles_where_predicted_with_the_predicted_response(rng):
    """Eq. (4) on points of a cylinder: the hyperplane, and the perpendicular weight for the fluctuation of the set."""
    labels, points = Shells((1.0,), 2), 100_000
    x = rng.normal(size=(points, 3))
    y = labels(x[:, :2])
    attractor = next(each for each in attractors(labels, 3) if each.stable and each.side == 1)
    state = np.array([1.0, 0.5, 0.3, 0.0, 1.0])  # weights, bias, output weight
    for _ in range(2500):
        active = y * (x @ state[:3] + math.sqrt(3) * state[3] > 0)
        forces = np.append(active @ x, math.sqrt(3) * active.sum()) / points
        state = state + 0.05 * np.append(state[4] * forces, forces @ state[:4])
        state /= abs(state[4])
    size = np.linalg.norm(state[:2])
    assert -math.sqrt(3) * state[3] / size == pytest.approx(attractor.position, abs=0.02)
    # without the perpendicular weight
    along = y * (x[:, :2] @ state[:2] + math.sqrt(3) * state[3] > 0)
    fluctuation = along @ x[:, 2] / points
    assert abs(fluctuation) < 4 * math.sqrt(attractor.d_perp / points)
    # C_1 for J: off by 2
    assert state[2] / size == pytest.approx(fluctuation / attractor.current, rel=0.3)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: attractors(CYLINDER, 2), "dimension"),
        (lambda: attractors(Shells((13.0,), 2), 3), "labels: got the radii"),
        (lambda: attractors(Shells((1e-40,), 2), 3), "labels: got the radii"),
        (lambda: attractors(Shells((40.0,), 1500), 1501), "labels: got 1500 informative"),
        (lambda: CYLINDER.label_at([0.1, 0.2]), "size 1"),
        (lambda: CYLINDER.label_at("x"), "zeta: got"),
    ],
)
def test_bad_input(make, said):
    with pytest.raises(ValueError, match=said):
        make()

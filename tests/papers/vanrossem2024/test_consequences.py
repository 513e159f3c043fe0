"""Tests of what the ledger warns of: consequences in words, which no program of an entry reads."""

import numpy as np
import pytest

from papers.vanrossem2024.ledger import flows, rest, size_and_depth
from papers.vanrossem2024.ledger.explicit_matrices import TwoPoints

ONES = dict.fromkeys(flows.CONSTANTS, 1.0)


@pytest.mark.parametrize("dh2", [0.3, 1.0, 4.0])
def test_eq_7_rests_on_a_line_of_states(dh2):
    """4.1 only one."""
    constants = {**ONES, "target2": 1.7}
    assert flows.rates_at((dh2, 1.7, 0.0), **constants) == (0.0, 0.0, 0.0)
    assert max(map(abs, flows.rates_at((dh2, 1.6, 0.0), **constants))) > 1e-3


def test_small_variables_have_large_velocities_where_the_decoder_is_strong():
    """3.2 small variables."""
    dh, decoder = 1e-3, 30.0
    dy = dh * decoder
    state = (dh**2, dy**2, dy**2 - dy)
    assert max(map(abs, state)) < 0.03
    assert max(map(abs, flows.rates_at(state, **ONES))) > 100


def test_the_initial_state_decides_which_final_distance_is_reached():
    """3 implementation details, and 4.2 unknowns: A_low has one unknown."""
    assert rest.final_number(100.0, 1.0) == pytest.approx(99, rel=1e-3)
    assert rest.final_number(1e-4, 1e-4) == pytest.approx(1)
    start = {"dh2_0": 1.0, "dy2_0": 1.0, "dx2": 2.0, "target2": 3.0}
    lows = [
        rest.with_letters({**start, "tau_h": tau, "tau_y": 2 * tau})["A_low"] for tau in (1.0, 7.0)
    ]
    assert lows[0] == pytest.approx(lows[1])


def test_pairs_with_nearly_equal_targets_are_the_last_to_become_structured():
    """(13)."""
    distances = [rest.final_number(1e-4, 1e-6, target2=target2) for target2 in (1.0, 1e-10)]
    assert distances[0] == pytest.approx(1.0, rel=1e-3)
    assert distances[1] > 5 * 1e-5


def test_larger_inputs_with_identical_targets_arrive_earlier():
    """C.3 larger inputs: weights 0.3 and 0.5, and the inputs at twice the distance."""
    times = []
    for distance in (1.0, 2.0):
        problem = TwoPoints(np.array([[0.0], [distance]]), np.zeros((2, 1)))
        weights = (np.zeros(1), np.array([[0.3]]), np.array([[0.5]]))
        grid = np.linspace(0, 30, 61)
        shares = [
            problem.state(at)[0] for at in problem.flow(weights, rest.TAUS_OF_EQ_6, grid)
        ] / problem.state(weights)[0]
        times.append(np.interp(-0.1, -shares, grid))
    assert times[1] < times[0] / 3


def test_between_equal_layers_identical_outputs_are_approached_algebraically():
    """(39)."""
    times, dh2, _ = rest.path(1.0, 1.0, 0.0, 3.0)
    np.testing.assert_allclose(dh2, 1 / (1 + times), rtol=1e-6)


def test_where_dh_turns_the_squared_area_comes_in_addition():
    """(10): weights across each other, of which dh2 = 2, and a decoder of squared length 3."""
    problem = TwoPoints(np.array([[0.0], [1.0]]), np.array([[0.0], [1.0]]))
    weights = (np.array([0.5]), np.sqrt([[2.0], [0.0]]), np.sqrt([[0.0, 3.0]]))
    end = problem.state(problem.flow(weights, rest.TAUS_OF_EQ_6, [30.0])[-1])[0]
    high, area = 2.0 - 3.0, 2.0 * 3.0
    assert end == pytest.approx(high / 2 + np.sqrt(high**2 / 4 + 1.0 + area), rel=1e-6)
    assert abs(end / rest.final_number(2.0, 0.0) - 1) > 1e-2


@pytest.mark.slow
def test_a_stronger_decoder_makes_a_plateau_that_grows_with_the_weights():
    """A.5 no plateau."""
    kept = [size_and_depth.share_kept(size, 5 * size, 0.7) for size in (2.0, 4.0)]
    assert 0.3 < kept[0] < kept[1] < np.sin(0.7) ** 2
    assert size_and_depth.share_kept(10.0, 2.0, 0.7) == 0.0


def test_before_the_middle_the_decoder_grows_faster():
    """A.5 scaling."""
    dh2, dy2 = size_and_depth.powers_of_weights("not halfway")
    assert dy2 - dh2 > dh2

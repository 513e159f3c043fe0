"""Maps: a planted boundary is found with few networks, the same map again, resumed, and on workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
import pytest

import bridge
from bridge.validity import single
from bridge.validity.axes import space
from bridge.validity.decision import decide
from bridge.validity.evaluation import FILE
from bridge.validity.prediction import as_prediction
from bridge.validity.region import LEVEL, SHARP
from bridge.validity.surface import REACH, Decided, Point


@dataclass(frozen=True)
class Planted:
    a: float = 1.0
    n: int = 50
    shape: str = "plain"


def bias(config):
    return 3.0 / config.n + 0.05 * config.a**4 * (0.2 if config.shape == "flat" else 1.0)


def biased(config, seed):
    """It is off by 3/n, and by a fourth power of a."""
    draw = np.random.default_rng([seed, round(config.a * 1000), config.n])
    return 1.0, 1 + bias(config) + SPREAD * draw.normal()


SPREAD = 0.05  # of single networks
OVER = {"a": (0.5, 2.0), "n": (10, 300)}
BUDGET = 240


@pytest.fixture(scope="module")
def region():
    return bridge.validity(biased, OVER, base=Planted(), budget=1200, progress=False)


def truth(region):
    values = [region.space.values(place) for place in region.space.lattice]
    return np.array([bias(Planted(**one)) < region.resolution for one in values])


def test_a_planted_boundary_is_found_and_every_place_rests_on_points_that_their_own_networks_decide(
    region,
):
    lattice = region.space.lattice
    known, holds = region.known(0, lattice), truth(region)
    assert region.stopped == "the boundary is known"
    assert np.isnan(known).mean() <= SHARP[2]
    assert ((known == 1) & ~holds).mean() + ((known == 0) & holds).mean() < 0.02
    decided = region.decided(0)
    apart = np.linalg.norm(lattice[:, None] - decided.places, axis=-1)
    nearest = decided.sides[apart.argmin(axis=1)]
    settled = ~np.isnan(known)
    assert (nearest[settled] == known[settled]).all()
    assert apart.min(axis=1)[settled].max() <= REACH[2]
    words = region.points["verdict"].isin(["holds", "fails"])
    assert words.sum() == len(decided.sides) >= 15
    # without its decided points a map knows nothing
    assert np.isnan(Decided(np.empty((0, 2)), np.empty(0)).nearest(lattice)[0]).all()


@pytest.mark.slow
def test_a_map_takes_a_quarter_of_the_networks_of_a_grid_that_is_as_sharp(region):
    """A grid leaves the cells that the boundary crosses undecided, and its points are decided in the same way."""
    claim = as_prediction(biased)
    for size in range(5, 100):
        grid = [
            [Planted(float(a), round(n)) for a in np.geomspace(0.5, 2, size)]
            for n in np.geomspace(10, 300, size)
        ]
        holds = np.array([[bias(one) < 0.1 for one in row] for row in grid])
        corners = holds[:-1, :-1], holds[1:, :-1], holds[:-1, 1:], holds[1:, 1:]
        if np.ptp(np.stack(corners).astype(int), axis=0).mean() <= SHARP[2]:
            break
    networks = sum(len(decide(claim, one, 0.1, LEVEL).measured) for row in grid for one in row)
    print(f"map {region.networks}, grid of {size} × {size} points {networks}")
    assert region.networks < networks / 4


def test_a_map_has_the_seeds_of_its_base():
    @dataclass(frozen=True)
    class Fresh(Planted):
        first_seed: int = 1000

    seeds = set()

    def noted(config, seed):
        seeds.add(seed)
        return biased(config, seed)

    found = bridge.validity(noted, {"a": (0.5, 2.0)}, base=Fresh(n=300), budget=60, progress=False)
    assert min(seeds) == 1000
    assert "networks with seeds from 1000 on" in found.sentences()[0]


def test_where_nine_networks_of_ten_agree_is_not_where_their_mean_does(region):
    """The share that agrees is known of planted normal deviations: 90 % up to a bias of 0.036, for 0.1 of the mean."""
    biases = np.array([bias(Planted(**region.space.values(p))) for p in region.space.lattice])
    normal = NormalDist(0, SPREAD)
    shares = np.array([normal.cdf(0.1 - b) - normal.cdf(-0.1 - b) for b in biases])
    of_ten = region.known_of_ten(0, region.space.lattice)
    decided = ~np.isnan(of_ten)
    assert ((of_ten == 1) != (shares > 0.9))[decided].mean() < 0.03
    assert (of_ten[shares < 0.5] == 0).all()  # far from nine of ten every place is decided
    by_mean = region.known(0, region.space.lattice)
    assert (
        (by_mean == 1) & (of_ten == 0)
    ).mean() > 0.05  # the mean holds, and single networks do not
    assert region.shares_of_ten[True] < region.shares[True]
    assert region.nine_of_ten(a=1.9, n=20) is False
    assert region.nine_of_ten(a=3.0, n=200) is None
    assert region.holds(a=1.0, n=200)
    assert region.nine_of_ten(a=1.0, n=200) is False


def test_networks_that_agree_are_counted_and_those_that_measure_nothing_are_left_out(region):
    measured = np.array([1.05, 0.95, 1.2, np.nan])
    point = Point({"a": 1.0, "n": 50}, np.ones(4), measured)
    assert single.count(region, point) == (2, 3, 4)
    above = replace(region, claim=replace(region.claim, relation=">", is_relative=False))
    assert single.count(above, point) == (2, 3, 4)
    below = replace(region, claim=replace(region.claim, relation="<", is_relative=False))
    assert single.count(below, point) == (1, 3, 4)
    counts = single.by_mean(region)
    assert sum(counted.networks for counted in counts.values()) == region.networks
    assert counts[True].share > 0.75 > 0.25 > counts[False].share


def test_a_map_answers_at_single_points_and_in_sentences(region):
    assert region.holds(a=0.7, n=200) is True
    assert region.holds(a=1.9, n=20) is False
    assert region.holds(a=3.0, n=200) is None
    assert region.claim.sentence in region.summary()
    assert "it holds on average within 10 %" in region.summary()
    assert "At n = 300: holds for a 0.5 to " in region.summary()
    simplest = region.counterexample
    assert bias(Planted(**simplest)) > 0.1
    assert {"a", "n", "deviation", "error", "seeds", "verdict"} <= set(region.points.columns)
    line = region.boundary.query("n == 300").iloc[0]
    assert line["below"]
    assert line["from"] < (0.1 / 0.05 - 3 / 300 / 0.05) ** 0.25 < line["to"]
    with pytest.raises(ValueError, match="point: got a, needs a, n"):
        region.holds(a=1.0)
    with pytest.raises(TypeError, match="a: got 'x'"):
        region.holds(a="x", n=20)


def same(first, second):
    return first.points.equals(second.points) and first.sentences() == second.sentences()


@pytest.mark.slow
def test_an_interrupted_map_is_continued_with_the_same_result(tmp_path):
    calls = []

    def interrupted(config, seed):
        calls.append(seed)
        if len(calls) == 100:
            raise KeyboardInterrupt
        return biased(config, seed)

    arguments = {"base": Planted(), "budget": BUDGET, "progress": False, "directory": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        bridge.validity(interrupted, OVER, **arguments)
    with (tmp_path / FILE).open("a", encoding="utf-8") as file:
        file.write('{"key": "half a li')
    kept = len(calls) - 1
    resumed = bridge.validity(interrupted, OVER, **arguments)
    whole = bridge.validity(biased, OVER, base=Planted(), budget=BUDGET, progress=False)
    assert same(resumed, whole)
    assert len(calls) - kept < BUDGET
    assert "the budget of 240 networks is spent" in whole.summary()
    with pytest.raises(ValueError, match="holds another map"):
        bridge.validity(interrupted, {"a": (0.5, 3.0)}, **arguments)


KILLED = """
import bridge
bridge.validity("two_point.final_distance", {"gain": (0.6, 1.4)}, budget=60, scheduler="local:2", directory=FOLDER)
"""


@pytest.mark.slow
def test_two_workers_that_are_killed_and_begin_again_make_the_same_map_as_this_process(tmp_path):
    arguments = {"over": {"gain": (0.6, 1.4)}, "budget": 60, "progress": False}
    here = bridge.validity("two_point.final_distance", **arguments)
    script = tmp_path / "killed.py"
    script.write_text(
        f"FOLDER = {str(tmp_path)!r}\nif __name__ == '__main__':\n{textwrap.indent(KILLED, '    ')}"
    )
    process = subprocess.Popen(
        [sys.executable, script], start_new_session=True, stderr=subprocess.DEVNULL
    )
    lines = tmp_path / FILE
    while process.poll() is None and not (
        lines.exists() and lines.read_text(encoding="utf-8").count("\n") >= 4
    ):
        time.sleep(0.05)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = lines.read_text(encoding="utf-8").count("\n")
    again = bridge.validity(
        "two_point.final_distance", scheduler="local:2", directory=tmp_path, **arguments
    )
    assert 4 <= kept < lines.read_text(encoding="utf-8").count("\n")
    assert same(again, here)


@pytest.mark.slow
def test_choices_are_panels():
    found = bridge.validity(
        biased,
        {"a": (0.5, 2.0), "shape": ("plain", "flat")},
        base=Planted(n=300),
        budget=900,
        progress=False,
    )
    assert found.holds(a=1.4, shape="plain") is False
    assert found.holds(a=1.4, shape="flat") is True
    assert len(found._figures()[0].axes) >= 2
    assert found.plot() is not None


def test_nothing_is_known_where_nothing_is_measured():
    def partly(config, seed):
        """Not measured below one."""
        return (1.0, np.nan) if config.a < 1 else biased(config, seed)

    found = bridge.validity(
        partly, {"a": (0.5, 2.0)}, base=Planted(n=300), budget=500, progress=False
    )
    assert found.holds(a=0.6) is None
    assert found.holds(a=1.9) is False
    assert "not measured" in set(found.points["verdict"])


def test_axes_are_logarithmic_where_positive_and_whole_for_integers():
    found = space({"a": (0.5, 2), "n": (10, 300), "shape": ("plain", "flat")}, Planted())
    assert [(axis.name, axis.is_log, axis.whole) for axis in found.axes] == [
        ("a", True, False),
        ("n", True, True),
    ]
    assert found.panels == [{"shape": "plain"}, {"shape": "flat"}]
    assert found.values(np.array([0.5, 0.5])) == {"a": 1.0, "n": 55}
    assert list(found.outside({"a": 4.0, "n": 20, "shape": "odd"})) == [
        "a = 4 lies above the map's 2, by a factor of 2", "shape = odd is none of the map's plain, flat"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("over", "options", "error"),
    [
        ({}, {}, ValueError),
        ({"a": (2.0, 1.0)}, {}, ValueError),
        ({"b": (1.0, 2.0)}, {}, ValueError),
        ({"a": (1.0, 2.0)}, {"base": {"a": 1.0}}, ValueError),
        ({"a": (1.0, 2.0)}, {"budget": "soon"}, ValueError),
        ({"a": (1.0, 2.0)}, {"base": None}, ValueError),
        ({"a": (1.0, 2.0)}, {"resolution": -1.0}, ValueError),
        ({"idle": (1.0, 2.0)}, {}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(over, options, error):
    claim = replace(as_prediction(biased), axes={"idle": lambda config, _value: config})
    with pytest.raises(error):
        bridge.validity(claim, over, **{"base": Planted(), "progress": False} | options)

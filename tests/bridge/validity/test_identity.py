"""Configurations that look the same but are not have their own networks, in a map, in its folder and in ``require``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bridge
from bridge.testing.requirement import SharedLevel, require, running
from bridge.validity.evaluation import Evaluation
from bridge.validity.identity import content
from bridge.validity.prediction import as_prediction

PLAIN, OTHER = np.zeros(2000), np.zeros(2000)
OTHER[1000] = 5.0  # which numpy does not show


@dataclass(frozen=True)
class Tabled:
    table: Any = field(repr=False)
    scale: float = 1.0


class Silent:
    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "Silent"


def highest(config, seed):
    """The mean is one more than the largest entry of the table."""
    return 1.0, config.scale + config.table.max() + 0.001 * np.random.default_rng(seed).normal()


WRAPPED: dict[str, Callable[[Any], Any]] = {
    "array": lambda table: table,
    "field without repr": Tabled,
    "list of arrays": lambda table: [1, table],
    "entry of a dict": lambda table: {"name": table},
    "namespace": lambda table: SimpleNamespace(table=table),
    "class of the user": Silent,
    "objects": lambda table: np.array([Silent(table[1000]), "x"], object),
    "masked": lambda table: np.ma.masked_array(table, table > 9),
}


@pytest.mark.parametrize("case", WRAPPED)
def test_content_decides_and_not_what_is_shown(case):
    wrap = WRAPPED[case]
    assert str(wrap(PLAIN)) == str(wrap(OTHER)) or case == "objects"
    assert content(wrap(PLAIN)) != content(wrap(OTHER))
    assert content(wrap(PLAIN)) == content(wrap(PLAIN.copy()))


def test_types_count_and_the_order_of_a_dict_does_not():
    different = [
        1,
        1.0,
        True,
        "1",
        b"1",
        [1],
        (1,),
        None,
        ("a", "b"),
        ("a', 'b",),
        np.float32(1),
        np.float64(1),
    ]
    assert len({content(value) for value in different}) == len(different)
    assert content({"a": 1, "b": 2}) == content({"b": 2, "a": 1})


def test_what_cannot_be_pickled_is_the_same_as_nothing_else():
    closed_over = Tabled(lambda: 1)
    assert content(closed_over) != content(closed_over)


def test_a_configuration_of_an_experiment_is_its_json():
    base = bridge.claims()["two_point.final_distance"].base
    assert content(base) == base.to_json() != content(base.changed(gain=1.5))


def test_an_evaluation_keeps_the_networks_of_both_in_its_file(tmp_path):
    tasks = [(Tabled(PLAIN), range(4)), (Tabled(OTHER), range(4))]
    for _ in range(2):  # the second time from the file
        evaluation = Evaluation(as_prediction(highest), tmp_path / "lines.jsonl")
        found = {id(task): values[1].mean() for task, values in evaluation.pairs(tasks)}
        assert [round(found[id(task)]) for task in tasks] == [1, 6]
    assert (tmp_path / "lines.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_a_folder_refuses_the_map_of_another_table(tmp_path):
    options = {
        "over": {"scale": (0.5, 2.0)},
        "budget": 12,
        "progress": False,
        "directory": tmp_path,
    }
    bridge.validity(highest, base=Tabled(PLAIN), **options)
    with pytest.raises(ValueError, match="holds another map"):
        bridge.validity(highest, base=Tabled(OTHER), **options)


def test_require_decides_both():
    with running(SharedLevel()) as run:
        assert require(highest, Tabled(PLAIN)).holds is True
        with pytest.raises(AssertionError, match="highest fails: measured 6"):
            require(highest, replace(Tabled(PLAIN), table=OTHER))
        assert require(highest, Tabled(PLAIN.copy())).holds is True
        assert len(run.decisions) == 2

"""Tests of configurations: equality, and an error that names the field for every impossible one."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
from typing import ClassVar, Literal

import pytest

from empirics.experiments import two_point
from empirics.runs.config import Configuration


@dataclasses.dataclass(frozen=True)
class Own(Configuration):
    """A configuration whose checks do not ask for those of the base class."""

    experiment: ClassVar[str] = "own"
    kind: Literal["good", "better"] = "good"
    fast: bool = True
    device: str = "cpu"
    size: int = 1
    rate: float = 1

    def __post_init__(self):
        assert self.kind in ("good", "better")  # the choices are checked before
        self.check_integers(size=1)
        self.check_numbers("rate", above=0)


@dataclasses.dataclass(frozen=True)
class Further(Own):
    """A configuration with one more choice."""

    experiment: ClassVar[str] = "further"
    other: Literal["one", "two"] = "one"

    def __post_init__(self):
        super().__post_init__()
        self.set_field("size", 7)


@dataclasses.dataclass(frozen=True)
class Plain(Further):
    """A configuration without checks of its own."""

    last: Literal["x", "y"] = "x"


@pytest.mark.parametrize(
    ("kind", "error", "change"),
    [
        (Own, ValueError, {"kind": "nonsense"}),
        (Own, TypeError, {"fast": 1}),
        (Own, TypeError, {"device": 0}),
        (Own, ValueError, {"size": 0}),
        (Own, ValueError, {"rate": 0}),
        (Further, ValueError, {"kind": "nonsense"}),
        (Further, ValueError, {"other": "three"}),
        (Further, ValueError, {"size": 0}),
        (Plain, ValueError, {"other": "three"}),
        (Plain, ValueError, {"last": "z"}),
    ],
)
def test_a_class_with_checks_of_its_own_has_those_of_its_annotations(kind, error, change):
    with pytest.raises(error, match=f"^{next(iter(change))}: got"):
        kind(**change)


def test_checked_values_are_kept():
    assert isinstance(Own().rate, float)
    assert Plain().size == 7
    assert Own().changed(size=3) == pickle.loads(pickle.dumps(Own(size=3)))


SIZES = ("depth", "width", "inputs", "outputs", "epochs", "seeds", "channels", "kernel")
POSITIVE = ("gain", "dx", "learning_rate")
NUMBERS = (*POSITIVE, "dy", "x1", "y1", "dropout")
NAMES = ("architecture", "activation", "optimiser", "dtype")
BAD = [  # fields, values that none of them takes, error
    (SIZES, (0, -1), ValueError),
    ((*SIZES, "first_seed"), (2.0, math.nan, "3", None, True), TypeError),
    (("first_seed",), (-1,), ValueError),
    (POSITIVE, (0.0, -1e-300), ValueError),
    (("dy", "dropout"), (-1e-300,), ValueError),
    (("dropout",), (1.0, 7.0), ValueError),
    (NUMBERS, (math.nan, math.inf, -math.inf), ValueError),
    (NUMBERS, ("3", None, True, [1.0], 1j), TypeError),
    (NAMES, ("nonsense", ""), ValueError),
    (("architecture", "activation"), (3, None), TypeError),
    (("optimiser", "dtype"), (3, None), ValueError),
    (("kernel",), (2, 100), ValueError),
    (("layers",), (3, "3", 2.5, ["a"]), TypeError),
    (("layers",), ((), (0,), (21,), (5, 5)), ValueError),
    (("device",), (0,), TypeError),
]


@pytest.mark.parametrize(("names", "values", "error"), BAD)
def test_bad_values_are_refused_by_the_name_of_their_field(names, values, error):
    for name, value in itertools.product(names, values):
        with pytest.raises(error, match=f"^{name}: "):
            two_point.Config(**{name: value})


def test_defaults_are_the_released_settings():
    config = two_point.Config()
    x, y = config.data()
    assert x.tolist() == [[-1.0], [0.0]]
    assert y.tolist() == [[0.6], [0.6 + math.sqrt(0.5)]]
    assert (config.depth, config.width, config.layers) == (20, 500, (11,))
    assert (config.learning_rate, config.epochs, config.optimiser) == (0.005, 6000, "gd")


@pytest.mark.parametrize(("depth", "layer"), [(1, 1), (2, 2), (10, 6), (20, 11)])
def test_layer_just_past_the_middle(depth, layer):
    assert two_point.Config(depth=depth).layers == (layer,)


def test_points_keep_their_distance_in_more_dimensions():
    x, y = two_point.Config(inputs=3, outputs=5, dx=0.7, dy=1.3).data()
    assert float((x[1] - x[0]).norm()) == pytest.approx(0.7, rel=1e-15)
    assert float((y[1] - y[0]).norm()) == pytest.approx(1.3, rel=1e-15)


def test_of_another_experiment():
    with pytest.raises(ValueError, match=r"is of another experiment"):
        two_point.Config.from_json('{"experiment": "collapse"}')
    for text in ("[]", "5", "[" * 100_000):
        with pytest.raises(ValueError, match=r"^config: got JSON "):
            two_point.Config.from_json(text)


def test_a_misspelt_field_suggests_the_right_one():
    with pytest.raises(TypeError, match=r"^Config: no field 'widht'; did you mean width\?$"):
        two_point.Config(widht=3)
    with pytest.raises(
        TypeError,
        match=r"^Config: no field 'qqqq'; there are \d+, such as activation, depth, width",
    ):
        two_point.Config(qqqq=3)
    config = two_point.Config("tanh", width=3)
    assert pickle.loads(pickle.dumps(config)) == config == dataclasses.replace(config)


def test_depths_beyond_all_memory_are_refused():
    with pytest.raises(ValueError, match="depth: got 100000000, needs an integer from 1 to 9999"):
        two_point.Config(depth=10**8)

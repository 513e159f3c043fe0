"""The names that configurations take are those of the functions and classes that networks are built from."""

import pytest

from empirics.networks import activations, catalogue, elementwise, names, own_architecture, resnet
from empirics.user_choice import choices


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (names.Nonlinearity, activations.ACTIVATIONS),
        (names.FunctionName, elementwise.FUNCTIONS),
        (names.ResNetActivation, resnet.ACTIVATIONS),
        (own_architecture.ArchitectureName, catalogue.ARCHITECTURES),
    ],
)
def test_every_name_stands_for_something(kind, table):
    assert choices(kind) == tuple(table)


def test_smooth_activations_are_all_but_the_relu():
    assert {*choices(names.FunctionName)} - {*choices(names.SmoothName)} == {"relu"}

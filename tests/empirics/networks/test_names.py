"""The names that configurations take are those of the functions and classes that networks are built from."""

from closedform.activation_names import NAMES
from empirics.networks import catalogue, names, user_architecture
from empirics.user_choice import choices


def test_every_name_stands_for_something():
    assert choices(names.ActivationName) == NAMES
    assert choices(user_architecture.ArchitectureName) == tuple(catalogue.ARCHITECTURES)


def test_smooth_activations_are_all_but_those_with_a_jump_in_the_slope():
    assert {*choices(names.ActivationName)} - {*choices(names.SmoothName)} == {
        "relu",
        "leaky_relu",
    }

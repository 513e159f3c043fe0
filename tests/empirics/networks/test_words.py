"""Networks built from words against the kernels that theory derives from the same words."""

import numpy as np
import pytest
import torch

from closedform.networks import Act, Attention, Conv, Dense, Flatten, Norm, Pool, Product, residual
from empirics.networks import from_words
from theory import geometry
from theory.activations import GELU
from theory.engine import kernel, tangent

DRAWS, WIDTH = 40, 200
LAYER = Dense(1.5, 0.2)
NETWORKS = {
    "residual": LAYER >> residual(Act("erf") >> LAYER) >> Act("gelu") >> LAYER,
    "norm": LAYER >> Norm() >> Act("relu") >> LAYER,
    "product": LAYER >> Product(LAYER >> Act("erf"), LAYER) >> LAYER,
    "circular": Conv(1.5, 0.2) >> Act("relu") >> Conv(1.5, 0.2) >> Act("erf") >> Flatten() >> LAYER,
    "zeros": Conv(1.5, 0.2, padding="zeros") >> Act("relu") >> Pool() >> LAYER,
}  # fmt: skip


def assert_mean(draw, expected):
    """The mean of ``draw(seed)`` is this matrix; that of a deep kernel differs from it by some 1/width."""
    draws = [draw(seed) for seed in range(DRAWS)]
    mean, error = np.mean(draws, axis=0), np.std(draws, axis=0, ddof=1) / DRAWS**0.5
    assert (np.abs(mean - expected) < 4 * error + 3 * np.abs(expected) / WIDTH).all()
    assert (4 * error < 0.2 * np.abs(expected).max()).all()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NETWORKS)
def test_wide_networks_have_the_kernel_of_their_words(name):
    net = NETWORKS[name]
    shape = (3, 4, 2) if name in ("circular", "zeros") else (3,)
    inputs = np.random.default_rng(3).normal(size=(2, *shape))

    def draw(seed):
        features = from_words(net, shape, width=WIDTH, seed=seed)(torch.tensor(inputs))
        return (features @ features.T / WIDTH).detach().numpy()

    assert_mean(draw, geometry.kernel_matrix(net, inputs))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["residual", "product", "zeros"])
def test_their_gradients_have_the_tangent_kernel(name):
    net = NETWORKS[name]
    shape = (3, 4, 2) if name == "zeros" else (3,)
    inputs = np.random.default_rng(4).normal(size=(2, *shape))

    def draw(seed):
        network = from_words(net, shape, width=WIDTH, seed=seed)
        stacked = stacked_gradients(network, network(torch.tensor(inputs))[:, 0])
        return (stacked @ stacked.T).numpy()

    assert_mean(draw, geometry.kernel_matrix(net, inputs, kind="scaled_ntk"))


def at_products(form, one, other):
    """Return a form of inner products between two positions at two inputs ``[position, channel]``."""
    inputs, values = {"x": one, "y": other}, {}
    for argument in form.arguments:
        pair, p, q = argument.symbol.name.split("_")
        values[argument.symbol.name] = float(inputs[pair[0]][int(p)] @ inputs[pair[1]][int(q)])
    return form(**values)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("verb", [tangent, kernel])
def test_attention_has_the_kernels_that_theory_derives(verb):
    net = LAYER >> residual(Act("relu") >> Attention(2) >> LAYER) >> Pool()
    net = net if verb is kernel else net >> LAYER
    inputs = 0.7 * np.random.default_rng(0).normal(size=(2, 2, 3))
    form = verb(net, positions=2)
    expected = np.array([[at_products(form, one, other) for other in inputs] for one in inputs])

    def draw(seed):
        network = from_words(net, (2, 3), width=WIDTH, seed=seed)
        features = network(torch.tensor(inputs))
        if verb is tangent:
            features = stacked_gradients(network, features[:, 0]) * WIDTH**0.5
        return (features @ features.T / WIDTH).detach().numpy()

    assert_mean(draw, expected)


def test_attention_is_the_mean_of_all_positions_with_their_weights():
    inputs = torch.tensor(np.random.default_rng(1).normal(size=(2, 3, 2)))
    outputs = from_words(Attention(2) >> Flatten(), (3, 2))(inputs).reshape(inputs.shape)
    for features, found in zip(inputs, outputs, strict=True):
        for position in range(3):
            weights = [torch.exp(2 * features[position] @ other) for other in features]
            total = sum(weight * other for weight, other in zip(weights, features, strict=True))
            torch.testing.assert_close(found[position], total / sum(weights))


def stacked_gradients(network, outputs):
    """Return the gradients ``[output, parameter]``."""
    parameters = list(network.parameters())
    gradients = [torch.autograd.grad(output, parameters, retain_graph=True) for output in outputs]
    return torch.stack([torch.cat([part.flatten() for part in parts]) for parts in gradients])


def test_an_activation_is_the_same_by_name_expression_and_object():
    inputs = torch.linspace(-2, 2, 12, dtype=torch.float64).reshape(4, 3)
    outputs = [
        from_words(Dense(2) >> Act(act) >> Dense(width=2), 3)(inputs)
        for act in ("gelu", GELU, GELU.expression)
    ]
    torch.testing.assert_close(outputs[0], outputs[1])
    torch.testing.assert_close(outputs[0], outputs[2])


def test_equal_seeds_are_equal_networks_and_the_seed_of_torch_is_left_alone():
    torch.manual_seed(1)
    state = torch.get_rng_state()
    one, same, other = (from_words(NETWORKS["norm"], 3, seed=seed) for seed in (0, 0, 1))
    assert torch.equal(state, torch.get_rng_state())
    inputs = torch.ones(1, 3, dtype=torch.float64)
    assert torch.equal(one(inputs), same(inputs))
    assert not torch.equal(one(inputs), other(inputs))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: from_words(Dense("S"), 3), "weights"),
        (lambda: from_words("relu", 3), "network"),
        (lambda: from_words(Dense(-1), 3), "weights"),
        (lambda: from_words(Dense(width=0), 3), "width"),
        (lambda: from_words(Dense(), 0), "shape"),
        (lambda: from_words(Conv() >> Flatten(), 3), "without positions"),
        (lambda: from_words(Attention() >> Pool(), 3), "without positions"),
        (lambda: from_words(Attention(-1) >> Pool(), (2, 3)), "scale"),
    ],
)
def test_words_that_cannot_be_built_are_refused(call, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call()

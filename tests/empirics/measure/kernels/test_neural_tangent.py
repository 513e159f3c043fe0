"""Tests of neural tangent kernels against the contraction of all gradients, for modules of every kind."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn
from torch.func import functional_call, jacrev, vmap

from empirics import measure, networks

ROUNDING = 1e-12


def contraction(model, x, y):
    """The usual recipe: all gradients of all outputs, contracted."""
    parameters = {k: p.detach() for k, p in model.named_parameters() if p.requires_grad}

    def jacobian(points):
        one = lambda p, z: functional_call(model, p, (z[None],)).flatten()  # noqa: E731
        parts = vmap(jacrev(one), (None, 0))(parameters, points)
        return t.cat([part.flatten(2) for part in parts.values()], 2)

    return t.einsum("nop,mop->nm", jacobian(x), jacobian(y))


class Tied(nn.Module):
    """One linear layer twice, one on its own, one whose weight is also used by hand."""

    def __init__(self):
        super().__init__()
        self.twice, self.once, self.borrowed = (
            nn.Linear(4, 4),
            nn.Linear(4, 3),
            nn.Linear(4, 4, bias=False),
        )

    def forward(self, x):
        h = self.twice(t.tanh(self.twice(x)))
        h = self.borrowed(h) + h @ self.borrowed.weight
        return self.once(t.tanh(h))


class Sequence(nn.Module):
    """Linear layers on several vectors a point, and an embedding of positions."""

    def __init__(self):
        super().__init__()
        self.place, self.mix, self.end = (
            nn.Parameter(t.randn(2, 2)),
            nn.Linear(2, 3),
            nn.Linear(6, 1),
        )

    def forward(self, x):
        h = t.softmax(self.mix(x.reshape(-1, 2, 2) + self.place), -1)
        return self.end(h.flatten(1))


def modules():
    t.manual_seed(0)
    frozen = nn.Sequential(nn.Linear(4, 5), nn.GELU(), nn.Linear(5, 2))
    frozen[0].weight.requires_grad_(False)
    frozen[2].bias.requires_grad_(False)
    batch_norm = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 2))
    batch_norm(t.randn(20, 4))
    conv = nn.Sequential(
        nn.Unflatten(1, (1, 2, 2)),
        nn.Conv2d(1, 3, 2, padding=1),
        nn.GELU(),
        nn.Flatten(),
        nn.Linear(27, 3),
    )
    return {
        "linear": nn.Sequential(nn.Linear(4, 7), nn.Tanh(), nn.Linear(7, 5, bias=False), nn.GELU(), nn.Linear(5, 3)),
        "conv": conv, "batch norm": batch_norm.eval(), "frozen": frozen, "tied": Tied(), "sequence": Sequence(),
    }  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", list(modules()))
def test_against_the_contraction(name):
    model = modules()[name].double()
    x, y = t.randn(6, 4, dtype=t.float64), t.randn(5, 4, dtype=t.float64)
    exact = contraction(model, x, y)
    t.testing.assert_close(
        measure.neural_tangent_gram(model, x, y), exact, rtol=ROUNDING, atol=1e-13
    )
    gram = measure.neural_tangent_gram(model, x)
    t.testing.assert_close(gram, contraction(model, x, x), rtol=ROUNDING, atol=1e-13)
    t.testing.assert_close(gram, gram.T, rtol=0, atol=0)
    blocks = measure.neural_tangent_gram(model, x, memory="25kB")
    t.testing.assert_close(blocks, gram, rtol=ROUNDING, atol=1e-13)


def test_single_networks_of_a_batch():
    architecture = networks.build("skip", activation="tanh", inputs=4, outputs=2, width=6, depth=4)
    model = networks.single(architecture, networks.initial_weights(architecture, 1.0, [0]))
    x = t.randn(4, 4)
    exact = contraction(model.double(), x.double(), x.double())
    t.testing.assert_close(measure.neural_tangent_gram(model, x), exact, rtol=ROUNDING, atol=0)


def test_known_kernel():
    """f = W x + b with two outputs: K = 2 (x . y + 1), the sum over outputs."""
    x, y = t.randn(3, 4, dtype=t.float64), t.randn(2, 4, dtype=t.float64)
    t.testing.assert_close(
        measure.neural_tangent_gram(nn.Linear(4, 2), x, y),
        2 * (x @ y.T + 1),
        rtol=1e-13,
        atol=1e-14,
    )


BAD = [
    ({"model": lambda x: x}, TypeError, "model: got function"),
    ({"model": nn.Tanh()}, ValueError, "model: has no trainable parameter"),
    ({"y": t.ones(2, 3)}, ValueError, r"y: its points have shape \[3\], needs \[4\]"),
    ({"memory": 100}, ValueError, "memory: got 100 B, needs at least .* for two points"),
    (
        {"model": nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))},
        ValueError,
        "normalises by the batch",
    ),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
def test_bad_input(change, error, complaint):
    good = {"model": nn.Linear(4, 2), "x": t.ones(2, 4)}
    with pytest.raises(error, match=complaint):
        measure.neural_tangent_gram(**(good | change))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU, nn.RNN])
def test_recurrent_layers_in_the_precision_of_the_model(layer):
    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.states, self.head = layer(3, 4, batch_first=True), nn.Linear(4, 2)

        def forward(self, x):
            return self.head(self.states(x)[0])

    t.manual_seed(0)
    tagger, x = Tagger(), t.randn(3, 4, 3)
    single = measure.neural_tangent_gram(tagger, x, precision="model")
    t.testing.assert_close(single, measure.neural_tangent_gram(tagger, x), rtol=1e-4, atol=1e-5)
    assert t.backends.mkldnn.enabled == t.backends.mkldnn.is_available()


class Spectral(nn.Module):
    """A layer of a Fourier neural operator: complex weights on the lowest frequencies."""

    def __init__(self):
        super().__init__()
        self.spectral = nn.Parameter(t.randn(3, dtype=t.cfloat))
        self.mixing = nn.Linear(4, 2, dtype=t.cfloat)

    def forward(self, x):
        hidden = t.fft.irfft(t.fft.rfft(x) * self.spectral, n=4)
        return self.mixing(hidden.to(t.cfloat)).abs()


def test_complex_weights_are_two_real_ones():
    t.manual_seed(0)
    model, x = Spectral(), t.randn(4, 4, dtype=t.float64)
    exact = [p.detach().to(t.complex128) for p in model.parameters()]
    sizes = [p.numel() for p in exact]

    def outputs(real, point):
        pairs = t.view_as_complex(real.reshape(-1, 2)).split(sizes)
        spectral, weight, bias = (p.reshape(e.shape) for p, e in zip(pairs, exact, strict=True))
        hidden = t.fft.irfft(t.fft.rfft(point) * spectral, n=4).to(t.complex128)
        return (weight @ hidden + bias).abs()

    real = t.view_as_real(t.cat([p.flatten() for p in exact])).flatten()
    rows = t.stack(
        [t.autograd.functional.jacobian(lambda p, at=at: outputs(p, at), real) for at in x]
    )
    t.testing.assert_close(
        measure.neural_tangent_gram(model, x), t.einsum("nop,mop->nm", rows, rows),
        rtol=1e-10, atol=0,
    )  # fmt: skip

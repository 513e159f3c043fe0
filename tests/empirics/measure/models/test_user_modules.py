"""Tests of users' modules of every kind: against autograd and differences, without side effects."""

from __future__ import annotations

import threading

import pytest
import torch as t
from torch import nn
from torch.nn import functional as f

from empirics import measure

STEP = 1e-3  # of fourth-order differences of exact Jacobians: their error is about 1e-12 times a fifth derivative
BY_DIFFERENCES = 1e-6  # relative error that they leave in a curvature
X = t.randn(3, 3, generator=t.Generator().manual_seed(5), dtype=t.float64)


def jacobian(model, x):
    """``[features, d]`` at one point, by autograd alone."""
    return t.autograd.functional.jacobian(lambda z: model(z[None]).flatten(), x)


def curvature(model, x):
    """The Gauss equation at one point, second derivatives as differences of Jacobians."""
    steps = STEP * t.eye(len(x), dtype=t.float64)
    columns = [
        8 * (jacobian(model, x + e) - jacobian(model, x - e))
        - jacobian(model, x + 2 * e)
        + jacobian(model, x - 2 * e)
        for e in steps
    ]
    second = t.stack(columns, -1) / (12 * STEP)
    q, r = t.linalg.qr(jacobian(model, x))
    e = t.linalg.inv(r)
    form = t.einsum("pij,ia,jb->pab", second, e, e)
    form = form - t.einsum("pq,qab->pab", q @ q.T, form)
    return form.diagonal(dim1=1, dim2=2).sum(-1).square().sum() - form.square().sum()


class OneByOne(nn.Module):
    """Each input a token of eight numbers, through some block, ``[batch, 3] -> [batch, 3, 8]``."""

    def __init__(self, block):
        super().__init__()
        self.embedding, self.block = nn.Linear(1, 8), block

    def forward(self, x):
        h = self.block(self.embedding(x[:, :, None]))
        return h[0] if isinstance(h, tuple) else h


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, h):
        return h + self.heads(h, h, h, need_weights=False)[0]


class Remembers(nn.Module):
    """Keeps its activations, in autograd's graph, and a constant that is no buffer."""

    def __init__(self):
        super().__init__()
        self.linear, self.mix, self.seen = nn.Linear(3, 9), t.randn(9, 9), []
        self.seen.append(self.seen)

    def forward(self, x):
        self.last = self.linear(x)
        self.seen.append(self.last)
        return t.tanh(self.last) @ self.mix


class OwnSwish(t.autograd.Function):
    """As written before ``torch.func``: forward with a context, and a backward pass that can be differentiated."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * t.sigmoid(z)

    @staticmethod
    def backward(ctx, gradient):
        (z,) = ctx.saved_tensors
        s = t.sigmoid(z)
        return gradient * s * (1 + z * (1 - s))


class CutOff(t.autograd.Function):
    """The same, with a backward pass that autograd cannot see through."""

    @staticmethod
    def forward(z):
        return z * t.sigmoid(z)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @t.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return OwnSwish.backward(ctx, gradient)


class Elementwise(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, z):
        return self.function(z)


def around(*parts):
    return nn.Sequential(nn.Linear(3, 16), *parts, nn.Linear(16, 12))


MODULES = {
    "transformer": lambda: OneByOne(
        nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True)
    ),
    "attention": lambda: OneByOne(Attention()),
    "lstm": lambda: OneByOne(nn.LSTM(8, 6, batch_first=True)),
    "conv": lambda: nn.Sequential(
        nn.Unflatten(1, (1, 3)),
        nn.ConvTranspose1d(1, 5, 3, 2),
        nn.SiLU(),
        nn.AvgPool1d(2),
        nn.Flatten(),
    ),
    "in place": lambda: nn.Sequential(
        nn.SiLU(inplace=True), nn.Linear(3, 9), nn.Mish(inplace=True), nn.Flatten(0, 0)
    ),
    "spectral norm": lambda: nn.Sequential(
        nn.utils.spectral_norm(nn.Linear(3, 16)), nn.Tanh(), nn.Linear(16, 12)
    ),
    "weight norm": lambda: around(
        nn.Tanh(), nn.utils.parametrizations.weight_norm(nn.Linear(16, 16)), nn.Tanh()
    ),
    "remembers": Remembers,
    "own function": lambda: nn.Sequential(
        around(Elementwise(OwnSwish.apply)), nn.Unflatten(1, (3, 4))
    ),
    "in place and flat": lambda: around(nn.SiLU(inplace=True)),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [pytest.param(m, marks=[pytest.mark.slow] * (m in ("attention", "lstm"))) for m in MODULES],
)
def test_against_plain_autograd(name):
    t.manual_seed(0)
    model = MODULES[name]().eval()
    model(X.float().clone())  # remembers what it remembers
    state = {key: value.clone() for key, value in model.state_dict().items()}
    x, before = X.clone(), t.get_rng_state()
    g, log_volume, r, kernel = (
        function(model, x)
        for function in (
            measure.metric, measure.log_volume_element, measure.scalar_curvature, measure.neural_tangent_gram
        )
    )  # fmt: skip
    estimate = measure.scalar_curvature_estimate(model, x, 200)
    assert t.equal(x, X)
    assert t.equal(t.get_rng_state(), before)
    assert all(t.equal(value, state[key]) for key, value in model.state_dict().items())
    assert all(p.requires_grad and p.grad is None for p in model.parameters())

    t.manual_seed(0)
    exact = MODULES[name]().eval()
    exact(X.float().clone())
    exact.load_state_dict(state)
    exact.double()
    if name == "remembers":
        exact.mix = exact.mix.double()
    with t.nn.attention.sdpa_kernel(t.nn.attention.SDPBackend.MATH):
        call = lambda z: exact(z.clone())  # noqa: E731
        j = t.stack([jacobian(call, one) for one in X])
        t.testing.assert_close(g, j.mT @ j, rtol=1e-12, atol=1e-15)
        t.testing.assert_close(
            log_volume, t.linalg.svdvals(j).log().sum(1), rtol=1e-11, atol=1e-11
        )
        truth = t.stack([curvature(call, one) for one in X])
        t.testing.assert_close(r, truth, rtol=BY_DIFFERENCES, atol=0)
        assert ((estimate.value - r).abs() < 5 * estimate.standard_error).all()
        rows = []
        for one in X:
            out = call(one[None]).flatten()
            parameters = list(exact.parameters())
            grads = [
                t.autograd.grad(o, parameters, retain_graph=True, materialize_grads=True)
                for o in out
            ]
            rows.append(t.cat([t.cat([part.flatten() for part in row]) for row in grads]))
    rows = t.stack(rows)
    t.testing.assert_close(kernel, rows @ rows.T, rtol=1e-11, atol=0)


KINKED = {
    "relu": nn.ReLU(inplace=True), "hardtanh": nn.Hardtanh(inplace=True), "elu": nn.ELU(2.0, inplace=True),
    "clamp": Elementwise(lambda z: z.clamp_(-0.3, 0.3)), "abs": Elementwise(lambda z: z.abs_()),
}  # fmt: skip


@pytest.mark.parametrize("name", list(KINKED))
def test_kinks_in_place_are_found(name):
    t.manual_seed(0)
    with pytest.raises(ValueError, match="feature_map: has kinks"):
        measure.scalar_curvature(around(KINKED[name], nn.Linear(16, 16), nn.Tanh()), X)


@pytest.mark.parametrize(
    "module", [nn.ELU(inplace=True), nn.CELU(0.5, inplace=True)], ids=["elu", "celu"]
)
def test_smooth_ones_in_place_are_not(module):
    t.manual_seed(0)
    assert measure.scalar_curvature(around(module), X).isfinite().all()


def test_kinks_inside_a_fused_transformer_layer_are_found():
    with pytest.raises(ValueError, match="has kinks"):
        measure.scalar_curvature(
            OneByOne(
                nn.TransformerEncoderLayer(8, 2, 16, activation="relu", batch_first=True)
            ).eval(),
            X,
        )


def test_a_chain_that_is_piecewise_linear_is_refused_whatever_it_is_made_of():
    t.manual_seed(0)
    own = Elementwise(lambda z: t.where(z > 0, z, 0.1 * z))
    with pytest.raises(ValueError, match="is piecewise linear"):
        measure.scalar_curvature(around(own), X)
    assert (measure.scalar_curvature(around(own), X, kinks="ignore") == 0).all()
    assert (measure.scalar_curvature(around(Elementwise(lambda z: 2 * z + 1)), X) == 0).all()


@pytest.mark.parametrize(
    "rest", [(), (nn.Linear(16, 16), nn.Tanh())], ids=["alone", "before tanh"]
)
def test_a_backward_pass_that_hides_the_second_derivative_is_refused(rest):
    t.manual_seed(0)
    net = around(Elementwise(CutOff.apply), *rest)
    with pytest.raises(ValueError, match="is not the slope of its first derivative"):
        measure.scalar_curvature(net, X)
    with pytest.raises(ValueError, match="is not the slope of its first derivative"):
        measure.scalar_curvature_estimate(net, X)
    assert measure.log_volume_element(net, X).isfinite().all()


@pytest.mark.parametrize(
    ("phi", "what"),
    [
        (lambda z: t.cat([z.log(), z], 1), "the map"),
        (lambda z: t.cat([z.sqrt(), z, z], 1), "its derivative"),
    ],
    ids=["outside the domain", "infinite slope"],
)
@pytest.mark.parametrize(
    "function", [measure.metric, measure.log_volume_element, measure.scalar_curvature]
)
def test_points_where_the_map_is_not_differentiable_are_named(function, phi, what):
    x = t.ones(3, 3, dtype=t.float64)
    x[1, 0] = -1 if what == "the map" else 0
    with pytest.raises(ValueError, match=f"feature_map: {what} is not finite at point 1"):
        function(phi, x)


def test_an_infinite_second_derivative_is_named():
    x = t.tensor([[1.0, 2.0], [0.0, 2.0]], dtype=t.float64)
    with pytest.raises(ValueError, match="its second derivative is not finite at point 1"):
        measure.scalar_curvature(lambda z: t.cat([z, z[:, :1] ** 1.5 * z[:, 1:]], 1), x)


def test_within_inference_mode_it_says_so():
    with t.inference_mode(), pytest.raises(RuntimeError, match=r"inference_mode\(\).*no_grad"):
        measure.metric(around(nn.Tanh()), X)


def test_no_grad_makes_no_difference():
    net = around(nn.Tanh(), nn.Linear(16, 16))
    with t.no_grad():
        without = measure.neural_tangent_gram(net, X)
    assert t.equal(without, measure.neural_tangent_gram(net, X))


def test_without_numbers_it_says_so():
    with pytest.raises(ValueError, match="'meta'"):
        measure.metric(around(nn.Tanh()).to("meta"), X)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.readout = nn.Embedding(10, 6), nn.Linear(6, 2)

    def forward(self, words):
        return self.readout(f.gelu(self.embedding(words)).mean(1))


def test_tokens():
    """No geometry in them, but a tangent kernel; whole numbers that are computed with are numbers."""
    t.manual_seed(0)
    model, words = Words().double(), t.randint(10, (5, 4))
    for function in (measure.metric, measure.log_volume_element):
        with pytest.raises(
            ValueError, match="x: got whole numbers that feature_map takes as indices"
        ):
            function(model, words)
    parameters = list(model.parameters())
    rows = t.stack(
        [
            t.cat(
                [
                    g.flatten()
                    for o in model(w[None])[0]
                    for g in t.autograd.grad(o, parameters, retain_graph=True)
                ]
            )
            for w in words
        ]
    )
    t.testing.assert_close(
        measure.neural_tangent_gram(model, words, words[:3]), rows @ rows[:3].T, rtol=1e-12, atol=0
    )
    whole = t.randint(-3, 4, (4, 3), generator=t.Generator().manual_seed(0))
    net = around(nn.Tanh())
    assert t.equal(measure.metric(net, whole), measure.metric(net, whole.double()))


def test_what_cannot_be_copied_is_said():
    model = Remembers()
    model.lock = threading.Lock()
    with pytest.raises(TypeError, match=r"module: Remembers cannot be copied .*; give a function"):
        measure.metric(model, X)

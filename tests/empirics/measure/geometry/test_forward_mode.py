"""Forward mode where torch has it wrong at some or all points, or not at all: against plain reverse mode by points."""

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from empirics import measure
from empirics.measure.geometry import chain_curvature
from empirics.measure.geometry.second_derivative import forward_over_forward

ROUNDING = 1e-9  # of results that lose a few digits to the conditioning of the metric
POINTS = torch.tensor([[0.7, 0.3], [0.0, 0.5], [0.5, 0.5], [0.4, -1.0]], dtype=torch.float64)
CENTRES = torch.tensor([[0.5, -0.2], [-0.4, 0.8], [1.0, 0.3]], dtype=torch.float64)


class DoubledForward(torch.autograd.Function):
    """A sine whose derivative in forward mode is twice too large."""

    generate_vmap_rule = True

    @staticmethod
    def forward(z):
        return z.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0].cos()

    @staticmethod
    def jvp(ctx, tangent):
        return 2 * tangent * ctx.saved_tensors[0].cos()


class DifferentiableOnce(torch.autograd.Function):
    """A sine whose backward pass autograd cannot see through."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z.sin()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0].cos()


def mixed(x):
    """Four numbers of two, two of which may be zero."""
    return torch.stack([x[:, 0], x[:, 1] + 1, 1 + x[:, 0] * x[:, 1], x[:, 0] - x[:, 1]], 1)


def triangular(x):
    zero = torch.zeros_like(x[:, 0])
    return torch.stack([x[:, 0].exp(), zero, x[:, 1], (0.3 * x[:, 0]).exp()], 1).view(-1, 2, 2)


def immersed(function):
    return lambda x: torch.cat([function(x), x, x * x], dim=1)


def routed(first, second):
    """One function left of zero, another right of it, each of all points."""
    return lambda x: torch.where(x[:, 1:] < 0, first(x), second(x))


def smooth(x):
    return mixed(x).sin()


FUNCTIONS = {
    "wrong inverse": lambda x: torch.cholesky_inverse(triangular(x)).flatten(1),
    "spread sums": lambda x: torch.logcumsumexp(
        torch.stack([60 * x[:, 0], 60 * x[:, 1] - 40, 0 * x[:, 0]], 1), 1
    ),
    "zero factor": lambda x: mixed(x).cumprod(1),
    "layer norm": lambda x: nn.functional.layer_norm(mixed(x), (4,)),
    "expert with layer norm": routed(lambda x: nn.functional.layer_norm(mixed(x), (4,)), smooth),
    "doubled": lambda x: DoubledForward.apply(mixed(x)),
    "expert that is doubled": routed(lambda x: DoubledForward.apply(mixed(x)), smooth),
    "checkpointed": lambda x: checkpoint(smooth, x, use_reentrant=False),
    "units of features": lambda x: torch.cat([1e7 * mixed(x), DoubledForward.apply(x)], dim=1),
}


def jacobians_of(call):
    return torch.stack(
        [torch.autograd.functional.jacobian(lambda z: call(z[None])[0], point) for point in POINTS]
    )


def curvatures_of(call):
    """The Gauss equation from Hessians of one feature at a time."""
    result = []
    for point, j in zip(POINTS, jacobians_of(call), strict=True):
        feature = [lambda z, k=k: call(z[None])[0, k] for k in range(len(j))]
        second = torch.stack([torch.autograd.functional.hessian(f, point) for f in feature])
        inverse = torch.linalg.inv(j.T @ j)
        form = second - torch.einsum("kl,lij->kij", j @ inverse @ j.T, second)
        trace = torch.einsum("ij,kij->k", inverse, form)
        result.append(
            trace @ trace - torch.einsum("ia,jb,kij,kab->", inverse, inverse, form, form)
        )
    return torch.stack(result)


# each stands in an expert, or for one
REPEATED = ("spread sums", "zero factor", "layer norm", "doubled", "checkpointed")


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore:.*so much cancels:RuntimeWarning")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in REPEATED else ()) for name in FUNCTIONS],
)
def test_every_measure_is_that_of_reverse_mode_at_every_point(name):
    call, directions = immersed(FUNCTIONS[name]), POINTS.flip(1) + 1
    j = jacobians_of(call)
    metric = j.mT @ j
    torch.testing.assert_close(measure.metric(call, POINTS), metric, rtol=ROUNDING, atol=1e-15)
    pushed = torch.einsum("npd,nd->np", j, directions).norm(dim=1) / directions.norm(dim=1)
    torch.testing.assert_close(
        measure.stretch(call, POINTS, directions), pushed, rtol=ROUNDING, atol=0
    )
    # u . g u for probes that are not orthonormal
    squares = measure.volume_sketch(call, POINTS, probes=2).squares
    smallest, largest = torch.linalg.eigvalsh(metric).T[:, :, None]
    assert ((1 - ROUNDING) * 2 * smallest <= squares).all()
    assert (squares <= (1 + ROUNDING) * 2 * largest).all()
    if name != "units of features":
        expected = curvatures_of(call)
        found = measure.scalar_curvature(call, POINTS)
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-9)
        assert torch.equal(measure.scalar_curvature(call, POINTS.flip(0)).flip(0), found)


def test_without_forward_mode_there_is_reverse_mode():
    """``cdist`` has no forward mode, and its backward pass no derivative."""
    call = immersed(lambda x: (-(torch.cdist(x, CENTRES) ** 2)).exp())
    plain = immersed(lambda x: (-((x[:, None] - CENTRES) ** 2).sum(2)).exp())
    ones = torch.ones_like(POINTS)
    torch.testing.assert_close(
        measure.stretch(call, POINTS, ones), measure.stretch(plain, POINTS, ones)
    )
    found, expected = (measure.volume_sketch(one, POINTS) for one in (call, plain))
    torch.testing.assert_close(found.log_volumes, expected.log_volumes)
    with pytest.raises(
        ValueError,
        match=r"feature_map: torch cannot take its second derivative \(.*_cdist_backward",
    ):
        measure.scalar_curvature(call, POINTS)


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad:UserWarning")
@pytest.mark.parametrize(
    "function", [measure.metric, measure.volume_sketch, measure.scalar_curvature]
)
def test_what_torch_cannot_differentiate_is_refused_with_a_way_out(function):
    call = immersed(lambda x: checkpoint(smooth, x, use_reentrant=True))
    with pytest.raises(
        ValueError, match=r"feature_map: torch cannot take its derivative .*use_reentrant=False"
    ):
        function(call, POINTS)


def test_a_detached_expert_of_another_point_than_the_first_is_refused():
    call = immersed(routed(lambda x: DifferentiableOnce.apply(mixed(x)), smooth))
    with pytest.raises(
        ValueError,
        match=r"second derivative at point 3, .* is not the slope of its first derivative",
    ):
        measure.scalar_curvature(call, POINTS)


def overwritten(x):
    """Return zeros with all numbers of ``x`` written to the first place, so that one of them stays."""
    return torch.zeros_like(x).scatter(1, torch.zeros(x.shape, dtype=torch.int64), x)


def replaced(x):
    """Return zeros in place of all numbers of ``x``, by an operation that ``vmap`` does not know."""
    zero = torch.zeros((), dtype=x.dtype)
    return torch.stack(
        [number.reshape(1).as_strided_scatter(zero, (), (), 0) for number in x[:, 0]]
    )


WRITTEN_TWICE = {
    "as many features as inputs": immersed(overwritten),
    "fewer features than inputs": lambda x: overwritten(x)[:, :1],
    "without vmap": immersed(replaced),
}


@pytest.mark.parametrize("name", list(WRITTEN_TWICE))
@pytest.mark.parametrize("function", [measure.metric, measure.volume_sketch])
def test_where_reverse_mode_is_the_wrong_one_it_is_refused(function, name):
    """Two numbers are written to one place: backwards, torch counts the slopes of both."""
    with pytest.raises(
        ValueError, match="differ at point 0, and that in reverse mode is not the slope of the map"
    ):
        function(WRITTEN_TWICE[name], POINTS)


def test_an_infinite_stretch_is_named():
    x = torch.tensor([[1.0, 2.0], [0.0, 2.0]], dtype=torch.float64)
    with pytest.raises(ValueError, match="its derivative is not finite at point 1"):
        measure.stretch(torch.sqrt, x, torch.ones_like(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_rounding_alone_does_not_end_forward_mode(dtype, monkeypatch):
    """A deep network, and features that are zero to rounding: no row is taken in reverse mode."""
    monkeypatch.setattr(
        "empirics.measure.geometry.jacobian._by_rows", lambda *_: pytest.fail("reverse mode")
    )
    torch.manual_seed(0)
    layers = [part for _ in range(8) for part in (nn.Linear(30, 30), nn.GELU(), nn.LayerNorm(30))]
    net = nn.Sequential(nn.Linear(2, 30), *layers).to(dtype)
    x = torch.randn(5, 2, dtype=dtype)

    def call(z):
        features = net(z)
        return torch.cat(
            [features, features.softmax(1).sum(1, keepdim=True), 1e-6 * features], dim=1
        )

    assert measure.metric(call, x, precision="model").isfinite().all()


MATRIX, SLOPES, BENDS = (
    torch.randn(4, 4, generator=torch.Generator().manual_seed(k), dtype=torch.float64)
    for k in range(3)
)


def matrices(x):
    """Return general matrices of points, bent so that their features have curvature."""
    return (
        MATRIX
        + x[:, :1, None] * SLOPES
        + x[:, 1:, None] * BENDS
        + 0.5 * (x[:, :1] * x[:, 1:])[..., None] * SLOPES
    )


def eigenvalues(x):
    return torch.cat(
        [torch.view_as_real(torch.linalg.eigvals(matrices(x))).flatten(1), x, x * x], dim=1
    )


def by_differences(call, point, step=1e-3):
    """The Gauss equation from differences of the values of a map of two inputs, of second order in ``step``."""
    steps = torch.cartesian_prod(torch.arange(-1, 2), torch.arange(-1, 2)).to(point)
    values = call(point + step * steps).reshape(3, 3, -1)
    slopes = torch.stack([values[2, 1] - values[0, 1], values[1, 2] - values[1, 0]], 1) / (
        2 * step
    )
    mixed = (values[2, 2] - values[2, 0] - values[0, 2] + values[0, 0]) / 4
    first, last = (
        values[2, 1] - 2 * values[1, 1] + values[0, 1],
        values[1, 2] - 2 * values[1, 1] + values[1, 0],
    )
    normal = torch.eye(len(slopes)).to(point) - slopes @ torch.linalg.pinv(slopes)
    first, mixed, last = (normal @ (second / step**2) for second in (first, mixed, last))
    return 2 * (first @ last - mixed @ mixed) / torch.linalg.det(slopes.T @ slopes)


def test_nested_vmap_is_compared_with_one_pass_without_it():
    """Of ``linalg.eigvals``, vmap within vmap gives other second derivatives than one pass for each pair."""
    point = torch.tensor([0.03, -0.02], dtype=torch.float64)
    found = measure.scalar_curvature(eigenvalues, point[None])
    torch.testing.assert_close(found[0], by_differences(eigenvalues, point), rtol=1e-3, atol=0)


@pytest.mark.parametrize(
    "pairs", [chain_curvature.over_all_pairs, chain_curvature.over_matched_pairs]
)
def test_what_vmap_doubles_is_taken_pair_by_pair(pairs):
    def along(call, x, u, v):
        is_batched = torch._C._functorch.is_batchedtensor(u)
        return (2 if is_batched else 1) * forward_over_forward(call, x, u, v)

    u, v = torch.stack([POINTS, POINTS + 1]), torch.stack([POINTS - 2, POINTS * POINTS])
    torch.testing.assert_close(
        pairs(along, smooth, POINTS, u, v), pairs(forward_over_forward, smooth, POINTS, u, v)
    )


def one_triangle(x):
    return torch.linalg.pinv(matrices(x), hermitian=True).flatten(1)


def statistics_of_batches(x):
    parts = [
        torch.native_batch_norm(z, None, None, None, None, True, 0.1, 1e-5)
        for z in matrices(x).split(1)
    ]
    return torch.stack([torch.cat([numbers.flatten() for numbers in part]) for part in parts])


def partly_detached(x):
    return torch.cat([x * x.flip(1).detach(), x], dim=1)


OTHER_SLOPES = [one_triangle, statistics_of_batches, partly_detached]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("call", OTHER_SLOPES)
@pytest.mark.parametrize(
    "function",
    [
        measure.metric,
        measure.volume_sketch,
        lambda call, x: measure.stretch(call, x, torch.ones_like(x)),
    ],
)
def test_a_slope_on_which_both_modes_agree_is_compared_with_values(call, function):
    with pytest.warns(
        RuntimeWarning, match="torch's derivative near point . is not the slope of the values"
    ):
        function(call, POINTS)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_kinks_at_the_points_and_units_are_no_other_slope(scale):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 20, bias=False), nn.ReLU(), nn.Linear(20, 5)).double()
    found = measure.metric(
        lambda x: torch.cat([net(x / scale), 1e5 * x, 1e9 + x], dim=1), scale * POINTS
    )
    assert found.isfinite().all()

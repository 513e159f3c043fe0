"""Measures of every operation of torch's own table that claims forward mode, against differences of the map alone."""

import itertools
import time
import warnings

import pytest
import torch

from empirics import measure

BUDGET = 500.0  # processor seconds for the whole table
SHARE = 0.9  # processor seconds of one operation, after which no further value of it is tried
SMALL = 40  # numbers of an input and of features that are kept
STEP = 1e-3  # of differences; the error of the fourth order is of the size of 1e-10
CERTAIN = 1e-6  # relative difference of two steps, above which there is no reference
MOST_STRETCHED = 1e5  # condition of a Jacobian, above which differences give no curvature
WRONG = 1e-3  # relative error of a measure
POINTS = torch.tensor([[0.03, -0.02], [0.0, 0.0]], dtype=torch.float64)
DIRECTIONS = torch.tensor([[0.7, -1.1], [1.3, 0.4]], dtype=torch.float64)
# Weights of a first and of a second derivative of fourth order, at -2, -1, 0, 1 and 2 steps.
FIRST = torch.tensor([1, -8, 0, 8, -1], dtype=torch.float64) / 12
SECOND = torch.tensor([-1, 16, -30, 16, -1], dtype=torch.float64) / 12
ORIGIN = torch.tensor([0, 0, 1, 0, 0], dtype=torch.float64)
# Both of torch's modes agree there and are not the slope of the map at single values, beside which they are.
BLIND = {"nn.functional.softshrink.": "the identity, with lambd = 0, has the slope 0 at 0"}
TOLD = "is not the slope of the values"


def features_of(output):
    """Return all real and complex numbers of the outputs of an operation as one row."""
    outputs = output if isinstance(output, tuple | list) else (output,)
    rows = []
    for part in outputs:
        if isinstance(part, torch.Tensor) and part.is_complex():
            part = torch.view_as_real(part.resolve_conj())
        if isinstance(part, torch.Tensor) and part.is_floating_point():
            rows.append(part.flatten())
    return torch.cat(rows)[:SMALL].double()


def map_of(operation, sample, base):
    """Return a map of two numbers: an operation on a tensor that they move away from ``base``."""
    generator = torch.Generator().manual_seed(5)
    a, b = (torch.randn(base.shape, generator=generator, dtype=torch.float64) for _ in range(2))

    def of_point(p):
        moved = base + p[0] * a + p[1] * b + 0.5 * (p[0] * p[1]) * a * b
        return torch.cat(
            [features_of(operation(moved, *sample.args, **sample.kwargs)), p, p.square()]
        )

    return of_point


def bases_of(tensor):
    """Return values of an operand: generic ones, a zero, zeros, a spread of sizes, and for matrices special ones."""
    with_zero = tensor.clone().contiguous()
    with_zero.view(-1)[0] = 0
    sizes = torch.logspace(-1, 1.5, tensor.numel(), dtype=torch.float64).view(tensor.shape)
    bases = [tensor, with_zero, torch.zeros_like(tensor), tensor * sizes]
    if tensor.ndim >= 2 and min(tensor.shape[-2:]) > 1:
        identity = torch.eye(*tensor.shape[-2:], dtype=torch.float64).expand_as(tensor)
        bases += [identity.clone(), torch.ones_like(tensor) + 1e-5 * tensor]
    return bases


def differences(of_point, point, step):
    """Return first and second derivatives ``[features, 2]`` and ``[features, 2, 2]`` by differences of the map.

    The third value says how far the slopes to the left and to the right are apart.
    """
    steps = torch.arange(-2, 3, dtype=torch.float64)
    with torch.no_grad():
        values = torch.stack(
            [of_point(point + step * move) for move in torch.cartesian_prod(steps, steps)]
        )
    values = values.view(5, 5, -1)

    def weighted(along_first, along_second):
        return torch.einsum("i,j,ijf->f", along_first, along_second, values)

    jacobian = torch.stack([weighted(FIRST, ORIGIN), weighted(ORIGIN, FIRST)], 1) / step
    mixed = weighted(FIRST, FIRST)
    second = (
        torch.stack([weighted(SECOND, ORIGIN), mixed, mixed, weighted(ORIGIN, SECOND)], 1)
        / step**2
    )
    here = values[2, 2]
    jumps = [values[2 + k, 2] + values[2 - k, 2] - 2 * here for k in (1, 2)]
    jumps += [values[2, 2 + k] + values[2, 2 - k] - 2 * here for k in (1, 2)]
    # a kink of which both sides are alike along the axes (the median of zeros) shows along the diagonal
    jumps.append(values[3, 3] - values[1, 1] - 2 * step * jacobian.sum(dim=1))
    return jacobian, second.view(-1, 2, 2), float(torch.stack(jumps).abs().max()) / step


def curvature(jacobian, second):
    """Return the scalar curvature by the Gauss equation, and the size of its terms."""
    inverse = torch.linalg.inv(jacobian.T @ jacobian)
    form = second - torch.einsum("kl,lij->kij", jacobian @ inverse @ jacobian.T, second)
    trace = torch.einsum("ij,kij->k", inverse, form).square().sum()
    square = torch.einsum("ia,jb,kij,kab->", inverse, inverse, form, form)
    return float(trace - square), float(trace + square)


def answer(function, call, *directions):
    """Return what a measure gives, or None if it refuses the map by name or warns of its slope."""
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        try:
            result = function(call, POINTS, *directions)
        except (TypeError, ValueError) as error:
            assert "feature_map" in str(error)  # noqa: PT017 (any other exception is a fault as well)
            return None
    return None if any(TOLD in str(message.message) for message in messages) else result


def curvature_between_kinks(call, x):
    return measure.scalar_curvature(call, x, kinks="ignore")


def wrong_measures(of_point):
    """Return which measures give a number at one of the points that is not that of differences."""

    def call(x):
        return torch.stack([of_point(p) for p in x])

    metric, stretch = answer(measure.metric, call), answer(measure.stretch, call, DIRECTIONS)
    curvatures = answer(curvature_between_kinks, call)
    wrong = set()
    for k, point in enumerate(POINTS):
        coarse, coarse_second, _ = differences(of_point, point, 2 * STEP)
        jacobian, second, jump = differences(of_point, point, STEP)
        largest = float(jacobian.abs().max())
        if float((coarse - jacobian).abs().max()) > CERTAIN * largest or jump > 0.1 * largest:
            continue
        expected = jacobian.T @ jacobian
        if metric is not None and float((metric[k] - expected).abs().max()) > WRONG * float(
            expected.abs().max()
        ):
            wrong.add("metric")
        pushed = float((jacobian @ DIRECTIONS[k]).norm() / DIRECTIONS[k].norm())
        if stretch is not None and abs(float(stretch[k]) - pushed) > WRONG * pushed:
            wrong.add("stretch")
        if float(torch.linalg.cond(jacobian)) > MOST_STRETCHED:
            continue
        rough, _ = curvature(coarse, coarse_second)
        value, size = curvature(jacobian, second)
        is_certain = abs(rough - value) <= 1e-3 * size
        if (
            curvatures is not None
            and is_certain
            and abs(float(curvatures[k]) - value) > 0.01 * max(1e-6, size)
        ):
            wrong.add("curvature")
    return wrong


def is_usable(of_point):
    """Return whether a map has finite values that are the same every time."""
    try:
        with torch.no_grad():
            first, again, other = of_point(POINTS[0]), of_point(POINTS[0]), of_point(POINTS[1])
    # values of which there is no result (a singular matrix)
    except (RuntimeError, ValueError, IndexError):
        return False
    return torch.equal(first, again) and bool(torch.isfinite(torch.cat([first, other])).all())


def small_sample(operation):
    """Return the first of torch's samples whose operand is a small tensor of float64, or None."""
    for sample in itertools.islice(
        operation.sample_inputs("cpu", torch.float64, requires_grad=False), 30
    ):
        operand = sample.input
        is_real = isinstance(operand, torch.Tensor) and operand.dtype == torch.float64
        if is_real and 1 <= operand.numel() <= SMALL:
            return sample
    return None


def faults_of(operation):
    """Return which measures of an operation are wrong, and for how many values it was tried."""
    begun, wrong, tried = time.process_time(), set(), 0
    sample = small_sample(operation)
    for base in [] if sample is None else bases_of(sample.input.detach().clone()):
        of_point = map_of(operation, sample, base)
        if time.process_time() - begun < SHARE and is_usable(of_point):
            wrong |= wrong_measures(of_point)
            tried += 1
    return wrong, tried


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_every_operation_is_measured_or_refused():
    """Nine minutes of a processor at most, after which the rest of the table is not looked at."""
    pytest.importorskip("expecttest", reason="torch's table of operations needs it")
    from torch.testing._internal.common_methods_invocations import op_db

    start, wrong, tried = time.process_time(), {}, 0
    table = [operation for operation in op_db if operation.supports_forward_ad]
    for operation in table:
        if time.process_time() - start > BUDGET or torch.float64 not in operation.supported_dtypes(
            "cpu"
        ):
            continue
        torch.manual_seed(0)  # of torch's samples
        measures, values = faults_of(operation)
        tried += values > 0
        name = f"{operation.name}.{operation.variant_test_name}"
        if measures and name not in BLIND:
            wrong[name] = measures
    assert tried > 200
    assert wrong == {}

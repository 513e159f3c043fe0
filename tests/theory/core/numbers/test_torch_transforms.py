"""Tests of torch functions without checks under ``torch.compile`` and ``torch.func.vmap``, for all closed forms."""

from __future__ import annotations

import re

import pytest
import sympy as sp

import theory
from tests.theory.core.demonstrations import X, transcribed, x
from theory.core import phi1

LAST_DIGITS = 1e-12
FAST = {
    "collapse.noise_floor",
    "two_point.final_distance",
}
FORMS = [
    pytest.param(name, marks=() if name in FAST else pytest.mark.slow)
    for name in theory.catalogue()
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMS)
def test_functions_compile_to_one_graph_and_map_over_points(name, torch):
    form = theory.catalogue()[name]
    if not form.arguments or form.expression.has(sp.Integral):
        pytest.skip("a constant or an integral, which has no graph")
    try:
        function = form.function("torch", validate=False)
    except NotImplementedError as lacking:
        pytest.skip(str(lacking))
    points = [torch.tensor(column) for column in form.sample(6, seed=6).values()]
    expected = form.function("torch")(*points)
    torch._dynamo.reset()
    compiled = torch.compile(function, fullgraph=True, backend="eager")
    torch.testing.assert_close(
        torch.func.vmap(function)(*points), expected, rtol=LAST_DIGITS, atol=0
    )
    try:
        values = compiled(*points)
    except torch._dynamo.exc.Unsupported as lacking:
        if not re.search(r"builtin:? neg\b", str(lacking)):
            raise
        pytest.skip(
            "torch.compile of this version knows no unary minus of Python objects, here of pairs of numbers"
        )
    torch.testing.assert_close(values, expected, rtol=LAST_DIGITS, atol=0)


def test_branches_are_chosen_without_control_flow(torch):
    form = transcribed(sp.Piecewise((x**2, x > 1), (phi1(x), x > -1), (-x, True)), X)
    function, points = form.function("torch", validate=False), torch.linspace(-2, 2, 9)
    slopes = torch.func.vmap(torch.func.grad(function))(points)
    values = points.clone().requires_grad_()
    (expected,) = torch.autograd.grad(function(values).sum(), values)
    torch.testing.assert_close(slopes, expected)
    torch.testing.assert_close(torch.func.vmap(function)(points), function(points))


def test_the_function_with_checks_says_how_to_map_over_points(torch):
    form = theory.catalogue()["two_point.final_distance"]
    points = [torch.tensor(column) for column in form.sample(3, seed=6).values()]
    with pytest.raises(
        RuntimeError,
        match=r"two_point.final_distance: .*vmap; use function\('torch', validate=False\)",
    ):
        torch.func.vmap(form.function("torch"))(*points)
    with pytest.raises(RuntimeError, match="validate=False"):
        torch.func.vmap(
            torch.func.grad(lambda dh2_0: form.function("torch")(dh2_0, 0.2, 2, 3, 0.7, 1.3))
        )(points[0])

"""Closed forms to take along: in sympy's own functions, and as code, compiled and run where the language is there."""

import ctypes
import json
import math
import shutil
import subprocess

import numpy as np
import pytest
import sympy as sp
from sympy.parsing.mathematica import parse_mathematica

import theory
from theory.core.text.code import code

# Between them they use every helper, cases, constants, an integer, conditions and parameters with taken names.
FORMS = [
    "two_point.dh2",
    "two_point.crossing_time",
    "leaky_resnet.mode_path",
    "geometry.nngp_kernel.gelu",
    "geometry.nngp_kernel.sin",
    "geometry.three_unit_curvature",
    "collapse.correlation_chance",
]
POINTS = 20


def ordinary(name):
    """The closed form, its arguments at points of its domain, and its values there."""
    form = theory.catalogue()[name]
    points = form.sample(POINTS, seed=3)
    columns = [points[argument.name] for argument in form.arguments]
    return form, columns, np.broadcast_to(form(**points), POINTS)


@pytest.mark.parametrize("name", FORMS)
def test_plain_is_sympy_alone_and_has_the_same_values(name):
    form, columns, expected = ordinary(name)
    ours = [node for node in sp.preorder_traversal(form.plain) if type(node).__module__.startswith("theory")]
    assert not ours
    function = sp.lambdify([argument.symbol for argument in form.arguments], form.plain, ["scipy", "numpy"])
    np.testing.assert_allclose(function(*columns), expected, rtol=1e-9)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a compiler of C")
@pytest.mark.parametrize("name", FORMS)
def test_the_code_in_c_compiles_without_a_warning_and_has_the_same_values(name, tmp_path):
    form, columns, expected = ordinary(name)
    (tmp_path / "form.c").write_text(form.code("c"), encoding="utf-8")
    flags = "-std=c99 -Wall -Wextra -Wno-unused-function -Werror -shared -fPIC -o form.so form.c -lm"
    subprocess.run(["cc", *flags.split()], cwd=tmp_path, check=True)
    function = getattr(ctypes.CDLL(str(tmp_path / "form.so")), name.replace(".", "_"))
    function.restype = ctypes.c_double
    kinds = [ctypes.c_long if argument.symbol.is_integer else ctypes.c_double for argument in form.arguments]
    function.argtypes = kinds
    rows = [
        [int(x) if kind is ctypes.c_long else x for kind, x in zip(kinds, row, strict=True)]
        for row in zip(*columns, strict=True)
    ]
    np.testing.assert_allclose([function(*row) for row in rows], expected, rtol=1e-11)
    for outside in (math.nan, math.inf):
        assert math.isnan(function(*(-1 if kind is ctypes.c_long else outside for kind in kinds)))


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
@pytest.mark.parametrize("name", FORMS)
def test_the_code_in_javascript_has_the_same_values(name):
    form, columns, expected = ordinary(name)
    rows = json.dumps(np.column_stack(columns).tolist())
    call = f"console.log(JSON.stringify({rows}.map((row) => {name.replace('.', '_')}(...row))))"
    ran = subprocess.run(["node", "-e", form.code("js") + call], capture_output=True, text=True, check=True)
    np.testing.assert_allclose(json.loads(ran.stdout), expected, rtol=1e-9)


def test_the_code_in_mathematica_reads_back_as_the_formula():
    """Read by sympy's parser, which shares nothing with its printer."""
    form, columns, expected = ordinary("geometry.three_unit_curvature")
    lines = [line.strip().rstrip(";") for line in form.code("mathematica").splitlines()]
    values = {}
    for line in lines:
        if line.startswith("v") and " = " in line:
            name, value = line.split(" = ", 1)
            values[sp.Symbol(name)] = parse_mathematica(value).xreplace(values)
    result = parse_mathematica(next(line for line in lines if "/;" in line).split("] /;")[0]).xreplace(values)
    names = [sp.Symbol(argument.name.replace("_", "")) for argument in form.arguments]
    np.testing.assert_allclose(sp.lambdify(names, result)(*columns), expected, rtol=1e-9)


def test_what_a_language_lacks_is_named():
    catalogue = theory.catalogue()
    with pytest.raises(NotImplementedError, match=r"two_point\.final_distance_mean: the code in 'c' has no integral"):
        catalogue["two_point.final_distance_mean"].code("c")
    with pytest.raises(
        NotImplementedError, match=r"compression\.label_information_floor: the code in 'js' has no polygamma"
    ):
        catalogue["compression.label_information_floor"].code("js")
    with pytest.raises(ValueError, match="'rust'"):
        catalogue["two_point.dh2"].code("rust")


def test_an_undefined_function_is_refused():
    x = sp.Symbol("x", real=True)
    form = theory.core.ClosedForm(
        "own.form",
        "A form.",
        (theory.core.Argument(x, "a number"),),
        sp.Function("f")(x),
        theory.core.Status.CONJECTURED,
    )
    with pytest.raises(ValueError, match=r"own\.form: f is an undefined function"):
        code(form, "c")


def test_a_module_trains_an_argument_and_keeps_it_in_its_domain():
    """Fits the time constant with which a curve was made, from ten times its value."""
    torch = pytest.importorskip("torch")
    form = theory.catalogue()["two_point.dh2"]
    rest = {"dh2_0": 0.1, "dy2_0": 0.01, "w_0": 0.01, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
    times = torch.linspace(0, 6, 30, dtype=torch.float64)
    curve = form.function("torch")(t=times, tau_h=0.7, **rest)
    model = form.module(trainable=("tau_h",), tau_h=2.0, **rest).double()
    optimiser = torch.optim.LBFGS(model.parameters(), max_iter=60, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = ((model(t=times) - curve) ** 2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    assert abs(model.values()["tau_h"].item() - 0.7) < 1e-5
    assert "two_point.dh2, trainable=('tau_h',)" in repr(model)


def test_a_module_refuses_what_cannot_be_trained():
    pytest.importorskip("torch")
    form = theory.catalogue()["two_point.dh2"]
    with pytest.raises(ValueError, match="tau_x"):
        form.module(trainable=("tau_x",))
    with pytest.raises(TypeError, match="trainable: got 'tau_h', needs a sequence of names"):
        form.module(trainable="tau_h")
    with pytest.raises(ValueError, match=r"tau_h .*: got -1"):
        form.module(trainable=("tau_h",), tau_h=-1.0)

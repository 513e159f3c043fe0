"""Closed forms to take along: in sympy's own functions, and as code, compiled and run where the language is there."""

import ctypes
import itertools
import json
import math
import re
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


def compiled(form, folder):
    """The function of the C code of a form, which is compiled without a warning."""
    name = form.name.replace(".", "_")
    (folder / f"{name}.c").write_text(form.code("c"), encoding="utf-8")
    flags = f"-std=c99 -Wall -Wextra -Wno-unused-function -Werror -shared -fPIC -o {name}.so {name}.c -lm"
    subprocess.run(["cc", *flags.split()], cwd=folder, check=True)
    function = getattr(ctypes.CDLL(str(folder / f"{name}.so")), name)
    function.restype = ctypes.c_double
    function.argtypes = [
        ctypes.c_long if argument.symbol.is_integer else ctypes.c_double
        for argument in form.arguments
    ]
    return function


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMS)
def test_plain_is_sympy_alone_and_has_the_same_values(name):
    form, columns, expected = ordinary(name)
    ours = [
        node
        for node in sp.preorder_traversal(form.plain)
        if type(node).__module__.startswith("theory")
    ]
    assert not ours
    function = sp.lambdify(list(form.symbols), form.plain, ["scipy", "numpy"])
    np.testing.assert_allclose(function(*columns), expected, rtol=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FORMS)
def test_sympy_prints_the_expression_itself_too(name):
    form, columns, expected = ordinary(name)
    symbols = [argument.symbol for argument in form.arguments]
    function = sp.lambdify(symbols, form.expression, ["scipy", "numpy"])
    np.testing.assert_allclose(function(*columns), expected, rtol=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a compiler of C")
@pytest.mark.parametrize("name", FORMS)
def test_the_code_in_c_compiles_without_a_warning_and_has_the_same_values(name, tmp_path):
    form, columns, expected = ordinary(name)
    function = compiled(form, tmp_path)
    kinds = function.argtypes
    rows = [
        [int(x) if kind is ctypes.c_long else x for kind, x in zip(kinds, row, strict=True)]
        for row in zip(*columns, strict=True)
    ]
    np.testing.assert_allclose([function(*row) for row in rows], expected, rtol=1e-11)
    for outside in (math.nan, math.inf):
        assert math.isnan(function(*(-1 if kind is ctypes.c_long else outside for kind in kinds)))


@pytest.mark.sampled(2)
@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
@pytest.mark.parametrize("name", FORMS)
def test_the_code_in_javascript_has_the_same_values(name):
    form, columns, expected = ordinary(name)
    rows = json.dumps(np.column_stack(columns).tolist())
    call = f"console.log(JSON.stringify({rows}.map((row) => {name.replace('.', '_')}(...row))))"
    ran = subprocess.run(
        ["node", "-e", form.code("js") + call], capture_output=True, text=True, check=True
    )
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
    result = parse_mathematica(
        next(line for line in lines if "/;" in line).split("] /;")[0]
    ).xreplace(values)
    names = [sp.Symbol(argument.name.replace("_", "")) for argument in form.arguments]
    np.testing.assert_allclose(sp.lambdify(names, result)(*columns), expected, rtol=1e-9)


@pytest.mark.parametrize("language", ["python", "numpy"])
def test_code_that_loses_digits_which_the_closed_form_keeps_says_so(language):
    """The conserved quantity near 0 is a difference of two equal terms, of which half of the digits are lost."""
    form, namespace = theory.catalogue()["two_point.conserved_quantity"], {}
    point = {argument.name: 1.0 for argument in form.arguments} | {
        "dh2": 1 + 1e-9,
        "dy2": 1 + 3e-9,
    }
    text = form.code(language)
    exec(text, namespace)  # our own text
    value = namespace["two_point_conserved_quantity"](*point.values())
    exact = float(form.evaluate(**point))
    assert float(form(**point)) == pytest.approx(exact, rel=1e-12, abs=0)
    assert value != pytest.approx(exact, rel=1e-9, abs=0)
    assert "twice the digits; this code does not" in text.replace("\n# ", " ")


ENDS = [
    "*/ int x = 1; /*",
    "a\nint b;",
    "a\r\u2028b()\u2029c()\x85d\x00",
]  # of a comment in C and JavaScript, where code follows
TEXTS = [
    *ENDS,
    "tau*/tau",
    "*)*)(*(*",
    "/*/*)(*)*/",
    'a "b',
    "=# #=",
]
NAMES = [
    "v0",
    "v1",
    "own_form_long",
    "_",
    "_1",
    "I",
    "fmax",
    "Math",
    "double",
    "log_ratio",
    "x_y",
    "xY",
    "x_Y",
    "INFINITY",
]


def hostile(text):
    """A form of many arguments that no language takes as they are, with the same text wherever somebody writes one."""
    symbols = [sp.Symbol(name, real=True) for name in NAMES]
    arguments = [theory.core.Argument(symbol, f"{text} {text}", unit=text) for symbol in symbols]
    condition = theory.core.Condition(sp.Ge(symbols[0] + 100, 0), text)
    total = sum(sp.sin(index * symbol) ** 2 for index, symbol in enumerate(symbols, 1))
    expression = (
        total
        + sp.exp(sp.Max(*symbols[:3]))
        + sp.exp(2 * total)
        + sp.log(1 + symbols[2] ** 2 + total)
    )
    status = theory.core.Status.CONJECTURED
    return theory.core.ClosedForm(
        "own.form", text, tuple(arguments), expression, status, conditions=(condition,)
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", TEXTS)
def test_no_text_or_name_of_people_ends_a_comment_or_a_function(text, tmp_path):
    form, values = hostile(text), [index / 20 for index in range(len(NAMES))]
    expected = form(*values)
    for language, mark in (("julia", "# "), ("js", "// "), ("c", "/* ")):
        head = (
            form.code(language)
            .split("\n#include" if language == "c" else "function")[0]
            .splitlines()
        )
        assert all(line.startswith(mark) for line in head if line)
    outside = form.code("mathematica")
    while "(*" in outside:  # a comment without others inside
        outside = re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)\n", "", outside)
    assert outside.startswith("ownForm[v0_, v1_, ownFormLong_, x_, x1_, i_, ")
    assert "*)" not in outside
    assert len(set(re.findall(r"(\w+)_[,\]]", outside))) == len(NAMES)
    if shutil.which("cc") and text in ENDS:
        assert compiled(form, tmp_path)(*values) == pytest.approx(expected, rel=1e-12)
    if shutil.which("node") and text in ENDS:
        call = f"console.log(own_form({','.join(map(str, values))}))"
        ran = subprocess.run(
            ["node", "-e", form.code("js") + call], capture_output=True, text=True, check=True
        )
        assert float(ran.stdout) == pytest.approx(expected, rel=1e-12)


def written(language):
    """Names of closed forms that can be written in a language."""
    for name, form in theory.catalogue().items():
        try:
            form.code(language)
        except NotImplementedError:
            continue
        yield name


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a compiler of C")
def test_every_form_compiles_in_c(tmp_path):
    assert len([compiled(theory.catalogue()[name], tmp_path) for name in written("c")]) > 90


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_every_form_is_javascript():
    names = list(written("js"))
    code = "\n".join(f"(() => {{ {theory.catalogue()[name].code('js')} }})();" for name in names)
    assert len(names) > 90
    subprocess.run(["node", "-e", code], check=True)


def test_what_a_language_lacks_is_named():
    catalogue = theory.catalogue()
    with pytest.raises(
        NotImplementedError,
        match=r"two_point\.final_distance_mean: the code in 'c' has no integral",
    ):
        catalogue["two_point.final_distance_mean"].code("c")
    with pytest.raises(
        NotImplementedError,
        match=r"compression\.label_information_floor: the code in 'js' has no polygamma",
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
    with pytest.raises(ValueError, match=r"dy2_0: got 0, needs a trainable number"):
        form.module(trainable=("dy2_0",), dy2_0=0.0)


PYTHONIC = ("collapse.correlation_chance", "geometry.three_unit_curvature", "two_point.dh2")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        *itertools.product(PYTHONIC, ["python", "numpy"]),
        ("geometry.three_unit_curvature", "jax"),
        *(
            pytest.param(name, "jax", marks=pytest.mark.slow)
            for name in PYTHONIC
            if name != "geometry.three_unit_curvature"
        ),
    ],
)
def test_the_code_in_python_has_the_same_values_and_is_nan_outside(name, language):
    form, columns, expected = ordinary(name)
    if language == "jax":
        pytest.importorskip("jax").config.update("jax_enable_x64", True)
    namespace: dict = {}
    exec(form.code(language), namespace)
    function = namespace[name.replace(".", "_")]
    outside = [math.nan] * len(form.arguments)
    if language == "python":
        rows = zip(*(np.asarray(column).tolist() for column in columns), strict=True)
        values = [function(*row) for row in rows]
        assert math.isnan(function(*outside))
    else:
        values = np.asarray(function(*map(np.asarray, columns)))
        crossed = np.asarray(function(*[np.asarray(column)[:, None] for column in columns[:1]],
                                      *map(np.asarray, columns[1:])))  # fmt: skip
        if len(columns) > 1:
            np.testing.assert_allclose(np.diagonal(crossed), values, rtol=1e-12)
        assert np.isnan(function(*map(np.asarray, outside)))
    np.testing.assert_allclose(values, expected, rtol=1e-8)

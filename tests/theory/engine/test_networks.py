"""Kernels and metrics of networks against neural-tangents, the catalogue, and what no single network can be."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
import sympy as sp

from closedform.interruption import budget
from closedform.networks import Chain
from tests.marks import slow
from tests.theory.neural_tangents import NETWORKS, REFERENCE
from theory import geometry
from theory.activations import z
from theory.engine import (
    Act,
    Attention,
    Conv,
    Dense,
    Flatten,
    Mean,
    Norm,
    Pool,
    Product,
    Sum,
    critical,
    curvature,
    finite_width,
    kernel,
    metric,
    residual,
    tangent,
    volume,
)

SIGMA = sp.Symbol("sigma", positive=True)
ZETA = sp.Symbol("zeta", nonnegative=True)


def layer():
    return Dense(SIGMA**2, ZETA**2)


def verdicts(form):
    return Counter(verdict.name for verdict in form.check().values())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("norm", kernel),
        ("residual_relu_erf", kernel),
        ("product", tangent),
        *slow(
            ("relu_erf_sin", kernel),
            ("relu_erf_sin", tangent),
            ("residual_relu_erf", tangent),
            ("norm", tangent),
            ("product", kernel),
        ),
    ],
)
def test_kernels_of_dense_networks_are_those_of_neural_tangents(name, kind):
    form = kind(NETWORKS[name])
    inputs = np.array(REFERENCE["x"])
    products = inputs @ inputs.T / inputs.shape[1]
    expected = REFERENCE[name][kind is tangent]
    for i, j in ((0, 1), (1, 0)):
        value = form(xx=products[i, i], yy=products[j, j], xy=products[i, j])
        assert value == pytest.approx(expected[i][j], rel=2e-12)
    assert set(verdicts(form)) == {"HOLDS"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("conv_pool", kernel),
        *slow(("conv_pool", tangent), ("conv_flat", kernel), ("conv_flat", tangent)),
    ],
)
def test_kernels_of_convolutions_are_those_of_neural_tangents(name, kind):
    form = kind(NETWORKS[name], positions=4)
    images = np.array(REFERENCE["xc"])
    point = {}
    for (block, (a, b)), p, q in product(
        (("xx", (0, 0)), ("yy", (1, 1)), ("xy", (0, 1))), range(4), range(4)
    ):
        point[f"{block}_{p}_{q}"] = float(images[a, p] @ images[b, q] / 3)
    value = form(**{argument.name: point[argument.name] for argument in form.arguments})
    assert value == pytest.approx(REFERENCE[name][kind is tangent][0][1], rel=2e-12)


POINT = {"d": 3, "r": "1.3", "sigma": "0.8", "zeta": "0.4"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("net", "verb", "quantity", "depth"),
    [
        (layer() >> Act("erf"), volume, "volume_element", 1),
        *slow(
            (layer() >> Act("tanh"), volume, "volume_element", 1),
            (layer() >> Act("gelu"), curvature, "scalar_curvature", 1),
        ),
        (layer() >> Act("relu_power_2"), curvature, "scalar_curvature", 1),
        (layer() >> Act("erf") >> layer() >> Act("erf"), curvature, "scalar_curvature", 2),
        *slow(
            (
                layer() >> Act("sin") >> layer() >> Act("sin") >> layer() >> Act("sin"),
                curvature,
                "scalar_curvature",
                3,
            )
        ),
    ],
    ids=["erf", "tanh", "gelu", "relu_power_2", "erf_2", "sin_3"],
)
def test_metrics_are_those_of_the_catalogue(net, verb, quantity, depth):
    act = net.levels[-1].activation
    known = (
        getattr(geometry.deep_nngp(act, depth), quantity)
        if depth > 1
        else getattr(geometry, quantity)(act)
    )
    form = verb(net)
    digits = 14 if act == "tanh" else 22
    value, expected = (f.evaluate(**POINT, digits=digits) for f in (form, known))
    assert abs(value / expected - 1) < 10 ** (1 - digits)
    assert set(verdicts(form)) == {"HOLDS"}


def test_a_rotation_invariant_kernel_on_a_sphere_has_one_curvature():
    # Norm maps inputs with a bias to a hemisphere, and what is above it is invariant under its rotations.
    form = curvature(layer() >> residual(Act("relu") >> layer()) >> Norm() >> Act("erf"))
    values = [form(d=3, r=r, sigma=0.8, zeta=0.4) for r in (1e-8, 1.0, 1e8)]
    assert np.ptp(values) < 1e-14 * abs(values[0])
    assert set(verdicts(form)) == {"HOLDS"}


def test_the_metric_of_a_product_is_the_derivative_of_its_kernel():
    net = layer() >> Product(layer() >> Act("erf"), layer()) >> layer()
    parts = metric(net)
    expression, step = kernel(net), 1e-3

    def at(x, y):
        return float(expression(xx=x @ x, yy=y @ y, xy=x @ y, sigma=0.8, zeta=0.4))

    x = np.array([1.1, 0.0])
    for direction, form in (
        (np.array([1.0, 0]), parts.radial),
        (np.array([0, 1.0]), parts.tangential),
    ):
        signs = list(product((1, -1), repeat=2))
        mixed = sum(
            s * t * at(x + s * step * direction, x + t * step * direction) for s, t in signs
        )
        assert mixed / (4 * step**2) == pytest.approx(
            float(form(r=1.21, sigma=0.8, zeta=0.4)), rel=1e-5
        )
    assert set(verdicts(parts.radial)) == {"HOLDS"}


def test_the_steps_of_attention_hold():
    net = Dense(2) >> Act("relu") >> Attention("1/2") >> Dense(2) >> Pool()
    assert set(verdicts(tangent(net, positions=2))) == {"HOLDS"}


@pytest.mark.slow
def test_the_formula_of_a_deep_network_is_as_long_as_the_network():
    net = layer()
    for _ in range(4):
        net = net >> Act("sin") >> layer()
    form = kernel(net)
    point = {"xx": 1, "yy": 1, "xy": "0.3", "sigma": "1.2", "zeta": "0.3"}
    assert len(str(form.expression)) < 1_250  # 300 for each layer
    assert form(**{key: float(value) for key, value in point.items()}) == pytest.approx(
        float(form.evaluate(**point))
    )
    assert set(verdicts(form)) == {"HOLDS"}
    assert form.specialise({"sigma": 1}).steps[-1].check().name == "HOLDS"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("act", ["relu", "tanh", "sin", *slow("erf")])
def test_critical_lines_keep_variance_and_angles(act):
    line = critical(Act(act) >> Dense())
    weights, biases = (float(form(**{"q": 0.7} if form.arguments else {})) for form in line[:2])
    parts = metric(Dense(1) >> Act(act) >> Dense(weights, biases))
    value = kernel(Dense(1) >> Act(act) >> Dense(weights, biases))(xx=0.7, yy=0.7, xy=0.7)
    assert value == pytest.approx(0.7, rel=1e-12)
    across = parts.tangential
    assert across(**{"r": 0.7} if across.arguments else {}) == pytest.approx(1, rel=1e-12)
    assert set(verdicts(line.weights) + verdicts(line.biases) + verdicts(line.along)) == {"HOLDS"}


def test_a_block_without_a_critical_point_says_so():
    with pytest.raises(ValueError, match="keeps small angles at no weights"):
        critical(residual(Act("relu") >> Dense(SIGMA)))


def test_the_kurtosis_of_rectifiers_is_the_first_order_of_the_exact_one():
    widths = sp.symbols("n1:4", positive=True)
    net = Dense(2, width=widths[0])
    for width in (*widths[1:], None):
        net = net >> Act("relu") >> Dense(2, width=width)
    first = finite_width(net)
    exact = 3 * sp.prod([1 + 5 / width for width in widths]) - 3
    small = sp.Symbol("small", positive=True)
    order = sp.diff(exact.subs({width: width / small for width in widths}), small).subs(small, 0)
    assert sp.simplify(first.kurtosis.expression - order) == 0
    assert first.shift.expression == 0
    assert set(verdicts(first.kurtosis)) == {"HOLDS"}


@pytest.mark.parametrize("act", ["sin", *slow("erf", "gelu")])
def test_first_orders_keep_their_digits_at_small_and_large_variances(act):
    width = sp.Symbol("n", positive=True)
    narrow = Dense(SIGMA**2, ZETA**2, width=width)
    first = finite_width(narrow >> Act(act) >> narrow >> Act(act) >> Dense())
    for form in first:
        for r, sigma, zeta in ((1e-8, 0.01, 1e-5), (1.0, 0.8, 0.4), (1e6, 0.8, 0.4)):
            values = {"r": r, "sigma": sigma, "zeta": zeta, "n": 100.0}
            point = {argument.name: values[argument.name] for argument in form.arguments}
            assert form(**point) == pytest.approx(float(form.evaluate(**point)), rel=1e-8, abs=0)


REFUSED = [
    (lambda: Act("relu") >> Act("erf"), "features are not Gaussian"),
    (lambda: Conv() >> Flatten() >> Act("relu"), "features are not Gaussian"),
    (lambda: Sum(Act("relu"), Act("erf")), "at most one branch"),
    (lambda: Product(Act("relu"), Chain()), "at most one branch"),
    (lambda: Sum(Dense()), "two or more"),
    (lambda: Dense(name="a") >> Act("relu") >> Dense(name="a"), "no weights are shared"),
    (lambda: kernel(Act("relu") >> Dense()), "needs a Dense or Conv before"),
    (lambda: kernel(Conv() >> Act("relu"), positions=3), "needs Pool or Flatten"),
    (lambda: kernel(Dense(-1)), "not negative"),
    (lambda: tangent(Dense() >> Act("relu") >> Dense(0, 1)), "nothing depends on the inputs"),
    (lambda: volume(Dense(2) >> Norm() >> Act("tanh")), "the same along each ray"),
    (lambda: curvature(Dense(2) >> Norm() >> Act("erf")), "there is no curvature"),
    (lambda: tangent(Chain()), "needs a layer with weights"),
    (lambda: tangent(Dense() >> Act("sign(z)") >> Dense()), "jumps"),
    (lambda: curvature(Conv() >> Act("erf")), "a metric of its own"),
    (lambda: curvature(Act("erf") >> Dense()), "needs a Dense first"),
    (lambda: finite_width(Dense() >> residual(Act("relu") >> Dense())), "in turn"),
    (lambda: kernel(Dense(sp.Symbol("xx"))), "needs another letter"),
    (lambda: curvature(Dense(sp.Symbol("r")) >> Act("erf")), "needs another letter"),
    (lambda: critical(residual(Act("erf") >> Dense(sp.Symbol("q")))), "needs another letter"),
    (lambda: Mean(z, (z, z), [[1, 0], [0, 1]]), "each once"),
    (lambda: Mean(z, z, [[1, 2], [3, 4]]), "shape"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_does_not_fit_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    "verb",
    [
        *slow(curvature),
        lambda net: metric(net).radial,
        kernel,
    ],
)
def test_letters_of_a_user_may_be_those_of_the_rules(verb):
    values = ("1.1", "0.3", "0.9", "0.2")

    def value(names):
        a, b, c, e = (sp.Symbol(name, real=True) for name in names)
        net = Dense(a**2, b**2) >> residual(Act("erf") >> Dense(c**2, e**2)) >> Act("erf")
        form = verb(net)
        assert set(verdicts(form)) == {"HOLDS"}
        point = {
            **dict(zip(names, values, strict=True)),
            "d": 3,
            "r": 1,
            "xx": 1,
            "yy": 2,
            "xy": "0.3",
        }
        return form.evaluate(
            **{argument.name: point[argument.name] for argument in form.arguments}
        )

    assert value(("a", "v", "S", "omega")) == value(("first", "second", "third", "fourth"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("quantity", [volume, curvature])
@pytest.mark.parametrize("first", [(), (Norm(), Dense())], ids=["dense", "normed"])
def test_a_new_network_has_its_digits_far_from_the_origin(quantity, first):
    """Along x the metric above erf is smaller than across by 1/r, and is their difference."""
    net = Dense(1, 0.1)
    for level in (*first, Act("erf"), Dense(), Act("gelu")):
        net = net >> level
    form, far = quantity(net), 10.0 ** np.arange(-8, 14)
    exact = [float(form.evaluate(digits=17, d=2, r=r)) for r in far]
    np.testing.assert_allclose(form(d=2, r=far), exact, rtol=1e-10)


def test_steps_of_a_network_with_numbers_are_decided_by_its_letters():
    """Without integrals nothing is written out, which took 12 s."""
    s = sp.Symbol("s", positive=True)
    net = Dense(s**2)
    for _ in range(4):
        net = net >> Act("sin") >> Dense(s**2)
    with budget(3.0):
        verdicts = kernel(net).specialise(s=1.2).check().values()
    assert {verdict.name for verdict in verdicts} == {"HOLDS"}

"""Tests of learning curves and kernel components: small runs, their traces, and bad configurations."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import torch as t

from empirics.experiments.compression import kernel_components, learning_curves
from empirics.experiments.compression.learners import ParityNetwork, stripes
from empirics.experiments.compression.trained import compressed, draw

CURVES = learning_curves.Config(
    dimension=3, sizes=(30, 60), regimes=("lazy", "compressed", "feature", "final_kernel"), kernel_method="flow",
    compression=None, width=30, most_steps=60, kernel_steps=500, realisations=2, test_points=500,
)  # fmt: skip
COMPONENTS = kernel_components.Config(
    points=60,
    test_points=200,
    components=4,
    dimension=3,
    width=30,
    most_steps=60,
    kernel_steps=300,
    realisations=2,
)
NAMES = (
    "compression-learning-curves",
    "compression-kernel-components",
    "compression-kernel-learning",
)


@pytest.fixture(scope="module")
def curves():
    return learning_curves.run(CURVES, progress=False)


@pytest.fixture(scope="module")
def components():
    return kernel_components.run(COMPONENTS, progress=False)


def test_compression_shrinks_the_other_directions_only():
    points, labels = draw("cylinder", (50, 4), 1, 2)
    squeezed = compressed("cylinder", points, 4.0)
    t.testing.assert_close(squeezed[:, :2], points[:, :2])
    t.testing.assert_close(squeezed[:, 2:] * 4, points[:, 2:])
    assert set(labels.tolist()) == {-1.0, 1.0}
    again, _ = draw("cylinder", (50, 4), 1, 2)
    assert (again == points).all()
    assert not (draw("cylinder", (50, 4), 1, 3)[0] == points).any()


def test_learning_curves_have_every_regime_and_repeat_bit_for_bit(curves):
    assert curves["error"].dims == ("regime", "size", "seed")
    assert np.isfinite(curves["error"]).all()
    assert ((curves["error"] >= 0) & (curves["error"] <= 1)).all()
    # compressed by what was measured
    np.testing.assert_array_equal(curves["factor"], curves["amplification"])
    alone = learning_curves.run(replace(CURVES, sizes=(60,)), progress=False)
    # a size does not depend on what other sizes there are
    for name in ("error", "fitted", "factor"):
        np.testing.assert_array_equal(alone[name].isel(size=0), curves[name].isel(size=1))


def test_compressed_data_are_learnt_better():
    config = learning_curves.Config(sizes=(200,), realisations=3, test_points=4000)
    found = learning_curves.run(config, progress=False)["error"].mean("seed").isel(size=0)
    assert float(found.sel(regime="compressed")) < 0.6 * float(found.sel(regime="lazy"))


def test_components_of_the_stripe(components):
    projected = components["projection"].sum("component")
    assert (projected <= 1).all()
    assert (components["eigenvalue"].diff("component") <= 0).all()
    np.testing.assert_allclose((components["plane"] ** 2).mean("point"), 1, rtol=1e-9)
    of = projected.mean("seed")
    # the labels come to lie along them
    assert float(of.sel(kernel="final")) > float(of.sel(kernel="initial"))


def test_the_learners_kernel_is_that_of_its_network():
    learner = stripes(COMPONENTS, t.device("cpu"))[1]
    x = learner.fresh[0][:20]
    hidden, output = learner.trained.weights(1)
    step = 1e-6
    flow = learner.trained.flow
    base = learner.predictor(x)
    flow.output = flow.output.double()
    flow.output[1] = output + step
    # the sum of the gradients in the output weights
    changed = (learner.predictor(x) - base) / (step * flow.alpha)
    extended = t.cat([x / x.shape[1] ** 0.5, t.ones(len(x), 1)], dim=1)
    active = 2**0.5 * (extended @ hidden.T).clamp_min(0) / len(output)
    np.testing.assert_allclose(changed, active.sum(1), rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(
        learner.gram("final_last_layer", x), active @ active.T * len(output), rtol=1e-9
    )


@pytest.mark.parametrize("kernel", ["initial_last_layer", "final_last_layer"])
def test_the_last_layer_is_what_its_kernel_multiplies(kernel):
    learner = stripes(COMPONENTS, t.device("cpu"))[0]
    x = learner.fresh[0][:20]
    active = learner.last_layer(kernel, x)
    np.testing.assert_allclose(
        learner.gram(kernel, x), active @ active.T * 2 / active.shape[1], rtol=1e-9
    )


def test_the_last_layer_of_a_network_of_images_is_what_its_kernel_multiplies():
    pytest.importorskip("sklearn")
    config = kernel_components.Config(
        task="digits", points=40, test_points=40, width=4, blocks=2, alpha=0.1, most_steps=2
    )
    learner = ParityNetwork(config, 0, t.device("cpu"))
    x = learner.fresh[0]
    active = learner.last_layer("final_last_layer", x).double()
    np.testing.assert_allclose(
        learner.gram("final_last_layer", x), active @ active.T + 1, rtol=1e-4
    )


def test_the_last_layer_of_the_stripe_has_fewer_dimensions_after_training(components):
    of = components["effective_dimension"].mean("seed")
    assert float(of.sel(kernel="final_last_layer")) < float(of.sel(kernel="initial_last_layer"))
    assert np.isnan(of.sel(kernel=["initial", "final"])).all()
    assert (components["input_dimension"] > 2).all()  # d = 3


def test_digits_run_without_files():
    pytest.importorskip("sklearn")
    config = kernel_components.Config(
        task="digits", points=40, test_points=40, components=2, width=4, blocks=1, alpha=0.1, most_steps=20,
        kernel_steps=50, realisations=1,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # oneDNN's, of small convolutions
        found = kernel_components.run(config, progress=False)
    assert np.isfinite(found["projection"]).all()
    assert np.isfinite(found["effective_dimension"].sel(kernel="final_last_layer")).all()


@pytest.mark.parametrize(
    ("make", "changes", "named"),
    [
        (learning_curves.Config, {"model": "cylinder", "dimension": 2}, "dimension"),
        (learning_curves.Config, {"sizes": (200, 100)}, "sizes"),
        (learning_curves.Config, {"sizes": ()}, "sizes"),
        (learning_curves.Config, {"regimes": ("rich",)}, "regimes"),
        (learning_curves.Config, {"regimes": ()}, "regimes"),
        (learning_curves.Config, {"regimes": ("final_kernel",)}, "regimes"),
        (learning_curves.Config, {"regimes": ("compressed",), "compression": None}, "compression"),
        (learning_curves.Config, {"alpha": 0.0}, "alpha"),
        (kernel_components.Config, {"components": 501}, "components"),
        (kernel_components.Config, {"momentum": 1.0}, "momentum"),
        (kernel_components.Config, {"width": 2.5}, "width"),
    ],
)
def test_bad_configurations_are_named(make, changes, named):
    with pytest.raises((ValueError, TypeError), match=f"^{named}"):
        make(**changes)


def test_form_and_norm_of_planted_kernels(rng):
    """A kernel of the form of Eq. (10) leaves nothing, another power much; the norm is that of a plain inverse."""
    from empirics.experiments.compression.kernel_components import beyond_linear, label_norm

    x = t.from_numpy(rng.normal(size=(300, 4)))

    def planted(power):
        return lambda a, b: (
            t.exp(a[:, :1] * b[:, 0]) + (1 + a[:, :1] + b[:, 0]) * (a[:, 1:] @ b[:, 1:].T) ** power
        )

    assert beyond_linear(planted(1), x) == pytest.approx(0, abs=1e-12)
    assert 0.5 < beyond_linear(planted(2), x) <= 1
    assert beyond_linear(lambda a, b: a[:, :1] * b[:, 0], x) == 0
    with pytest.raises(ValueError, match="x: got 239 points, needs at least 240"):
        beyond_linear(planted(1), x[:239])
    x = x[:40]
    gram, y = x @ x.T + t.eye(40), t.sign(x[:, 0])
    scaled = gram / gram.diagonal().mean() + 1e-3 * t.eye(40)
    assert label_norm(7 * gram, y) == pytest.approx(
        float(y @ t.linalg.inv(scaled) @ y) / 40, rel=1e-9
    )


def test_the_two_points_of_a_pair_are_different(rng):
    """A kernel that is large only where points coincide has nothing to say of pairs of different ones."""
    from empirics.experiments.compression.kernel_components import beyond_linear

    for count in (240, 300, 500):
        x = t.from_numpy(rng.normal(size=(count, 4)))
        assert beyond_linear(lambda a, b: (t.cdist(a[:, 1:], b[:, 1:]) < 1e-6).double(), x) == 0

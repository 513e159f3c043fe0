"""Tests of the collapse experiments: configuration, records and their times, resumption, studies."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

pytest.importorskip("sklearn", reason="scikit-learn is not installed: no data that need no files")

from empirics import data, experiments, measure, networks, training
from empirics.experiments import collapse
from empirics.experiments.collapse import Config, records
from empirics.training.loop import DivergedError

SMALL = Config(
    dataset="digits", network="mlp", depths=(24, 16, 12), train_size=100, test_size=80, epochs=3, collapse_at=(2,),
    seeds=2, learning_rate=0.03, batch_size=20,
)  # fmt: skip


@pytest.fixture(scope="module")
def trace():
    return collapse.run(SMALL, progress=False)


def test_epochs_are_ordered_and_layers_have_their_default_widths():
    assert replace(SMALL, information_at=[2, 0]).information_at == (0, 2)
    assert Config().depths == (16, 32, 64)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"network": "plain", "depths": None},
            ValueError,
            "depths: got 3 layers, needs fewer layers",
        ),
        ({"depths": (3, 4)}, ValueError, "needs at least 3 layers"),
        ({"depths": (3, 4, 0)}, ValueError, "depths: got 0"),
        ({"depths": "345"}, TypeError, "depths: got '345'"),
        ({"train_size": 5}, ValueError, "train_size: got 5"),
        ({"random_labels": 1.5}, ValueError, "random_labels: got 1.5"),
        ({"random_labels": float("nan")}, ValueError, "random_labels: got nan"),
        ({"learning_rate": 0.0}, ValueError, "learning_rate: got 0"),
        ({"stop_loss": -1.0}, ValueError, "stop_loss: got -1"),
        ({"collapse_at": (4,)}, ValueError, "collapse_at: got 4, needs an integer from 0 to 3"),
        ({"information_at": (-1,)}, ValueError, "information_at: got -1"),
    ],
)
def test_bad_values_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        replace(SMALL, **change)


def test_run_records_what_and_when_it_was_told(trace):
    assert dict(trace.sizes) == {"seed": 2, "epoch": 4, "split": 2, "layer": 3, "moment": 2}
    measured = np.isfinite(trace.nc1).all(("seed", "split", "layer"))
    # the first, the one asked for, the last
    np.testing.assert_array_equal(measured, [True, False, True, True])
    for name in ("loss", "accuracy", "input_nc1", "shuffled_nc1"):
        assert np.isfinite(trace[name]).all(), name
        assert trace[name].attrs["long_name"]
    np.testing.assert_array_equal(trace.features, [24, 16, 12])
    np.testing.assert_array_equal(trace.last_epoch, 3)
    # the classifier reads the last layer only
    assert np.isfinite(trace.nc3.isel(layer=-1, epoch=-1)).all()
    assert np.isnan(trace.nc3.isel(layer=0)).all()
    assert (trace.loss.isel(epoch=-1, split=0) < 0.9 * trace.loss.isel(epoch=0, split=0)).all()
    assert json.loads(trace.attrs["origin"])["train"].startswith("scikit-learn digits")
    assert (trace.attrs["train_size"], trace.attrs["test_size"], trace.attrs["classes"]) == (
        100,
        80,
        10,
    )


def test_values_are_those_of_the_parts_put_together_by_hand(trace):
    """Seed 1 again: data, network, training and NC1 without the experiment."""
    images = {
        split: data.load("digits", split=split, count=n, seed=1)
        for split, n in (("train", 100), ("test", 80))
    }
    parts = {split: training.Partition(*each, 20, 1) for split, each in images.items()}
    model = networks.initialised(lambda: networks.mlp(64, (24, 16, 12)), 1)
    how = training.Optimisation(learning_rate=0.03, batch_size=20, epochs=3, stop_loss=None)
    epochs = training.train_classifier(
        model, parts["train"], parts["test"], how, seed=1, progress=False
    )
    ours = trace.sel(seed=1)
    np.testing.assert_allclose(
        ours.loss.sel(split="test"), [each.test.loss for each in epochs], rtol=1e-5
    )
    inputs, labels = images["test"]
    for layer in (1, 2, 3):
        nc1 = measure.neural_collapse(model.encoder(layer)(inputs).detach(), labels).nc1
        assert float(ours.nc1.sel(split="test", layer=layer, epoch=3)) == pytest.approx(
            nc1, rel=1e-4
        )
    nc1 = measure.neural_collapse(inputs, labels).nc1
    assert float(ours.input_nc1.sel(split="test")) == pytest.approx(nc1, rel=1e-9)


def test_shuffled_labels_give_far_more_than_own_ones(trace):
    """Labels dealt out afresh know nothing; the images' own do, even in a network that has learnt nothing."""
    own = trace.nc1.isel(epoch=[0, -1]).transpose("seed", "epoch", "split", "layer").values
    assert np.log(trace.shuffled_nc1.values / own).mean() > np.log(3)


def test_training_stops_and_what_was_not_is_not_a_number():
    config = replace(SMALL, epochs=30, stop_loss=0.3, collapse_at=(), seeds=1)
    found = collapse.run(config, progress=False)
    last = int(found.last_epoch[0])
    assert 0 < last < 30
    losses = found.loss.isel(seed=0, split=0).values
    assert losses[last] <= 0.3 < losses[last - 1]
    assert np.isnan(losses[last + 1 :]).all()
    assert np.isfinite(found.nc1.isel(seed=0, epoch=last)).all()


def test_information_of_every_cut():
    config = replace(
        SMALL,
        information_at=(1,),
        decoder_epochs=1,
        seeds=1,
        epochs=2,
        batch_size=100,
        information="both",
    )
    found = collapse.run(config, progress=False)
    there = np.isfinite(found.sufficiency).all(("seed", "split", "cut"))
    np.testing.assert_array_equal(there, [False, True, True])
    assert found.sizes["cut"] == 4
    # of some tens of images, nearly even: more nats than ln 10
    entropy = found.sufficiency_entropy.isel(epoch=1)
    assert (entropy <= np.log2(10) + 1e-12).all()
    assert (entropy > np.log(10)).all()
    assert all(
        "(bits)" in found[name].long_name
        for name in ("sufficiency", "minimality", "sufficiency_entropy")
    )
    same = found.sufficiency.sel(cut=0)
    # the images stay what they are
    np.testing.assert_array_equal(same.isel(epoch=1), same.isel(epoch=2))
    assert np.isfinite(found.minimality_per_class.isel(epoch=2)).all()


def test_random_labels_are_of_the_training_images_only():
    own, noise = (
        records.CollapseRecorder(replace(SMALL, random_labels=share), 0) for share in (0.0, 1.0)
    )
    agree = (own.parts["train"].labels == noise.parts["train"].labels).float().mean()
    assert agree < 0.3
    assert (own.parts["test"].labels == noise.parts["test"].labels).all()
    assert "random" in noise.origin["train"]
    assert "random" not in noise.origin["test"]


@pytest.mark.parametrize("on_divergence", ["raise", "mark"])
def test_divergence(on_divergence, monkeypatch):
    def diverge(*args, after_epoch, **options):
        after_epoch(training.Epoch(0, training.Scores(2.3, 0.1), training.Scores(2.3, 0.1)))
        raise ArithmeticError("training diverged in epoch 1")

    monkeypatch.setattr(records, "train_classifier", diverge)
    if on_divergence == "raise":
        with pytest.raises(DivergedError):
            collapse.run(SMALL, progress=False)
    else:
        with pytest.warns(RuntimeWarning, match="seed . at epoch 1"):
            found = collapse.run(SMALL, progress=False, on_divergence="mark")
        np.testing.assert_array_equal(found.diverged_at, 1)


@pytest.mark.parametrize("network", ["residual", "plain"])
def test_the_classifier_is_found_where_it_reads_the_layer_as_it_is(network):
    size = {"residual": ("digits", None), "plain": ("fashion_mnist", "readout.1")}[network]
    config = replace(Config(), network=network, dataset=size[0], depths=(4, 4, 4))
    recorder = records.CollapseRecorder.__new__(records.CollapseRecorder)
    recorder.model = config.build()
    assert recorder._classifier() == size[1]


@pytest.mark.slow
def test_laptop_scale_shows_the_law(read_images):
    """Fashion-MNIST, f₋, three seeds: NC1 rises with depth at initialisation and falls by about equal factors after."""
    config = experiments.STUDIES["collapse-layers"].configs("laptop")["f₋ on Fashion-MNIST"]
    read_images(config)
    found = collapse.run(config, progress=False)
    logs = np.log(found.nc1.sel(split="train"))
    first, last = (logs.isel(epoch=epoch).diff("layer") for epoch in (0, -1))
    assert (first > 0).all()
    assert (last < -0.5).all()
    assert (found.shuffled_nc1.sel(moment="final") > 10 * found.nc1.isel(epoch=-1)).all()


def test_classes_are_of_equal_size_and_weights_in_bfloat16_as_released():
    single = replace(SMALL, balanced=True, seeds=1, epochs=1, collapse_at=())
    config = replace(single, dtype="bfloat16")
    recorder = records.CollapseRecorder(config, 0)
    assert recorder.parts["train"].labels.bincount().tolist() == [10] * 10
    assert recorder.parts["train"].inputs.dtype == torch.bfloat16
    assert {weights.dtype for weights in recorder.model.parameters()} == {torch.bfloat16}
    assert {weights.dtype for weights in config.build().decoder(1).parameters()} == {
        torch.bfloat16
    }
    found = collapse.run(config, progress=False)
    assert np.isfinite(found["loss"]).all()
    assert found.attrs["dtype"] == "bfloat16"
    usual = collapse.run(single, progress=False)
    assert not np.array_equal(found["loss"], usual["loss"])
    # eight bits of the fraction
    assert found["loss"].values[0, 0] == pytest.approx(usual["loss"].values[0, 0], rel=0.03)


def test_pixels_are_whole_numbers_up_to_255_as_released():
    config = replace(SMALL, dtype="bfloat16", largest_pixel=255.0, seeds=1)
    inputs = records.CollapseRecorder(config, 0).parts["train"].inputs.double()
    levels = {round(255 * level / 16) for level in range(17)}  # of scikit-learn's digits
    assert set(inputs.unique().round().int().tolist()) == levels
    unscaled = records.CollapseRecorder(replace(config, dtype="float32"), 0)
    usual = records.CollapseRecorder(replace(SMALL, seeds=1), 0)
    assert torch.equal(unscaled.parts["train"].inputs, 255 * usual.parts["train"].inputs)


@pytest.mark.parametrize("early_stopping", [True, False])
def test_decoders_train_for_all_epochs_without_early_stopping(monkeypatch, early_stopping):
    taken, known = [], []
    whole = records.usable_information

    def kept(*arguments, optimisation, patience, **options):
        taken.append((optimisation.epochs, optimisation.stop_loss, patience))
        if not known:  # one training is enough for all
            known.append(
                whole(*arguments, optimisation=optimisation, patience=patience, **options)
            )
        return known[0]

    monkeypatch.setattr(records, "usable_information", kept)
    config = replace(
        SMALL,
        seeds=1,
        epochs=1,
        collapse_at=(),
        information_at=(1,),
        decoder_epochs=3,
        early_stopping=early_stopping,
    )
    collapse.run(config, progress=False)
    patient = {(3, 0.02, 20), (3, 0.02, 25)}  # 100 updates in epochs of 5 and 4 batches
    assert set(taken) == (patient if early_stopping else {(3, None, 3)})

"""Traces of collapse from Gaussian classes on a simplex, measured with D x D matrices and no code of the package."""

from __future__ import annotations

import json

import numpy as np
import xarray as xr

CLASSES, SAMPLES, DIMENSIONS = 10, 1000, (60, 50, 40)


def gaussian_classes(rng, dimension, signal, samples=SAMPLES):
    """Features ``[samples, dimension]`` of variance 1 about means ``signal`` away from their centre, and labels."""
    labels = np.arange(samples) % CLASSES
    vertices = (np.eye(CLASSES) - 1 / CLASSES) / np.sqrt(1 - 1 / CLASSES)
    rotation = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0][:, :CLASSES]
    means = signal * vertices @ rotation.T
    return means[labels] + rng.standard_normal((samples, dimension)), labels


def direct(features, labels):
    """tr(S_W S_B^+), tr S_W, tr S_B."""
    centre = features.mean(0)
    means = np.stack([features[labels == c].mean(0) for c in range(CLASSES)])
    shares = np.bincount(labels, minlength=CLASSES) / len(labels)
    apart, centred = features - means[labels], means - centre
    within, between = apart.T @ apart / len(labels), (centred.T * shares) @ centred
    nc1 = np.trace(within @ np.linalg.pinv(between, rcond=1e-10, hermitian=True))
    return nc1, np.trace(within), np.trace(between)


def make_trace(
    *,
    steps=(-0.9, -0.9),
    seeds=3,
    epochs=4,
    informed=False,
    seed=0,
    shares=(1.0, 1.3),
    sampled=True,
) -> xr.Dataset:
    """NC1 that rises with depth at first and falls by ``steps`` (of its logarithm) at the end.

    ``sampled``: from features, with the bias of finite samples; otherwise as prescribed, up to 3 % from seed to seed.
    ``shares``: test NC1 over training NC1, before and after training, in the first ... last layer alike.
    """
    rng = np.random.default_rng(seed)
    layers = len(DIMENSIONS)
    shape = (seeds, epochs + 1, 2, layers)
    found = {name: np.zeros(shape) for name in ("nc1", "within", "between")}
    shuffled = np.zeros((seeds, 2, 2, layers))
    first = np.concatenate([[0.0], np.cumsum([0.2] * (layers - 1))])
    last = np.concatenate([[0.0], np.cumsum(steps)])
    for s, e, k, l in np.ndindex(shape):
        trained = e / epochs
        log_nc1 = np.log(4.0) + (1 - trained) * first[l] + trained * last[l]
        log_nc1 += k * np.log((1 - trained) * shares[0] + trained * shares[1])
        if not sampled:
            nc1 = np.exp(log_nc1 + 0.03 * rng.standard_normal())
            for name, value in zip(
                found, (nc1, DIMENSIONS[l], (CLASSES - 1) ** 2 / nc1), strict=True
            ):
                found[name][s, e, k, l] = value
            shuffled[s, :, k, l] = SAMPLES * (CLASSES - 1) / (DIMENSIONS[l] - CLASSES)
            continue
        features, labels = gaussian_classes(
            rng, DIMENSIONS[l], (CLASSES - 1) / np.exp(log_nc1 / 2)
        )
        for name, value in zip(found, direct(features, labels), strict=True):
            found[name][s, e, k, l] = value
        if e in (0, epochs):
            shuffled[s, int(e > 0), k, l] = direct(features, rng.permutation(labels))[0]
    time = np.arange(epochs + 1) / epochs
    loss = np.stack([2.3 * (1 - time) + 0.01, 2.3 * (1 - time) + 0.01 + 0.5 * time], axis=-1)
    accuracy = np.stack([0.1 + 0.9 * time, 0.1 + 0.7 * time], axis=-1)
    noise = 1 + 0.01 * rng.standard_normal((seeds, 1, 1))
    coordinates = {
        "seed": np.arange(seeds), "epoch": np.arange(epochs + 1), "split": ["train", "test"],
        "layer": np.arange(1, layers + 1), "moment": ["initial", "final"],
    }  # fmt: skip
    curve, layer = ("seed", "epoch", "split"), ("seed", "epoch", "split", "layer")
    variables = {
        "loss": (curve, loss * noise),
        "accuracy": (curve, np.clip(accuracy * noise, 0, 1)),
        **{name: (layer, values) for name, values in found.items()},
        "shuffled_nc1": (("seed", "moment", "split", "layer"), shuffled),
        "input_nc1": (("seed", "split"), np.full((seeds, 2), 5.0) * noise[:, :, 0]),
        "features": (("layer",), np.array(DIMENSIONS, float)),
        "last_epoch": (("seed",), np.full(seeds, float(epochs))),
    }
    if informed:
        coordinates["cut"] = np.arange(layers + 1)
        cut = (*curve, "cut")
        there = np.isin(np.arange(epochs + 1), (0, epochs))[:, None, None]
        for name, most in (("sufficiency", np.log2(10)), ("minimality", 3.0)):
            kept = (
                most
                * np.linspace(1, 0.2, layers + 1)
                * np.ones((seeds, epochs + 1, 2, 1))
                * noise[..., None]
            )
            variables[name] = (cut, np.where(there, kept, np.nan), {"long_name": f"{name} (bits)"})
            entropy = np.where(there, most, np.nan) * np.ones_like(kept)
            variables[f"{name}_entropy"] = (
                cut,
                entropy,
                {"long_name": f"entropy of {name} (bits)"},
            )
            variables[f"{name}_converged"] = (
                cut,
                np.where(there, 1.0, np.nan) * np.ones_like(kept),
            )
        nowhere = np.full((seeds, epochs + 1, 2, layers + 1), np.nan)
        variables["minimality_per_class"] = (
            cut,
            nowhere,
            {"long_name": "minimality, class by class (bits)"},
        )
    attributes = {
        "experiment": "collapse", "classes": CLASSES, "train_size": SAMPLES, "test_size": SAMPLES,
        "config": json.dumps({"network": "plain", "dataset": "fashion_mnist", "train_size": SAMPLES}),
        "origin": json.dumps({"train": "made up", "test": "made up"}), "commit": "", "device": "cpu",
        "dtype": "float64", "versions": json.dumps({"python": "3"}), "processor_seconds": 1.0,
    }  # fmt: skip
    return xr.Dataset(variables, coordinates, attributes)

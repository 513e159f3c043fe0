"""Tests that the label of every configuration says what runs, also where options of its study are changed."""

from __future__ import annotations

import dataclasses

import pytest

from empirics.experiments import STUDIES
from empirics.runs.study import SCALES

# Fields whose values differ between configurations of a study although no label says so: settings of the training, and
# what follows from the fields that labels name. A field that is new here or has gone needs a look at the labels.
SETTINGS = {
    "finite-width-fluctuations": "first_seed",
    "finite-width-two-inputs": "first_seed",
    "collapse-layers": "depths",
    "collapse-channels": "depths",
    "collapse-channels-released": "depths largest_pixel seeds",
    "collapse-information": "depths",
    "compression-amplification": "boundaries first_label d_parallel width shares turning moving seeds",
    "compression-neurons": "boundaries first_label d_parallel",
    "compression-learning-curves":
        "sizes kernel_method compression width most_steps kernel_steps realisations test_points",
    "compression-kernel-components":
        "points test_points width blocks alpha most_steps learning_rate kernel_steps realisations turning moving",
    "geometry-random-networks": "largest_norm zeta",
    "geometry-monomials": "realisations",
    "geometry-bayesian": "widths",
    "geometry-xor": "seeds",
    "geometry-xor-released": "seeds",
    "geometry-sinusoid": "layers",
    "geometry-self-supervised": "seeds",
    "leaky-resnet-depths": "polish polishing adam sgd_rate",
    "leaky-resnet-geodesics": "points layers depth gain adam polishing",
    "two-point-architectures": "gain learning_rate layers epochs seeds",
    "two-point-initial-weights": "learning_rate",
    "two-point-final-distances": "gain learning_rate layers layer epochs seeds",
    "two-point-final-distances-released": "gain learning_rate layers layer epochs seeds stop_at",
    "two-point-random-weights": "learning_rate seeds",
    "two-point-xor": "learning_rate layer activation width epochs",
    "two-point-blobs": "learning_rate epochs",
    "two-point-blobs-released": "learning_rate epochs",
    "two-point-mnist-structure": "learning_rate images epochs",
}  # fmt: skip


def values(study, scales=SCALES):
    """The values of every field in the configurations of each type, of those that differ at one of the scales."""
    by_field = {}
    for scale in scales:
        for config in study.configs(scale).values():
            for field in dataclasses.fields(config):
                by_scale = by_field.setdefault((type(config), field.name), {})
                by_scale.setdefault(scale, []).append(getattr(config, field.name))
    return {
        name: list(dict.fromkeys(value for each in by_scale.values() for value in each))
        for (_, name), by_scale in by_field.items()
        if any(len(set(each)) > 1 for each in by_scale.values())
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", STUDIES)
def test_a_changed_value_is_in_the_label_or_is_refused(name):
    study = STUDIES[name]
    settings = SETTINGS.get(name, "").split()
    differing = values(study)
    assert set(settings) <= set(differing)
    unchanged = {scale: study.configs(scale) for scale in SCALES}
    for field, found in differing.items():
        if field in settings:
            continue
        for scale, before in unchanged.items():
            if field in study.named and not any(study.named[field] in label for label in before):
                continue
            for value in found:
                try:
                    changed = study.configs(scale, {field: value})
                except ValueError:
                    continue
                for (label, config), (new, other) in zip(
                    before.items(), changed.items(), strict=True
                ):
                    differs = getattr(config, field, value) != value
                    assert differs == (label != new), (
                        f"{scale}: {field} = {value} in {label!r} is called {new!r}"
                    )
                    assert getattr(other, field, value) == value


@pytest.mark.parametrize(
    ("name", "scale", "changed", "labels"),
    [
        ("geometry-sinusoid", "smoke", {"widths": (5, 10, 20)}, ["2 → 5 → 10 → 20 → 2"]),
        ("collapse-information", "smoke", {"dataset": "mnist"}, ["MLP on MNIST"]),
        ("compression-neurons", "smoke", {"seeds": 2}, ["stripe d=2", "cylinder d=3"]),
        ("compression-amplification", "smoke", {"dimension": 7},
         ["stripe d=7 p=250", "stripe d=7 p=500", "stripe d=7 p=1000", "stripe d=7 p=2000"]),
        ("geometry-bayesian", "smoke", {"dimension": 3},
         ["q = 1, d = 3", "q = 2, d = 3", "q = 2, d = 3, small target"]),
        ("geometry-mnist", "laptop", {"dataset": "digits", "train_size": 500, "test_size": 100},
         ["64 → 2000 → 10", "64 → 1000 → 1000 → 10"]),
        ("leaky-resnet-depths", "smoke", {"depths": (3.0, 5.0)}, ["default"]),
    ],
)  # fmt: skip
def test_labels_state_the_values_that_run(name, scale, changed, labels):
    configs = STUDIES[name].configs(scale, changed)
    assert list(configs) == labels
    assert all(
        getattr(config, field) == value
        for config in configs.values()
        for field, value in changed.items()
    )


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("two-point-adam", {"optimiser": "gd"}, "optimiser: got 'gd', but in two-point-adam 'Adam' is named by its "
         "value; leave it out, or run one configuration of two_point with it"),
        ("two-point-xor", {"depth": 4}, "depth: got 4, but in two-point-xor '2 layers.*' is named"),
        ("two-point-random-weights", {"gain": 0.5}, r"gain: makes .* equal \(gain 0.7 = gain 0.8 = gain 1.0 = "),
        ("two-point-random-weights", {"width": 50}, "width: got 50, but in .* 'gain 0.8, wider'"),
        ("leaky-resnet-depths", {"depths": (3.0, 5.0)}, "depths: got .*, but in .* 'deep'"),
        ("leaky-resnet-adaptive", {"mesh": "irregular"}, r"mesh: makes configurations of leaky-resnet-adaptive equal "
         r"\(equidistant = irregular = adaptive\); leave it out, or run one configuration of leaky_resnet with it"),
    ],
)  # fmt: skip
def test_names_that_would_be_false_are_refused(name, changed, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        STUDIES[name].configs("laptop", changed)

"""Training of every experiment on a device that exists only on paper: waits of the host, and checkpoints.

A host that waits for a GPU in every step of the training makes it as slow as a CPU. Where a step must be decided by the
host, the function that waits is named here. See ``tests.standin.device``.
"""

from __future__ import annotations

import shutil
import signal
import warnings
from dataclasses import replace

import pytest

from empirics import experiments
from empirics.sweep import driver
from empirics.training.checkpoint import Checkpoint, Stopped
from tests.standin.device import needs_such_devices, paper_device

pytestmark = [pytest.mark.slow, needs_such_devices]
DIGITS = {"train_size": 60, "test_size": 40}
IMAGES = {"seeds": 2, "epochs": 1, "snapshots": (1,), "train_size": 30, "test_size": 150}
IMAGES |= {"resolution": 3, "positions": 5, "lines": 1}
CASES = {  # experiment: (changes of its first configuration at smoke scale, steps of the training)
    "collapse": (
        DIGITS | {"depths": (8, 7, 6), "epochs": 4, "batch_size": 10, "decoder_epochs": 1},
        2 * 4 * 6,
    ),
    "collapse.imbalanced": (
        DIGITS | {"depths": (8, 7, 6), "epochs": 4, "collapse_at": (), "batch_size": 10},
        2 * 4 * 6,
    ),
    "compression": ({"seeds": 2, "points": 20, "width": 10, "rounds": 60}, 60),
    "compression.learning_curves": (
        {
            "sizes": (20,),
            "realisations": 2,
            "most_steps": 40,
            "width": 8,
            "test_points": 100,
            "kernel_steps": 40,
        },
        40,
    ),
    "compression.kernel_components": (
        {
            "points": 40,
            "most_steps": 100,
            "width": 8,
            "test_points": 40,
            "components": 3,
            "kernel_steps": 100,
        },
        100,
    ),
    "geometry.random_networks": (
        {"realisations": 5, "widths": (20, 40, 80), "inputs": 2, "directions": 2},
        1000,
    ),
    "geometry.trained": (
        {"epochs": 40, "checkpoints": (0, 40), "seeds": 2, "grid": 3, "points": 20},
        40,
    ),
    "geometry.mnist": (
        DIGITS
        | {
            "epochs": 4,
            "checkpoints": (0, 4),
            "batch_size": 6,
            "seeds": 2,
            "plane": 2,
            "images": 3,
            "lines": 1,
        },
        2 * 4 * 10,
    ),
    "geometry.resnet": (IMAGES | {"batch_size": 2}, 2 * 15),
    "geometry.self_supervised": (IMAGES | {"batch_size": 3}, 2 * 10),
    "leaky_resnet": ({"adam": 150, "polishing": 150, "points": 8, "layers": 4, "width": 6}, 150),
    "two_point": ({"epochs": 250, "depth": 2, "width": 5, "layers": (1,)}, 250),
    "two_point.final_distances": ({"epochs": 250, "depth": 2, "width": 5, "layer": 1}, 250),
    "two_point.many_points": (
        {"epochs": 100, "records": 3, "side": 5, "recorded": 10, "width": 5, "depth": 2},
        100,
    ),
}
HINGE = {
    "empirics.training.hinge_flow.HingeFlow.step": "which networks moved: each has a step length of its own",
}
FOLLOWED = {
    "empirics.experiments.compression.trained.follow": "whether a share of points is fitted, and the record"
}
KERNEL = {
    "empirics.training.kernel_flow.kernel_flow": "the length of the next step, from the fastest weight"
}
WAITING = {  # experiment: {function in which the host waits in every step: for what}
    "compression": HINGE | FOLLOWED,
    "compression.kernel_components": HINGE | FOLLOWED | KERNEL,
    "geometry.self_supervised": {
        "empirics.experiments.geometry.images.self_supervised._minimum": "whether the linear probe is fitted",
    },
    "leaky_resnet": {
        "empirics.training.lbfgs.BatchedLBFGS.step": "whether the line searches of all networks have ended",
        "empirics.training.lbfgs.BatchedMinimiser.done": "whether any network can still move",
        "empirics.training.lbfgs.BatchedLBFGS._remember": "whether a network did not move",
    },
}
# run in ``test_device.py``, not yet counted here
LATER = ("geometry.bayesian", "geometry.symmetric_units")
LOOPS = ("empirics.training.", "empirics.experiments.", "empirics.networks.")
WITHOUT_CHECKPOINTS = ("geometry.random_networks",)  # no training


def case(name):
    configs = (
        c for study in experiments.STUDIES.values() for c in study.configs("smoke").values()
    )
    first = next(config for config in configs if config.experiment == name)
    changes, steps = CASES[name]
    return first.changed(**changes, device="paper"), steps


def test_every_experiment_with_a_device_is_trained_here():
    with_device = {
        name
        for name in experiments.EXPERIMENTS
        if hasattr(experiments.EXPERIMENTS[name].Config, "device")
    }
    assert set(CASES) == with_device - set(LATER)


@pytest.mark.parametrize("name", CASES)
def test_the_host_waits_in_no_step(name, read_images, monkeypatch):
    config, steps = case(name)
    read_images(config)
    with paper_device(monkeypatch) as device, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of measures of such small networks
        experiments.run(config, progress=False)
    print(
        f"\n{name}: {steps} steps, {sum(device.waits.values())} waits, {dict(device.waits.most_common(5))}"
    )
    hot = {
        place
        for place, number in device.waits.items()
        if place.startswith(LOOPS) and number >= steps
    }
    assert hot <= WAITING.get(name, {}).keys()


def assert_same(trace, expected):
    timings = [name for name in trace.data_vars if "seconds" in name]
    assert (
        trace.drop_vars(timings).drop_attrs().identical(expected.drop_vars(timings).drop_attrs())
    )


@pytest.mark.parametrize("name", [name for name in CASES if name not in WITHOUT_CHECKPOINTS])
def test_a_run_that_is_interrupted_on_the_device_continues(
    name, read_images, monkeypatch, tmp_path
):
    config, _ = case(name)
    read_images(config)
    paths = [tmp_path / where for where in ("device", "cpu")]
    with paper_device(monkeypatch):
        whole = experiments.run(config, progress=False)
        with pytest.raises(Stopped):
            experiments.run(
                config,
                progress=False,
                checkpoint=Checkpoint(paths[0], "key", signal=signal.SIGINT),
            )
        shutil.copy(*paths)
        resumed = experiments.run(config, progress=False, checkpoint=Checkpoint(paths[0], "key"))
    assert_same(resumed, whole)
    on_cpu = experiments.run(
        replace(config, device="cpu"), progress=False, checkpoint=Checkpoint(paths[1], "key")
    )
    assert on_cpu.sizes == whole.sizes


def test_a_sweep_on_the_device(monkeypatch, tmp_path):
    config, _ = case("two_point")
    configs = {"one": config, "two": replace(config, gain=0.9)}
    with paper_device(monkeypatch):
        traces = driver.sweep(configs, tmp_path, progress=False)
        assert all(trace.attrs["device"].startswith("paper") for trace in traces.values())
        times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        again = driver.sweep(configs, tmp_path, progress=False)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times
    assert all(again[label].identical(trace) for label, trace in traces.items())

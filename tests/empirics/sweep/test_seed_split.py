"""Tests of configurations that are cut into seeds: the parts make the whole, to the last bit."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from empirics import experiments
from empirics.experiments import EXPERIMENTS, STUDIES, collapse, two_point
from empirics.runs import trace_file
from empirics.sweep import seed_split, store, sweep, work

SMALL = collapse.Config(
    dataset="digits",
    network="mlp",
    depths=(12, 10, 8),
    train_size=60,
    test_size=40,
    epochs=1,
    batch_size=20,
    seeds=3,
)
# measured computing times, which no two runs share
TIMES = ("volume_seconds", "curvature_seconds")
CUT = sorted(name for name in EXPERIMENTS if EXPERIMENTS[name].Config.seeds_are_independent)


def smoke(name: str):
    """The first smoke configuration of a study of this experiment, with two seeds."""
    configs = (config for study in STUDIES.values() for config in study.configs("smoke").values())
    return replace(next(config for config in configs if config.experiment == name), seeds=2)


def assert_same(joined, whole):
    assert (
        joined.drop_attrs(deep=False)
        .drop_vars(TIMES, errors="ignore")
        .identical(whole.drop_attrs(deep=False).drop_vars(TIMES, errors="ignore"))
    )
    assert {**joined.attrs, "processor_seconds": 0} == {**whole.attrs, "processor_seconds": 0}


def test_which_are_cut():
    assert CUT == [
        "collapse",
        "collapse.imbalanced",
        "geometry.mnist",
        "geometry.resnet",
        "geometry.self_supervised",
    ]
    assert seed_split.of(two_point.Config()) == (two_point.Config(),)
    assert [piece.first_seed for piece in seed_split.of(replace(SMALL, first_seed=4))] == [4, 5, 6]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "collapse" else pytest.mark.slow) for name in CUT],
)
def test_pieces_make_the_whole(name, tmp_path):
    config = replace(SMALL, seeds=2) if name == "collapse" else smoke(name)
    whole = experiments.run(config, progress=False)
    traces = [experiments.run(piece, progress=False) for piece in seed_split.of(config)]
    assert_same(seed_split.joined(config, traces), whole)


@pytest.mark.slow
def test_a_cut_sweep_goes_on_without_a_scheduler(tmp_path, monkeypatch):
    first, second, _ = work.of("small", SMALL, tmp_path, cut=True, resume=True, options={})
    work.run_here(first, progress=False)
    work.run_here(second, progress=False)
    ran, real = [], experiments.run
    monkeypatch.setattr(
        experiments,
        "run",
        lambda config, **options: (ran.append(config), real(config, **options))[1],
    )
    trace = sweep({"small": SMALL}, tmp_path, progress=False)["small"]
    assert [config.first_seed for config in ran] == [2]
    assert_same(trace, real(SMALL, progress=False))
    assert list(tmp_path.iterdir()) == [store.path_of(SMALL, tmp_path)]


@pytest.mark.slow
def test_pieces_left_by_a_killed_driver_are_deleted(tmp_path):
    first, second, third = work.of("small", SMALL, tmp_path, cut=True, resume=True, options={})
    for item in (first, second, third):
        work.run_here(item, progress=False)
    paths = [store.path_of(piece, seed_split.folder(tmp_path)) for piece in seed_split.of(SMALL)]
    contents = [path.read_bytes() for path in paths]
    seed_split.join(SMALL, tmp_path)
    target = store.path_of(SMALL, tmp_path)
    joined_at = target.stat().st_mtime_ns
    of_other_code = store.load(target).assign_attrs(code="of another commit")
    other = trace_file.content(of_other_code)
    # The younger ones belong to a sweep at work; so do those of other code, though the clock was set back meanwhile.
    for seconds, some, is_left in (
        (1, contents, True),
        (-1, [*contents[:2], other], True),
        (-1, contents, False),
    ):
        seed_split.folder(tmp_path).mkdir(exist_ok=True)
        for path, content in zip(paths, some, strict=True):
            path.write_bytes(content)
            os.utime(path, ns=(joined_at, joined_at + seconds * 10**9))
        sweep({"small": SMALL}, tmp_path, progress=False)
        assert [path.exists() for path in paths] == [is_left] * 3
    assert list(tmp_path.iterdir()) == [target]


def test_a_whole_run_is_continued_whole(tmp_path):
    store.path_of(SMALL, tmp_path).with_suffix(store.CHECKPOINT).touch()
    arguments = {"cut": True, "options": {}}
    assert [
        item.is_piece for item in work.of("small", SMALL, tmp_path, resume=True, **arguments)
    ] == [False]
    assert [
        item.is_piece for item in work.of("small", SMALL, tmp_path, resume=False, **arguments)
    ] == [True] * 3


def test_pieces_of_different_versions(tmp_path):
    trace = experiments.run(replace(SMALL, seeds=1), progress=False)
    other = trace.assign_attrs(versions="{}")
    with pytest.raises(ValueError, match="different versions"):
        seed_split.joined(replace(SMALL, seeds=2), [trace, other])
    processors = [trace, trace.assign_attrs(processor="another")]
    assert (
        seed_split.joined(replace(SMALL, seeds=2), processors)
        .attrs["processor"]
        .endswith("; another")
    )

"""Tests of files that are damaged or cannot be written: no wrong number is read, and the error says what to do."""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from empirics import experiments
from empirics.experiments import two_point
from empirics.runs import checksum, trace_file
from empirics.sweep import SweepError, run_lock, store, sweep
from empirics.training.checkpoint import Checkpoint

CONFIG = two_point.Config(depth=2, width=5, seeds=2, epochs=10)
FLIPS = 40


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A trace and its file, which no test changes."""
    folder = tmp_path_factory.mktemp("written")
    return store.run_or_load(CONFIG, folder, progress=False), store.path_of(CONFIG, folder)


@pytest.fixture
def stored(written, tmp_path):
    """A copy of the trace and of its file."""
    data, path = written
    return data.copy(deep=True), Path(shutil.copy(path, tmp_path))


def damaged(content: bytes, rng: np.random.Generator, flips: int = FLIPS) -> list[bytes]:
    """The content with one bit flipped at random places, cut off, and with a block of zeros."""
    versions = []
    for _ in range(flips):
        changed = bytearray(content)
        changed[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
        versions.append(bytes(changed))
    versions += [
        content[:length]
        for length in (0, 1, len(content) // 2, len(content) - 512, len(content) - 1)
    ]
    return [*versions, content[:-512] + bytes(512), bytes(512) + content[512:]]


@pytest.mark.parametrize("flips", [FLIPS, pytest.param(2000, marks=pytest.mark.slow)])
def test_no_damaged_trace_is_accepted(stored, rng, flips):
    data, path = stored
    accepted = refused = 0
    for content in damaged(path.read_bytes(), rng, flips):
        path.write_bytes(content)
        try:
            assert store.load(path).identical(data)  # the damage is in the first words of the seal
            accepted += 1
        except ValueError as error:
            refused += "delete it to run this again" in str(error)
    assert refused > 0.99 * flips
    assert accepted + refused == flips + 7


def test_hdf5_never_sees_a_damaged_trace(stored, rng, monkeypatch):
    """A single wrong bit can keep it busy for minutes."""
    _, path = stored
    content = path.read_bytes()
    monkeypatch.setattr(
        trace_file.h5py, "File", lambda *_, **__: pytest.fail("HDF5 saw the damaged file")
    )
    for place in rng.integers(len(content) - trace_file.LENGTH, size=FLIPS):
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        with pytest.raises(
            ValueError, match=r"do not match the seal.*delete it to run this again"
        ):
            store.load(path)


def test_no_damaged_checkpoint_is_accepted(tmp_path, rng):
    checkpoint = Checkpoint(tmp_path / "x.checkpoint", "key")
    checkpoint.save({"epoch": 3, "numbers": [1.5, 2.5], "name": "seed"})
    for content in damaged(checkpoint.path.read_bytes(), rng):
        checkpoint.path.write_bytes(content)
        with pytest.raises(ValueError, match="elete it to start this run anew"):
            checkpoint.load()


@pytest.mark.parametrize("change", ["number", "attribute", "meaning", "label"])
def test_checksum_covers_everything(stored, change):
    data, path = stored
    signed = checksum.signed(data)
    if change == "number":
        signed["dy2"][0, 3] = np.nextafter(float(signed["dy2"][0, 3]), 1)
    elif change == "attribute":
        signed.attrs["learning_rate"] = 0.05
    elif change == "meaning":
        signed["dy2"].attrs["long_name"] = "another"
    else:
        signed = signed.rename({"dy2": "dy3"})
    signed.to_netcdf(path, engine="h5netcdf")
    with pytest.raises(ValueError, match=r"does not match its checksum.*delete it"):
        store.load(path)


def test_older_traces_have_none(stored):
    data, path = stored
    data.to_netcdf(path, engine="h5netcdf")
    assert store.load(path).identical(data)


@pytest.mark.parametrize("name", [checksum.ATTRIBUTE, checksum.METHOD])
def test_half_a_checksum_is_damage(stored, name):
    data, path = stored
    signed = checksum.signed(data)
    del signed.attrs[name]
    signed.to_netcdf(path, engine="h5netcdf")
    with pytest.raises(ValueError, match="does not match its checksum"):
        store.load(path)


def test_all_kinds_of_values_have_the_same_checksum_when_read(tmp_path):
    data = xr.Dataset(
        {
            "a": ("t", np.array([1, 2, 3], np.int32)),
            "b": ("t", [np.nan, -0.0, 1e-310]),
            "c": ("t", ["x", "", "ü"]),
        },
        {"t": [True, False, True]},
        {
            "empty": "",
            "whole": 3,
            "real": 0.1,
            "experiment": "e",
            "config": "{}",
            "versions": "{}",
            "processor_seconds": 1,
        },
    )
    data["s"] = np.float32(1.5)
    assert store.save(data, tmp_path / "x.nc").equals(data)


@contextmanager
def no_file_above(size: int):
    """The operating system refuses to let a file grow beyond this size, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 20_000])
def test_full_disk(tmp_path, size):
    done = store.run_or_load(CONFIG, tmp_path, progress=False)
    other = replace(CONFIG, epochs=300)
    configs = {"done": CONFIG, "new": other}
    with (
        no_file_above(size),
        pytest.raises(SweepError, match=r"new: OSError.*Please free space there and start"),
    ):
        sweep(configs, tmp_path, progress=False, checkpoint_seconds=0)
    assert [p.name for p in tmp_path.glob("*.nc")] == [store.path_of(CONFIG, tmp_path).name]
    traces = sweep(configs, tmp_path, progress=False)
    assert traces["done"].identical(done)
    assert traces["new"].drop_attrs().identical(two_point.run(other, progress=False).drop_attrs())
    assert len(list(tmp_path.iterdir())) == 2


@contextmanager
def without_rights():
    """The rights of an ordinary user, since a superuser writes into read-only folders."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_read_only_folder():
    folder = Path(tempfile.mkdtemp())  # an ordinary user must reach it, unlike tmp_path
    try:
        done = store.run_or_load(CONFIG, folder, progress=False)
        folder.chmod(0o555)
        with without_rights():
            assert sweep({"done": CONFIG}, folder, progress=False)["done"].identical(done)
            with pytest.raises(
                SweepError,
                match=r"new: PermissionError.*Please make the folder writable or choose",
            ):
                sweep({"done": CONFIG, "new": replace(CONFIG, gain=0.5)}, folder, progress=False)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_damaged_file_does_not_stop_the_others(stored):
    _, path = stored
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    configs = {"new": replace(CONFIG, gain=0.5), "damaged": CONFIG}
    with pytest.raises(
        SweepError, match=r"damaged: UnreadableFileError.*delete it to run this again"
    ):
        sweep(configs, path.parent, progress=False)
    # nothing is deleted without being asked
    assert path.read_bytes() == content[: len(content) // 2]
    assert store.path_of(configs["new"], path.parent).exists()


def test_leftovers_of_killed_runs_are_deleted(tmp_path):
    path = store.path_of(CONFIG, tmp_path)
    other = tmp_path / ".two_point-fedcba9876543210.nc.123"
    leftovers = [
        tmp_path / f".{path.name}.123",
        tmp_path / f".{path.stem}.checkpoint.abc",
        run_lock.lock_of(path),
    ]
    for file in (*leftovers, other):
        file.write_bytes(b"half")
    store.run_or_load(CONFIG, tmp_path, progress=False)
    assert sorted(tmp_path.iterdir()) == sorted([path, other])


def test_leftovers_beside_a_finished_trace_are_deleted(tmp_path):
    """A process that is killed just after storing a trace leaves its checkpoint and its claim."""
    done = store.run_or_load(CONFIG, tmp_path, progress=False)
    path = store.path_of(CONFIG, tmp_path)
    leftovers = [
        path.with_suffix(store.CHECKPOINT),
        run_lock.lock_of(path),
        tmp_path / f".{path.name}.123",
    ]
    for again in (
        lambda: store.run_or_load(CONFIG, tmp_path),
        lambda: sweep({"a": CONFIG}, tmp_path)["a"],
    ):
        for file in leftovers:
            file.write_bytes(b"half")
        with run_lock.claimed(path):  # another process is about to delete them itself
            leftovers[0].write_bytes(b"half")
            assert again().identical(done)
            assert leftovers[0].exists()
        run_lock.lock_of(path).touch()
        assert again().identical(done)
        assert list(tmp_path.iterdir()) == [path]


def test_two_at_once_do_the_work_once(tmp_path, monkeypatch):
    real, calls = experiments.run, []
    both = threading.Barrier(2, timeout=30)

    def slow(config, **options):
        calls.append(config)
        while not waiting.is_set():
            waiting.wait(0.01)
        return real(config, **options)

    waiting, results = threading.Event(), []
    monkeypatch.setattr(experiments, "run", slow)

    def one():
        both.wait()
        results.append(store.run_or_load(CONFIG, tmp_path, progress=False))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    waiting.set()
    for thread in threads:
        thread.join(timeout=60)
    assert len(calls) == 1
    assert results[0].identical(results[1])
    assert list(tmp_path.iterdir()) == [store.path_of(CONFIG, tmp_path)]


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no such locks, and claims open no file"
)
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_claim_changes_no_file_of_somebody_else(link, tmp_path):
    (tmp_path / "diary").write_text("of somebody else")
    path = store.path_of(CONFIG, tmp_path / "runs")
    lock = run_lock.lock_of(path)
    lock.parent.mkdir()
    link(tmp_path / "diary", lock)
    assert not run_lock.is_held(path)
    if link is os.symlink:
        with pytest.raises(
            OSError, match=r"lock is a symbolic link, needs the lock of a run; delete it"
        ):
            store.run_or_load(CONFIG, path.parent, progress=False)
        with pytest.raises(SweepError, match="is a symbolic link"):
            sweep({"one": CONFIG}, path.parent, progress=False)
        lock.unlink()
    store.run_or_load(CONFIG, path.parent, progress=False)
    assert (tmp_path / "diary").read_text() == "of somebody else"


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no such locks, and claims open no file"
)
def test_a_claim_makes_no_file_where_a_link_leads(tmp_path):
    path = store.path_of(CONFIG, tmp_path / "runs")
    path.parent.mkdir()
    os.symlink(tmp_path / "new", run_lock.lock_of(path))
    with pytest.raises(OSError, match="is a symbolic link"), run_lock.claimed(path):
        pass
    assert not (tmp_path / "new").exists()


def test_a_folder_at_the_name_of_a_trace_does_not_stop_the_others(tmp_path):
    configs = {"folder": CONFIG, "new": replace(CONFIG, gain=0.5)}
    store.path_of(CONFIG, tmp_path).mkdir()
    with pytest.raises(
        SweepError, match=r"folder: UnreadableFileError: .*got a folder, a device or the like"
    ):
        sweep(configs, tmp_path, progress=False)
    assert store.path_of(configs["new"], tmp_path).is_file()

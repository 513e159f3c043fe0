"""Tests that an interrupted run continues from its checkpoint and ends bit for bit as without the interruption."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
import torch

from closedform.untrusted_files import UnreadableFileError
from empirics.experiments import two_point
from empirics.sweep import store
from empirics.training import Backpropagation, Checkpoint, loop
from empirics.training.checkpoint import HEADER

RUNS = {
    "by hand": {},
    "autograd": {"architecture": "skip", "gain": 0.5},
    "adam": {"optimiser": "adam", "learning_rate": 1e-3},
    "dropout": {"architecture": "dropout"},
}


def config(**changes):
    base = {
        "depth": 3,
        "width": 8,
        "seeds": 2,
        "epochs": 150,
        "learning_rate": 0.02,
        "layers": (1, 3),
    }
    return two_point.Config(**(base | changes))


def stop_at(monkeypatch, epoch):
    """From now on, training is interrupted when it has written ``epoch`` records."""
    write, written = loop.EpochBuffers.write, []

    def interrupted(self, hidden, outputs):
        written.append(1)
        if len(written) > epoch:
            raise KeyboardInterrupt
        write(self, hidden, outputs)

    monkeypatch.setattr(loop.EpochBuffers, "write", interrupted)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(
            RUNS[name], marks=() if name in ("adam", "dropout") else pytest.mark.slow, id=name
        )
        for name in RUNS
    ],
)
def test_interrupted_run_ends_bit_for_bit_the_same(changes, tmp_path, monkeypatch):
    c = config(**changes)
    expected = two_point.run(c, progress=False)
    with monkeypatch.context() as patch:
        stop_at(patch, 120)
        with pytest.raises(KeyboardInterrupt):
            store.run_or_load(c, tmp_path, progress=False, checkpoint_seconds=0)
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".checkpoint"
    epochs_done = []
    observe = Backpropagation.observe
    monkeypatch.setattr(
        Backpropagation, "observe", lambda self: (epochs_done.append(1), observe(self))[1]
    )
    resumed = store.run_or_load(c, tmp_path, progress=False)
    assert expected.drop_attrs().identical(resumed.drop_attrs())
    assert [p.suffix for p in tmp_path.iterdir()] == [".nc"]  # the checkpoint is gone
    if not changes:
        assert len(epochs_done) == 1 + 151 - 100  # one look for the sizes, then from epoch 100 on


def test_resume_false_starts_anew(tmp_path, monkeypatch):
    c = config()
    with monkeypatch.context() as patch:
        stop_at(patch, 120)
        with pytest.raises(KeyboardInterrupt):
            store.run_or_load(c, tmp_path, progress=False, checkpoint_seconds=0)
    again = store.run_or_load(c, tmp_path, resume=False, progress=False)
    assert again.drop_attrs().identical(two_point.run(c, progress=False).drop_attrs())


def test_checkpoint_of_another_run_is_refused(tmp_path):
    path = tmp_path / "x.checkpoint"
    Checkpoint(path, "one").save({"epoch": 3})
    assert Checkpoint(path, "one").load() == {"epoch": 3}
    with pytest.raises(ValueError, match="another configuration, other code or other versions"):
        Checkpoint(path, "two").load()


@pytest.mark.parametrize(
    "content", [b"", b"not a checkpoint", b"closedform checkpoint 2\n cut off"]
)
def test_damaged_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "x.checkpoint"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"damaged.*delete it"):
        Checkpoint(path, "one").load()


def test_truncated_checkpoint_is_refused(tmp_path):
    path = tmp_path / "x.checkpoint"
    Checkpoint(path, "one").save({"epoch": 3, "weights": torch.zeros(1000)})
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ValueError, match="damaged"):
        Checkpoint(path, "one").load()


def test_failed_write_leaves_the_checkpoint_before(tmp_path):
    checkpoint = Checkpoint(tmp_path / "x.checkpoint", "one")
    checkpoint.save({"epoch": 3})
    with pytest.raises(Exception, match=r"pickle|local object"):
        checkpoint.save({"epoch": lambda: 4})
    assert checkpoint.load() == {"epoch": 3}
    assert len(list(tmp_path.iterdir())) == 1


def test_flipped_bit_is_found(tmp_path):
    path = tmp_path / "x.checkpoint"
    weights = torch.arange(1000.0)
    Checkpoint(path, "one").save({"weights": weights})
    content = bytearray(path.read_bytes())
    content[content.find(weights.numpy().tobytes()) + 5] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged"):
        Checkpoint(path, "one").load()


def signed(content: bytes) -> bytes:
    return HEADER + hashlib.sha256(content).digest() + content


def test_a_signed_file_that_is_not_ours_is_refused(tmp_path):
    path = tmp_path / "x.checkpoint"
    saved = io.BytesIO()
    torch.save(
        {"key": "one", "own_code": {}, "elapsed": 0.0, "state": {"x": torch.zeros(1000)}}, saved
    )
    with (
        zipfile.ZipFile(saved) as archive,
        zipfile.ZipFile(packed := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as small,
    ):
        for name in archive.namelist():
            small.writestr(name, archive.read(name))
    contents = [b"", b"text", packed.getvalue()]
    for other in (
        [],
        1,
        None,
        {},
        {"key": "one"},
        {"key": "one", "own_code": 1, "elapsed": 0.0, "state": {}},
        {"key": "one", "own_code": {}, "elapsed": "x", "state": {}},
        torch.zeros(3),
    ):
        torch.save(other, written := io.BytesIO())
        contents.append(written.getvalue())
    torch.save({}, older := io.BytesIO(), _use_new_zipfile_serialization=False)
    for content in (*contents, older.getvalue()):
        path.write_bytes(signed(content))
        with pytest.raises(
            UnreadableFileError, match=r"x\.checkpoint: got .*delete it to start this run anew"
        ):
            Checkpoint(path, "one").load()
    path.write_bytes(signed(saved.getvalue()))
    assert Checkpoint(path, "one").load()["x"].shape == (1000,)

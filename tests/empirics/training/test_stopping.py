"""Ctrl-C and SIGTERM: the state of a run is saved, and the same call goes on to the same result."""

from __future__ import annotations

import dataclasses
import signal

import pytest

from empirics.experiments import two_point
from empirics.runs.parts import Parts
from empirics.sweep import store
from empirics.training import checkpoint as checkpoint_module
from empirics.training.backpropagation import Backpropagation
from empirics.training.checkpoint import Checkpoint, Stopped

CONFIG = two_point.Config(depth=2, width=5, epochs=600, seeds=2, layers=(1,))


@pytest.fixture(autouse=True)
def handlers():
    before = {number: signal.getsignal(number) for number in checkpoint_module.SIGNALS}
    yield
    assert {number: signal.getsignal(number) for number in checkpoint_module.SIGNALS} == before


def interrupting(monkeypatch, at: int, *numbers: int) -> None:
    """Make the training raise signals at one of its updates."""
    update, count = Backpropagation.update, iter(range(10**6))

    def counted(self):
        update(self)
        if next(count) == at:
            for number in numbers:
                signal.raise_signal(number)

    monkeypatch.setattr(Backpropagation, "update", counted)


@pytest.mark.parametrize("number", checkpoint_module.SIGNALS)
def test_a_run_that_is_interrupted_goes_on_to_the_same_result(monkeypatch, tmp_path, number):
    whole = store.run_or_load(CONFIG, tmp_path / "whole", progress=False)
    interrupting(monkeypatch, 350, number)
    with pytest.raises(
        Stopped, match=rf"interrupted by {number.name}; the state of the run is saved in "
    ) as stopped:
        store.run_or_load(CONFIG, tmp_path, progress=False)
    path = store.path_of(CONFIG, tmp_path)
    assert stopped.value.number == number
    assert stopped.value.path == path.with_suffix(".checkpoint")
    assert not path.exists()
    epoch = Checkpoint(stopped.value.path, key_of(path)).load()["epoch"]
    assert epoch == 400  # at the next block of 100, not at the end
    monkeypatch.undo()
    assert store.run_or_load(CONFIG, tmp_path, progress=False).equals(whole)
    assert not stopped.value.path.exists()


def key_of(path):
    import json

    from empirics.runs import trace
    from empirics.runs.config import as_json

    return json.dumps([as_json(CONFIG), trace.versions(), trace.code()])


def test_a_second_signal_ends_the_run_at_once_and_what_is_saved_is_kept(monkeypatch, tmp_path):
    interrupting(monkeypatch, 350, signal.SIGINT, signal.SIGINT)
    with pytest.raises(Stopped, match=r"interrupted by SIGINT$"):
        store.run_or_load(CONFIG, tmp_path, progress=False)
    assert not list(tmp_path.glob("*.checkpoint"))


def test_a_long_part_ends_at_once_and_finished_parts_are_saved(monkeypatch, tmp_path):
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", "key")
    monkeypatch.setattr(checkpoint_module, "SOON", -1.0)

    def run():
        with checkpoint_module.listening(checkpoint):
            parts = Parts(checkpoint)
            parts.add({"value": 1.5}, origin="note")
            signal.raise_signal(signal.SIGTERM)  # in the second part, which never asks
            parts.add({"value": 2.5})

    with pytest.raises(Stopped, match="SIGTERM; the state"):
        run()
    again = Parts(Checkpoint(tmp_path / "a.checkpoint", "key"))
    assert [float(part["value"]) for part in again.done] == [1.5]
    assert again.state["origin"] == "note"


def test_the_state_of_a_part_ends_with_it_and_notes_stay(tmp_path):
    parts = Parts(Checkpoint(tmp_path / "a.checkpoint", "key", seconds=0.0))
    parts.keep(lambda: {"epoch": 3})
    assert parts.begun == {"epoch": 3}
    parts.add({"value": 1.5}, origin="note")
    assert parts.begun is None
    parts.add({"value": 2.5})
    assert parts.state["origin"] == "note"


def test_a_run_that_ends_before_it_is_asked_is_stored_and_then_stops(monkeypatch, tmp_path):
    config = dataclasses.replace(CONFIG, epochs=599)
    interrupting(monkeypatch, 598, signal.SIGINT)
    with pytest.raises(Stopped, match=r"interrupted by SIGINT$"):
        store.run_or_load(config, tmp_path, progress=False)
    assert store.stored(config, tmp_path) is not None


def test_outside_of_the_main_thread_nothing_changes(tmp_path):
    import threading

    done = []

    def run():
        with checkpoint_module.listening(Checkpoint(tmp_path / "a.checkpoint", "key")):
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGINT)]

"""A callback for the Trainer of Hugging Face that watches ``trainer.train``."""

from pathlib import Path
from typing import Any

import torch
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

from closedform import atomic_write
from closedform.untrusted_files import content, reading
from empirics.training.checkpoint import MOST_BYTES, unpacked
from empirics.watching.run import watch
from empirics.watching.watched import WatchCallback

FILE = "closedform_watch.pt"  # in each checkpoint folder


class TrainerWatch(WatchCallback, TrainerCallback):  # type: ignore[misc]
    """``Trainer(..., callbacks=[TrainerWatch(inputs, labels, every=100)])``; afterwards ``callback.trace``.

    The state is kept in the folder of each checkpoint, and read from there by ``resume_from_checkpoint``. The models of
    ``transformers`` return several things; their ``logits`` are measured.

    Args:
        inputs: as for :func:`empirics.watch`, such as token indices ``[N, length]``, or a dictionary of tensors.
        labels: as for :func:`empirics.watch`; default None.
        options: further arguments of :func:`empirics.watch`.
    """

    def __init__(self, inputs: Any, labels: Any = None, **options: Any) -> None:
        self._inputs, self._labels, self._options = inputs, labels, options

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Begin to watch, or go on from the checkpoint of ``state.global_step``."""
        self._run = watch(given["model"], self._inputs, self._labels, **self._options)
        stored = _folder(args, state) / FILE
        if state.global_step and stored.exists():
            with reading(
                stored,
                "the state of this watched run; delete it to go on without the earlier measurements",
            ):
                self._run.load_state_dict(unpacked(content(stored, MOST_BYTES)))
        self._run.__enter__()

    def on_save(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Keep the state next to the checkpoint."""
        folder = _folder(args, state)
        if folder.is_dir():
            with atomic_write.replacing(folder / FILE) as temporary:
                torch.save(self.run.state_dict(), temporary)

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **given: Any
    ) -> None:
        """Make the last measurement."""
        self.run.__exit__(None, None, None)


def _folder(args: TrainingArguments, state: TrainerState) -> Path:
    """Return the folder of the checkpoint of the current step."""
    return Path(str(args.output_dir)) / f"{PREFIX_CHECKPOINT_DIR}-{state.global_step}"

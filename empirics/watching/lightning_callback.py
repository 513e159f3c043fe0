"""A callback for Lightning that watches ``trainer.fit``."""

from typing import Any

from lightning.pytorch import Callback, LightningModule, Trainer

from empirics.watching.run import watch
from empirics.watching.watched import WatchCallback


class LightningWatch(WatchCallback, Callback):  # type: ignore[misc]
    """``Trainer(callbacks=[LightningWatch(inputs, labels, every=100)])``; afterwards ``callback.trace``.

    The numbers go to the loggers of the trainer, and the state into its checkpoints.

    Args:
        inputs: as for :func:`empirics.watch`.
        labels: as for :func:`empirics.watch`; default None.
        model: the module to measure; None (default) takes the ``LightningModule`` itself.
        options: further arguments of :func:`empirics.watch`.
    """

    def __init__(self, inputs: Any, labels: Any = None, model: Any = None, **options: Any) -> None:
        super().__init__()
        self._inputs, self._labels, self._model, self._options = inputs, labels, model, options
        self._stored: dict[str, Any] | None = None

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Begin to watch, when the model is on its device and a checkpoint has been loaded."""
        options = {"logger": _all_of(trainer.loggers), **self._options}
        model = pl_module if self._model is None else self._model
        self._run = watch(model, self._inputs, self._labels, **options)
        if self._stored is not None:
            self._run.load_state_dict(self._stored)
        self._run.__enter__()

    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Make the last measurement."""
        self.run.__exit__(None, None, None)

    def on_exception(
        self, trainer: Trainer, pl_module: LightningModule, exception: BaseException
    ) -> None:
        """Stop watching; the trace so far is kept."""
        if self._run is not None:
            self._run.__exit__(type(exception), exception, None)

    def state_dict(self) -> dict[str, Any]:
        """Return the state for the checkpoint."""
        return {} if self._run is None else self._run.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Keep the state of a checkpoint until the training begins."""
        self._stored = state_dict or None


def _all_of(loggers: list[Any]) -> Any:
    """Return a function that sends numbers to all loggers of the trainer."""

    def send(numbers: dict[str, float], step: int) -> None:
        for logger in loggers:
            logger.log_metrics(numbers, step=step)

    return send

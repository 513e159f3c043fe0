"""``empirics.watch``: measure a model at regular steps of any training loop, without changing the training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import nn

from closedform import checks
from empirics.measure.models.model_output import Wanted
from empirics.measure.models.task import TaskName
from empirics.watching import measures as registry
from empirics.watching import mirror
from empirics.watching.measuring import Measuring
from empirics.watching.schedule import MeasurementSchedule
from empirics.watching.subject import checked
from empirics.watching.undisturbed import unwrapped
from empirics.watching.watched import Steps, Watch


def watch(
    model: nn.Module,
    inputs: Any,
    labels: Any = None,
    every: int = 100,
    measures: Sequence[str | Callable[[nn.Module], Any]] | None = None,
    *,
    budget: float | None = None,
    steps: Steps = "optimizer",
    layers: Sequence[str | tuple[str, int | str]] | None = None,
    task: TaskName | None = None,
    output: Wanted = None,
    points: int = 16,
    pair: Sequence[int] | None = None,
    memory: str = "1GiB",
    logger: Any = None,
) -> Watch:
    """Watch a training run: ``with empirics.watch(model, inputs, labels) as run:`` around any loop, then ``run.trace``.

    The model is measured before the first step, every ``every`` steps, and after the last one. A measurement uses a
    copy of the model in evaluation mode and restores all random states, so that the training is the same to the last
    bit with and without it. The measurements are in ``run.trace``; ``run.state_dict()`` and ``run.load_state_dict()``
    belong into the user's checkpoints.

    Args:
        model: the module that is trained, ``[batch, *input] -> [batch, *output]``, or to several tensors.
        inputs: ``[N, *input]``, tensor or array, on which the model is measured; a few hundred are enough. A tuple,
            dictionary or dataclass of tensors, or a loader of batches, for models of several inputs.
        labels: class indices ``[N]``, ``[N, T]`` for tokens or ``[N, H, W]`` for pixels, or targets ``[N, *output]`` in
            floating point; default None.
        every: number of steps between two measurements, default 100.
        measures: names out of ``"accuracy"``, ``"collapse"``, ``"volume"``, ``"kernel"``, ``"two_point"``,
            ``"hamiltonian"``, and functions of your own, from the model to a number. None (default) takes all that
            apply; ``run.left_out`` says why the others do not.
        budget: largest share of the training time that measurements may take, such as 0.05; a measurement that does
            not fit into it is postponed. The first and the last measurement are made in any case. None (default) sets
            no limit, so that the measured steps do not depend on the speed of the machine.
        steps: ``"optimizer"`` (default) counts the steps of the torch optimizer that holds the model's parameters;
            ``"calls"`` counts calls of ``run.step()``, for loops without such an optimizer.
        layers: names of the layers of the collapse and of the two-point state, from first to last; the volume element
            is that of the last one. ``"layer3.1.relu[1]"`` is the second call of a module, ``"layer3.1.relu()"`` that
            of a function, ``("encoder.ln", 0)`` a position of a sequence (or ``"last"``, ``"mean"``, and ``"pooled"``
            for channels), ``"residual"`` the states of the residual stream, ``"penultimate"`` the input of the last
            linear map. None (default) takes the nonlinearities, or the residual stream where there are positions, and
            the input of the last linear map; ``run.left_out["layers"]`` names what is known not to be seen.
        task: ``"classes"``, ``"binary"`` (one output), ``"tokens"``, ``"dense"`` or ``"regression"``. None (default)
            recognises it from labels and outputs.
        output: which of several tensors that the model gives is measured, by place, name or a function, as in
            :func:`bridge.dossier`. None (default) takes the one that fits the labels; ``run.summary()`` says which.
        points: number of inputs for the volume element, the kernel and the Hamiltonian, default 16.
        pair: positions of the two inputs of the two-point state; None (default) takes the first input and the next one
            with another label.
        memory: limit of the working memory of each measure, default ``"1GiB"``.
        logger: where to copy the numbers, see :func:`empirics.watching.mirror.sender`; default None.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if a value is out of range, or (on entering) if a measure that was named does not apply.

    >>> import torch
    >>> model, x = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2)), torch.randn(20, 2)
    >>> optimizer = torch.optim.SGD(model.parameters(), 0.1)
    >>> with watch(model, x, (x[:, 0] > 0).long(), every=5, measures=["accuracy", "collapse"]) as run:
    ...     for _ in range(10):
    ...         optimizer.zero_grad()
    ...         model(x).square().mean().backward()
    ...         optimizer.step()
    >>> run.trace.step.values.tolist(), run.trace.layer.values.tolist()
    ([0, 5, 10], ['1'])
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    checks.one_of("steps", steps, ("optimizer", "calls"))
    if budget is not None:
        budget = checks.real_number("budget", budget, above=0, most=1)
    schedule = MeasurementSchedule(checks.size("every", every), budget)
    subject = checked(unwrapped(model), inputs, labels, layers, points, pair, memory, task, output)
    measuring = Measuring(subject, registry.named(measures), all_must_apply=measures is not None)
    return Watch(measuring, schedule, steps, mirror.sender(logger))

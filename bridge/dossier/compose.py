"""``bridge.dossier``: all measurements that apply to a user's network, as one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bridge.dossier.checkpoints import checkpoints
from bridge.dossier.collapse import collapse
from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import Expectation
from bridge.dossier.kernel import kernel
from bridge.dossier.network import MeasuredNetwork, checked
from bridge.dossier.overview import overview
from bridge.dossier.result import Dossier
from bridge.dossier.volume import volume
from bridge.dossier.wide_limit import wide_limit
from bridge.report.page import Section
from bridge.results.analysis import Analysis
from closedform.checks import integer, positive_number
from empirics.measure.models.memory import bytes_of, work_of
from empirics.measure.models.model_output import Wanted
from empirics.measure.models.task import TaskName

# of the budget
PARTS = {"network": 0.08, "collapse": 0.1, "geometry": 0.5, "kernel": 0.27, "infinite width": 0.05}
TRAINING = 0.3  # of the budget, where there are checkpoints
MINUTES = 120.0  # seconds that a dossier may take by default
Part = Callable[[], tuple["Analysis", tuple["Expectation", ...]]]


def dossier(
    model: Any,
    inputs: Any,
    labels: Any = None,
    *,
    task: TaskName | None = None,
    layers: Sequence[str | tuple[str, int | str]] | None = None,
    output: Wanted = None,
    points: int = 100,
    memory: str = "3GiB",
    seed: int = 0,
    budget: float | None = None,
    progress: bool = True,
) -> Dossier:
    """Measure a network of your own and return one report.

    The report begins with a table of expectations and verdicts, the network and how well it does, and the layers that
    were looked at. It covers the geometry of the last layer (the volume element against the entropy of the prediction,
    the stretching along directions of the data, and the curvature of smooth maps), the neural collapse of every layer,
    and the tangent kernel and its spectrum against the labels. Both are compared with the same labels in random order.
    The kernels of a fully connected network are compared with those of infinite width. Checkpoints show how all of this
    moves in training, and one at step 0 provides the network before training. What does not apply to the task is left
    out, with its reason. Models are copied and not changed.

    Args:
        model: ``nn.Module`` that maps ``[batch, *input]`` to ``[batch, *outputs]``, or to several tensors. It is
            evaluated in evaluation mode. For several checkpoints, a mapping ``{0: m0, 100: m100, ...}`` from step to
            module, of which the last one is described.
        inputs: tensor or array ``[N, *input]`` with at least 8 points; a tuple, dictionary or dataclass of tensors; or
            a loader of batches, which may contain the labels. Integers remain indices (tokens) if the model takes them.
        labels: class indices ``[N]``, ``[N, T]`` for tokens or ``[N, H, W]`` for pixels; targets in the shape of the
            outputs for a regression; or None (default).
        task: ``"classes"``, ``"binary"`` (one output), ``"tokens"``, ``"dense"`` or ``"regression"``. None (default)
            recognises it from labels and outputs, and the report says what was recognised.
        layers: names of layers, from first to last: ``"layer3.1.relu[1]"`` is the second call of a module,
            ``"layer3.1.relu()"`` the call of a function, ``("encoder.ln", 0)`` a position of a sequence (or ``"last"``,
            ``"mean"``, and ``"pooled"`` for channels), ``"residual"`` the states of the residual stream, and
            ``"penultimate"`` the input of the last linear map. Default: the nonlinearities, or the residual stream
            where there are positions, and the input of the last linear map.
        output: which of several tensors that the model gives is measured: its place or name (``1``, ``"logits"``,
            ``"1.0"``), or a function of the model's output. None (default) takes ``logits``, or the one that fits the
            labels, and of several that of the last linear map; the report says which, and an error lists them where
            that does not decide.
        points: number of points for slow measurements, drawn at random. Default: 100.
        memory: limit of the working memory of each measurement. Default: ``"3GiB"``.
        seed: seed of that draw, of estimates and of intervals. Default: 0.
        budget: limit of the work, counted in seconds of one processor core, so that the report does not depend on
            the machine. A measurement that would exceed its share uses random projections or fewer points, or is left
            out, and the report says what would be needed. None (default) stands for 120 seconds.
        progress: whether to show progress bars on stderr. Default: True.

    Returns:
        A :class:`bridge.dossier.result.Dossier`, which can be printed, and whose ``write(directory)`` writes a page.

    Raises:
        TypeError, ValueError: for an invalid argument; the message names it, the value and the requirement.
        RuntimeError: if called within ``torch.inference_mode``.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))
    >>> x = torch.randn(20, 3)
    >>> found = dossier(model, x, (x[:, 0] > 0).long(), budget=2, progress=False)
    >>> [section.title for section in found.sections]
    ['network', 'geometry', 'collapse', 'kernel', 'infinite width']
    """
    points, seed = integer("points", points, FEWEST), integer("seed", seed, 0)
    total = MINUTES if budget is None else positive_number("budget", budget, "seconds")
    bytes_of(memory)
    networks = _checkpoints(model, lambda own: checked(own, inputs, labels, layers, task, output))
    shares = {
        name: share * (1 if len(networks) == 1 else 1 - TRAINING) for name, share in PARTS.items()
    }
    allowed = {name: Budget(total, share) for name, share in shares.items()}
    whole, initial = list(networks.values())[-1], networks.get(0.0) if len(networks) > 1 else None
    if len(whole.inputs) < FEWEST:
        raise ValueError(f"inputs: got {len(whole.inputs)} points, needs at least {FEWEST}")
    left_out = [f"layers: {whole.unseen}"] if whole.unseen else []
    left_out += [f"points: {whole.company}"] if whole.company else []
    said = _affordable(networks, allowed["network"], seed)
    if said:
        left_out.append(said)
        asked, whole = len(whole.inputs), list(networks.values())[-1]
        for name, budget_of in allowed.items():
            most = asked if name == "collapse" else points
            budget_of.thinned = min(most, asked) / min(most, len(whole.inputs))
    some = whole.some(points, seed)
    parts: dict[str, tuple[str, Part]] = {
        "geometry": (
            "How does it stretch its inputs?",
            lambda: volume(some, memory, allowed["geometry"], progress),
        ),
        "collapse": (
            "How do classes separate with depth?",
            lambda: collapse(whole, memory, seed, allowed["collapse"], progress),
        ),
        "kernel": (
            "How do the labels lie in its tangent kernel?"
            if some.task.labels is not None
            else "What is its kernel?",
            lambda: kernel(some, memory, seed, allowed["kernel"], progress),
        ),
        "infinite width": (
            "Are its kernels those of infinite width?",
            lambda: wide_limit(some, initial, seed, allowed["infinite width"], progress),
        ),
    }
    if len(networks) > 1:
        parts["training"] = (
            "How do these quantities move in training?",
            lambda: (
                checkpoints(networks, points, memory, seed, Budget(total, TRAINING), progress),
                (),
            ),
        )
    sections: list[Section] = []
    expectations: list[Expectation] = []
    for name, (question, part) in parts.items():
        if not whole.layers and name in ("geometry", "collapse"):
            left_out.append(f"{name}: no layer was found; name some by layers=")
            continue
        try:
            analysis, verdicts = part()
        except (ValueError, NotImplementedError, RuntimeError) as refused:
            left_out.append(f"{name}: {str(refused).removeprefix(f'{name}: ')}")
            continue
        expectations += verdicts
        sections.append(Section(name, question, analysis))
    first = Section("network", "What was measured?", overview(whole, expectations, left_out))
    return Dossier(_named(model, whole), (first, *sections), tuple(left_out))


def _named(model: Any, network: MeasuredNetwork) -> str:
    """Return the class of a model, the last one of several checkpoints, and the number of its parameters."""
    last = list(model.values())[-1] if isinstance(model, Mapping) else model
    own = getattr(last, "_orig_mod", last)  # what torch.compile has compiled
    name = getattr(own, "original_name", type(own).__name__)
    parameters = sum(parameter.numel() for parameter in network.model.parameters())
    return f"{name}, {parameters:,} parameters"


def _affordable(networks: dict[float, MeasuredNetwork], budget: Budget, seed: int) -> str:
    """Keep as many points of all networks as forward passes of the last one fit, and at least the fewest; say so."""
    whole = list(networks.values())[-1]
    per_point = budget.paid(work_of(lambda: whole.model(whole.inputs[:2].clone()))) / 2
    points = len(whole.inputs)
    count = max(FEWEST, budget.affordable(points, per_point))
    for step, network in networks.items():
        networks[step] = network.some(count, seed)
    return budget.said("points", count, points, per_point * points)


def _checkpoints(
    model: Any, check: Callable[[Any], MeasuredNetwork]
) -> dict[float, MeasuredNetwork]:
    """Return the checked networks by step, in order; a single model has step 0."""
    if not isinstance(model, Mapping):
        return {0.0: check(model)}
    if not model:
        raise ValueError("model: got no checkpoint, needs at least one")
    for step in model:
        if isinstance(step, bool) or not isinstance(step, int | float):
            raise TypeError(f"model: got the step {step!r}, needs numbers as keys")
    networks = {float(step): check(model[step]) for step in sorted(model)}

    def names_of(network: MeasuredNetwork) -> tuple[str, ...]:
        return tuple(layer.name for layer in network.layers)

    if len(set(map(names_of, networks.values()))) > 1:
        raise ValueError(
            "model: got checkpoints with different layers, needs those of one network"
        )
    return networks

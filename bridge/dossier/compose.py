"""``bridge.dossier``: all measurements that apply to a user's network, as one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bridge.dossier.checkpoints import checkpoints
from bridge.dossier.collapse import collapse
from bridge.dossier.kernel import kernel
from bridge.dossier.network import MeasuredNetwork, checked
from bridge.dossier.overview import overview
from bridge.dossier.result import Dossier
from bridge.dossier.volume import volume
from bridge.dossier.wide_limit import wide_limit
from bridge.report.page import Section
from closedform.checks import integer, positive_number

if TYPE_CHECKING:
    from bridge.dossier.expectation import Expectation
    from bridge.results.analysis import Analysis

FEWEST = 8  # smallest number of points for eigenvectors and correlations
Part = Callable[[], tuple["Analysis", tuple["Expectation", ...]]]


def dossier(
    model: Any,
    inputs: Any,
    labels: Any,
    *,
    layers: Sequence[str] | None = None,
    points: int = 100,
    memory: str = "1GiB",
    seed: int = 0,
    budget: float = 60.0,
    progress: bool = True,
) -> Dossier:
    """Measure a classifier of your own and return one report.

    The report begins with a table of expectations and verdicts, the network and its accuracy, and the layers that were
    looked at. It covers the geometry of the last layer (the volume element against the entropy of the prediction, the
    stretching along directions of the data, and the curvature of smooth maps), the neural collapse of every layer, and
    the tangent kernel against the labels. Both are compared with the same labels in random order. The kernels of a
    fully connected network are compared with those of infinite width. Checkpoints show how all of this moves in
    training, and one at step 0 provides the network before training. Models are copied and not changed.

    Args:
        model: ``nn.Module`` that maps ``[batch, *input]`` to logits or probabilities ``[batch, C]``. It is evaluated in
            evaluation mode. For several checkpoints, a mapping ``{0: m0, 100: m100, ...}`` from step to module, of
            which the last one is described.
        inputs: tensor or array ``[N, *input]`` with at least 8 points; integers if the model takes indices (tokens),
            for which the report has no geometry.
        labels: class indices, ``[N]``.
        layers: dotted names of submodules, from first to last; ``"layer3.1.relu[1]"`` is the second call of a module,
            ``"layer3.1.relu()"`` the call of a function. Default: all calls of nonlinearities or, if none is visible,
            all linear maps but the last.
        points: number of points for slow measurements, drawn at random. Default: 100.
        memory: limit of the working memory of each measurement. Default: ``"1GiB"``.
        seed: seed of that draw and of intervals. Default: 0.
        budget: seconds for each slow measurement. One that would take longer uses fewer points or is left out, and the
            report says so. Default: 60.
        progress: whether to show progress bars on stderr. Default: True.

    Returns:
        A :class:`bridge.dossier.result.Dossier`, which can be printed, and whose ``write(directory)`` writes a page.

    Raises:
        TypeError, ValueError: for an invalid argument; the message names it, the value and the requirement.
        RuntimeError: if called within ``torch.inference_mode``.
    """
    from empirics.measure.models.memory import bytes_of

    points, seed = integer("points", points, FEWEST), integer("seed", seed, 0)
    budget = positive_number("budget", budget, "seconds")
    bytes_of(memory)
    networks = _checkpoints(model, inputs, labels, layers)
    whole, initial = list(networks.values())[-1], networks.get(0.0) if len(networks) > 1 else None
    if len(whole.inputs) < FEWEST:
        raise ValueError(f"inputs: got {len(whole.inputs)} points, needs at least {FEWEST}")
    some = whole.some(points, seed)
    parts: dict[str, tuple[str, Part]] = {
        "geometry": ("How does it stretch its inputs?", lambda: volume(some, memory, budget, progress)),
        "collapse": ("How do classes separate with depth?", lambda: collapse(whole, memory, seed, progress)),
        "kernel": (
            "How do the labels lie in its tangent kernel?",
            lambda: kernel(some, memory, seed, budget, progress),
        ),
        "infinite width": (
            "Are its kernels those of infinite width?",
            lambda: wide_limit(some, initial, seed, budget / 10, progress),
        ),
    }
    if len(networks) > 1:
        parts["training"] = (
            "How do these quantities move in training?",
            lambda: (checkpoints(networks, points, memory, seed, progress), ()),
        )
    sections: list[Section] = []
    expectations: list[Expectation] = []
    left_out = [f"layers: {whole.unseen}"] if whole.unseen else []
    for name, (question, part) in parts.items():
        if not whole.layers and name in ("geometry", "collapse"):
            left_out.append(f"{name}: no layer was found; name some by layers=")
            continue
        try:
            analysis, verdicts = part()
        except (ValueError, NotImplementedError, RuntimeError) as refused:
            left_out.append(f"{name}: {refused}")
            continue
        expectations += verdicts
        sections.append(Section(name, question, analysis))
    first = Section("network", "What was measured?", overview(whole, expectations, left_out))
    return Dossier((first, *sections), tuple(left_out))


def _checkpoints(model: Any, inputs: Any, labels: Any, layers: Sequence[str] | None) -> dict[float, MeasuredNetwork]:
    """Return the checked networks by step, in order; a single model has step 0."""
    if not isinstance(model, Mapping):
        return {0.0: checked(model, inputs, labels, layers)}
    if not model:
        raise ValueError("model: got no checkpoint, needs at least one")
    for step in model:
        if isinstance(step, bool) or not isinstance(step, int | float):
            raise TypeError(f"model: got the step {step!r}, needs numbers as keys")
    networks = {float(step): checked(model[step], inputs, labels, layers) for step in sorted(model)}
    if len({tuple(layer.name for layer in network.layers) for network in networks.values()}) > 1:
        raise ValueError("model: got checkpoints with different layers, needs those of one network")
    return networks

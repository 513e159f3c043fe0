"""``bridge.dossier``: all measurements that apply to a user's network, as one report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bridge.arguments import whole_number
from bridge.dossier.collapse import collapse
from bridge.dossier.kernel import kernel
from bridge.dossier.network import checked
from bridge.dossier.result import Dossier
from bridge.dossier.volume import volume
from bridge.report.folder import StudyRuns
from bridge.report.page import StudySection

if TYPE_CHECKING:
    from bridge.analysis import Analysis

FEWEST = 8  # smallest number of points for eigenvectors and correlations


def dossier(
    model: Any,
    inputs: Any,
    labels: Any,
    *,
    layers: Sequence[str] | None = None,
    points: int = 100,
    memory: str = "1GiB",
    seed: int = 0,
) -> Dossier:
    """Measure a classifier of your own and return one report.

    The report covers the geometry of the last layer (the volume element against the entropy of the prediction, and the
    curvature of smooth maps of few inputs), the neural collapse of every layer against the noise floor, and the tangent
    kernel against the labels. The model is copied and not changed.

    Args:
        model: ``nn.Module`` that maps ``[batch, *input]`` to logits or probabilities ``[batch, C]``. It is evaluated in
            evaluation mode.
        inputs: tensor or array ``[N, *input]`` with at least 8 points; integers if the model takes indices (tokens),
            for which the report has no geometry.
        labels: class indices, ``[N]``.
        layers: dotted names of submodules, from first to last. Default: the nonlinearities or, without modules for
            them, all linear maps but the last.
        points: number of points for slow measurements, drawn at random. Default: 100.
        memory: limit of the working memory of each measurement. Default: ``"1GiB"``.
        seed: seed of that draw and of intervals. Default: 0.

    Returns:
        A :class:`bridge.dossier.result.Dossier`, which can be printed, and whose ``write(directory)`` writes a page.

    Raises:
        TypeError, ValueError: for an invalid argument; the message names it, the value and the requirement.
        RuntimeError: if called within ``torch.inference_mode``.
    """
    from empirics.measure.memory import bytes_of

    points, seed = whole_number("points", points, FEWEST), whole_number("seed", seed, 0)
    bytes_of(memory)
    whole = checked(model, inputs, labels, layers)
    if len(whole.inputs) < FEWEST:
        raise ValueError(f"inputs: got {len(whole.inputs)} points, needs at least {FEWEST}")
    some = whole.some(points, seed)
    parts: dict[str, tuple[str, Callable[[], Analysis]]] = {
        "geometry": ("How does it stretch its inputs?", lambda: volume(some, memory)),
        "collapse": ("How do classes separate with depth?", lambda: collapse(whole)),
        "kernel": ("How do the labels lie in its tangent kernel?", lambda: kernel(some, memory)),
    }
    sections, left_out = [], []
    for name, (question, part) in parts.items():
        if not whole.layers and name != "kernel":
            left_out.append(f"{name}: no layer was found; name some by layers=")
            continue
        try:
            sections.append(StudySection(StudyRuns(name, question, "", "", {}), part()))
        except (ValueError, NotImplementedError, RuntimeError) as refused:
            left_out.append(f"{name}: {refused}")
    return Dossier(tuple(sections), tuple(left_out))

"""``bridge.dossier``: every measure that applies to a network of the user's own, in one report."""

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

FEWEST = 8  # points for eigenvectors and correlations


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
    """Measure everything that applies to a classifier of your own, as one report.

    Geometry of its last layer (volume element against how undecided it is; curvature of smooth maps of few inputs),
    neural collapse of every layer against the noise floor, and the tangent kernel against the labels. The model is
    copied and not changed.

    Args:
        model: ``nn.Module``, ``[batch, *input] -> [batch, C]`` logits or probabilities; looked at in evaluation mode.
        inputs: ``[N, *input]``, at least 8 points; tensor or array; whole numbers where the model takes them as
            indices (tokens; there is no geometry in them then).
        labels: class indices ``[N]``.
        layers: dotted names of submodules, first to last; by default what follows each nonlinearity, or each linear
            map but the last where there are no modules for them.
        points: how many of the points the costly parts use, drawn at random.
        memory: limit of working memory of each measure.
        seed: of that draw and of intervals.

    Returns:
        A :class:`bridge.dossier.result.Dossier`: print it, or ``.write(directory)`` its page.

    Raises:
        TypeError, ValueError: naming the argument, what it got and what it needs.
        RuntimeError: within ``torch.inference_mode``.
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

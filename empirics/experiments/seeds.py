"""Seeds trained one after the other: which are left, what happens to one that diverges."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from empirics.experiments.parts import Parts
from empirics.training.checkpoint import Checkpoint
from empirics.training.loop import DivergedError

NEVER = -1  # in ``diverged_at``


@dataclass(frozen=True)
class Outcome:
    """What came of one seed.

    Attributes:
        values: ``{variable: array or tensor}``, without the seed's dimension.
        diverged_at: when its training left the finite numbers; -1 where it did not.
        notes: what else the end of the run needs, the same for every seed.
    """

    values: Mapping[str, Any]
    diverged_at: int = NEVER
    notes: Mapping[str, Any] = field(default_factory=dict)


def one_by_one(
    seeds: Sequence[int],
    learn: Callable[[int], Outcome],
    *,
    on_divergence: Literal["raise", "mark"] = "raise",
    checkpoint: Checkpoint | None = None,
    when: str = "in epoch",
) -> Parts:
    """Do every seed that the checkpoint does not hold yet; each has its ``diverged_at`` among its values then.

    Args:
        seeds: all of the run.
        learn: trains and measures one.
        on_divergence: ``"raise"``, or ``"mark"`` (and warn).
        checkpoint: where to keep the finished ones.
        when: words between the seed and the ``diverged_at`` in the warning.

    Raises:
        training.DivergedError: if a seed diverges and ``on_divergence`` is ``"raise"``.
    """
    parts = Parts(checkpoint)
    for seed in seeds[len(parts.done) :]:
        outcome = learn(seed)
        if (epoch := outcome.diverged_at) != NEVER:
            if on_divergence == "raise":
                raise DivergedError({seed: epoch})
            warnings.warn(f"training diverged for seed {seed} {when} {epoch}", RuntimeWarning, stacklevel=3)
        parts.add({**outcome.values, "diverged_at": epoch}, **outcome.notes)
    return parts

"""What the noise of a fit is, in words, and the floor at which measured values are cut."""

from __future__ import annotations

import math

import numpy as np

from bridge.fit.estimate import Estimate
from bridge.fit.noise_profile import SHARE, Profile, steps
from bridge.fit.search import Array

FEWEST, MANY = 3, 0.02  # values equal to the lowest, and share of all, from which it is a floor


def noise_in_words(estimate: Estimate) -> tuple[str, ...]:
    """Return one sentence for each curve, such as "0.02: 3 % of the curve, above 0.001, correlated over 17 samples".

    Args:
        estimate: a fit. Where its residuals are smooth, they are errors of the theory or of the constants, and not
            noise, which is said.
    """
    sizes = np.sqrt((estimate.residuals**2).mean(axis=1))
    rough = [True] * len(sizes) if estimate.noise is None else estimate.noise.rough
    lasting, sentences = estimate.correlation_time, []
    for index, profile in enumerate(estimate.profiles):
        size, step = float(sizes[index]), float(np.median(estimate.steps[index]))
        if size == 0:
            sentences.append("none")
            continue
        if not rough[index] and step == 0:
            sentences.append(f"{size:.2g}: smooth, an error of the theory or of the constants")
            continue
        parts = [_shape(size, profile)]
        if lasting[index] > 1:
            parts.append(f"correlated over {lasting[index]:.0f} samples")
        if step > 0:
            parts.append(f"rounded to steps of {step:.2g}")
        sentences.append(f"{size:.2g}: {', '.join(parts)}")
    return tuple(sentences)


def _shape(size: float, profile: Profile) -> str:
    if not profile.shape:
        return "the same everywhere"
    if profile.shape != SHARE:
        low, high = size * float(profile.sizes.min()), size * float(profile.sizes.max())
        return f"{profile.shape}, from {low:.2g} to {high:.2g}"
    share, floor = size * math.sqrt(profile.share), size * math.sqrt(profile.floor)
    return f"{100 * share:.2g} % of the curve, above {floor:.2g}"


def cut_at(values: Array) -> float | None:
    """Return the floor at which values ``[time]`` seem to be cut: many are equal to the lowest; None if there is none.

    Rounded values, which have many equal ones of every size, are not cut.
    """
    if steps(values[None]).any():
        return None
    distinct, counts = np.unique(values, return_counts=True)
    is_floor = counts[0] >= max(FEWEST, MANY * values.size)
    others = counts[1:].max(initial=0)
    return float(distinct[0]) if is_floor and counts[0] > 2 * others else None

r"""``require``: a claim must hold at a configuration, with one level of false alarms for all examples of a run.

A *run* is one test function within pytest, or else one process. Its example number *k* is decided at the level
:math:`6\alpha/(\pi k)^2`, so that all of them together raise a false alarm with at most the probability
:math:`\alpha`. After a failure, while hypothesis looks for a simpler one, the level stays that of the failure, and an
example that comes again has the decision that it had.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from typing import Any

from bridge.validity.decision import WORDS, Decision, decide
from bridge.validity.identity import content
from bridge.validity.prediction import as_prediction
from closedform import checks


@dataclass
class SharedLevel:
    """The examples of one run."""

    decisions: dict[Any, Decision] = field(default_factory=dict)
    failure: Decision | None = None

    def level(self, false_alarm: float) -> float:
        """Return the level of the next example."""
        if self.failure is not None:
            return self.failure.level
        return 6 * false_alarm / (math.pi * (len(self.decisions) + 1)) ** 2

    @property
    def counts(self) -> dict[str, float]:
        """How many examples hold, are not decided and fail, and the seconds that they took."""
        counts: dict[str, float] = dict.fromkeys(WORDS.values(), 0)
        for decision in self.decisions.values():
            counts[WORDS[decision.holds]] += 1
        return counts | {"seconds": sum(decision.seconds for decision in self.decisions.values())}


_CURRENT: ContextVar[SharedLevel] = ContextVar("run", default=SharedLevel())  # noqa: B039 - the run of the process is meant to be shared


@contextmanager
def running(run: SharedLevel) -> Iterator[SharedLevel]:
    """Make this the run to which examples belong."""
    token = _CURRENT.set(run)
    try:
        yield run
    finally:
        _CURRENT.reset(token)


def require(
    claim: Any, config: Any, *, resolution: float | None = None, false_alarm: float = 0.01
) -> Decision:
    """Draw seeds until a claim is decided at a configuration, and raise an error if it fails there.

    Args:
        claim: name in :func:`bridge.claims`, or a function ``(config, seed) -> (predicted, measured)`` of your own.
        config: configuration of the experiment of the claim, whose seeds do not count; of an own claim, any object.
        resolution: smallest relevant deviation, positive; a share of the prediction unless the claim says otherwise.
            Default: that of the claim.
        false_alarm: probability with which any example of the run fails although the claim holds at all of them,
            between 0 and 1, for deviations with a normal distribution; a slow test simulates others. Default: 0.01.

    Returns:
        The decision; ``holds`` is None where 64 seeds do not decide.

    Raises:
        AssertionError: if the claim fails at this configuration; with the comparison and a command that repeats it.
        TypeError, ValueError: for an unknown claim, or a configuration of another experiment.

    >>> import numpy as np
    >>> def mean(config, seed):
    ...     return 1.0, 1.0 + 0.01 * np.random.default_rng(seed).standard_normal()
    >>> require(mean, None, resolution=0.1).holds
    True
    """
    prediction, alarm = as_prediction(claim), checks.share("false_alarm", false_alarm)
    if resolution is not None:
        resolution = checks.positive_number("resolution", resolution)
    if prediction.base is not None:
        checks.instance(
            "config", config, type(prediction.base), f"a configuration of {prediction.experiment}"
        )
    run = _CURRENT.get()
    key = (prediction.name, prediction.compare, content(config), resolution, alarm)
    if key not in run.decisions:
        run.decisions[key] = decide(prediction, config, resolution, run.level(alarm))
    decision = run.decisions[key]
    if decision.holds is False:
        run.failure = decision
        raise AssertionError(report(decision))
    return decision


def report(decision: Decision) -> str:
    """Return the comparison, the claim, the settings that differ from its own, and the command that repeats it."""
    lines = [decision.comparison, decision.claim.sentence]
    if decision.claim.base is None:
        return "\n".join([*lines, f"at {decision.config!r}"])
    changed = ", ".join(f"{name} = {value!r}" for name, value in different(decision).items())
    settings = changed or "all as in the claim's own configuration"
    return "\n".join([*lines, f"at {settings}", command(decision)])


def different(decision: Decision) -> dict[str, Any]:
    """Return the fields of the configuration, without its seeds, that differ from those of the claim's own."""
    base = decision.claim.base
    seeds = ("seeds", "realisations", "first_seed")
    names = [option.name for option in fields(base) if option.name not in seeds]
    values = {name: getattr(decision.config, name) for name in names}
    return {name: value for name, value in values.items() if value != getattr(base, name)}


def command(decision: Decision) -> str:
    """Return the command line that tests this configuration."""
    words = ["closedform", "validity", decision.claim.name]
    for name, value in different(decision).items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        words += ["--at", f"{name}={text}"]
    if decision.resolution != decision.claim.resolution:
        words += ["--resolution", f"{decision.resolution:g}"]
    return shlex.join(words)

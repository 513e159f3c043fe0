r"""``require``: a claim must hold at a configuration, with one level of false alarms for all examples of a run.

A *run* is one test function within pytest, or else one process. Its example number *k* is decided at the level
:math:`6\alpha/(\pi k)^2`, so that all of them together raise a false alarm with at most the probability
:math:`\alpha`. After a failure, while hypothesis looks for a simpler one, the level stays that of the failure, and an
example that comes again has the decision that it had; networks are kept, also for another resolution. After
:data:`SIMPLER` such examples no more networks are drawn, and the simplest failure so far is reported.

A test is not green where nothing was shown: unless something else is asked for, a test in which an example is not
decided fails at its end, after all other examples, since an example without a decision is no failure to simplify.
"""

from __future__ import annotations

import math
import shlex
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from bridge.statistics.arrays import Array
from bridge.validity.decision import WORDS, Decision, decide
from bridge.validity.identity import content, first_seed
from bridge.validity.prediction import as_prediction
from closedform import checks

SIMPLER = 40  # examples after a failure whose networks are drawn, in search of a simpler one
Undecided = Literal["fail", "skip", "pass"]


@dataclass
class SharedLevel:
    """The examples of one run."""

    decisions: dict[Any, Decision] = field(default_factory=dict)
    # predicted and measured numbers by claim and configuration
    networks: dict[Any, tuple[Array, Array]] = field(default_factory=dict)
    failure: Decision | None = None
    simpler: int = 0  # examples since the first failure
    undecided: list[Decision] = field(default_factory=list)  # at which the test fails at its end

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

    @property
    def open(self) -> str:
        """The examples that were to be decided and were not, with what their seeds see; empty if there are none."""
        if not self.undecided:
            return ""
        count = len(self.undecided)
        head = f'{count} example{"s" * (count > 1)} not decided, which undecided="pass" allows:'
        return "\n".join([head, *map(report, self.undecided[:3]), *["..."] * (count > 3)])


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
    claim: Any,
    config: Any,
    *,
    resolution: float | None = None,
    false_alarm: float = 0.01,
    undecided: Undecided | None = None,
    bounds: tuple[float, float] | None = None,
) -> Decision:
    """Draw seeds until a claim is decided at a configuration, and raise an error if it fails there.

    Args:
        claim: name in :func:`bridge.claims`, or a function ``(config, seed) -> (predicted, measured)`` of your own.
        config: configuration of the experiment of the claim, whose seeds do not count; of an own claim, any object.
            Its networks have seeds that follow from its content, so that configurations do not share their noise.
        resolution: smallest relevant deviation, positive; a share of the prediction unless the claim says otherwise or
            the prediction is 0. Default: that of the claim.
        false_alarm: probability with which any example of the run fails although the claim holds at all of them,
            between 0 and 1. It is kept for numbers of which at least a tenth lies on either side of their mean, up to
            what :doc:`/calibration` shows for skewed ones. Default: 0.01.
        undecided: what an example does that its seeds do not decide: ``"fail"`` raises an error, ``"skip"`` skips the
            test, ``"pass"`` returns the decision. Default: within pytest, the test fails at its end, after its other
            examples; elsewhere, the decision is returned.
        bounds: limits within which every measured number lies, such as (0, 1) of a share, for all of whose
            distributions the level is kept. Default: those of the claim; numbers that are all 0 or 1 have these.

    Returns:
        The decision; ``holds`` is None where the seeds do not decide, and ``comparison`` says what they would show.

    Raises:
        AssertionError: if the claim fails at this configuration, or is not decided and ``undecided`` is ``"fail"``;
            with the comparison and a command that repeats it.
        unittest.SkipTest: if it is not decided and ``undecided`` is ``"skip"``.
        TypeError, ValueError: for an unknown claim, a configuration of another experiment, a prediction of 0 without a
            resolution, or a measured number beyond the bounds.

    >>> import numpy as np
    >>> def mean(config, seed):
    ...     return 1.0, 1.0 + 0.01 * np.random.default_rng(seed).standard_normal()
    >>> require(mean, None, resolution=0.1).holds
    True
    """
    prediction, alarm = as_prediction(claim), checks.share("false_alarm", false_alarm)
    if resolution is not None:
        resolution = checks.positive_number("resolution", resolution)
    if undecided is not None:
        checks.one_of("undecided", undecided, get_args(Undecided))
    if bounds is not None:
        prediction = replace(prediction, bounds=bounds)
    if prediction.base is not None:
        checks.instance(
            "config", config, type(prediction.base), f"a configuration of {prediction.experiment}"
        )
    run = _CURRENT.get()
    drawn = (prediction.name, prediction.compare, content(config))
    key = (*drawn, resolution, alarm, prediction.bounds)
    if key not in run.decisions:
        if run.failure is not None and run.simpler >= SIMPLER:
            relevant = prediction.resolution if resolution is None else resolution
            level, nothing = run.failure.level, np.empty(0)
            return Decision(prediction, config, relevant, level, nothing, nothing, None)
        run.simpler += run.failure is not None
        level, known = run.level(alarm), run.networks.get(drawn)
        decision = decide(
            prediction, config, resolution, level, known=known, first_seed=first_seed(config)
        )
        run.decisions[key] = decision
        run.networks[drawn] = decision.predicted, decision.measured
        if decision.holds is None and undecided is None and run.failure is None:
            run.undecided.append(decision)
    decision = run.decisions[key]
    if decision.holds is False:
        run.failure = decision
        raise AssertionError(report(decision))
    if decision.holds is None and undecided == "fail":
        raise AssertionError(report(decision))
    if decision.holds is None and undecided == "skip":
        raise unittest.SkipTest(report(decision))
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

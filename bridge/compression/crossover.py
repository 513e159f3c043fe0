r"""The crossover from feature to lazy learning in the network scale, against its limits.

As :math:`\alpha \to \infty` the network becomes the machine of its initial tangent kernel: the same test error,
:math:`t^* \propto 1/\alpha`, and an amplification factor of one. As :math:`\alpha \to 0` the amplification factor and
the test error reach plateaus. The frozen kernel is that of the same initial weights, and learns from the same points.
Source: Paccolat et al. (2021), appendix B and Figure 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.compression import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array

if TYPE_CHECKING:
    from empirics.experiments.compression import Config

STEPS = 20_000  # of the flow with the frozen kernel


@dataclass(frozen=True, repr=False)
class Crossover(Result):
    """Networks of different scales on the same training sets, and the machine of their frozen initial kernel.

    Attributes:
        alpha: network scales, increasing, dimensionless, ``[scale]``.
        times: t* in units of tau, ``[scale, seed]``; NaN if it was not reached.
        star: global amplification factor at t*, ``[scale, seed]``.
        largest: the largest one, ``[scale, seed]``.
        start: the one of the initial weights, ``[seed]``.
        errors: fraction of test points with the wrong label at the end, ``[scale, seed]``.
        fitted: fraction of the training points that are fitted at the end, ``[scale, seed]``.
        frozen: fraction of test points with the wrong label of the machine of the frozen kernel, ``[seed]``.
        frozen_fitted: fraction of the training points that it fits, ``[seed]``.
    """

    alpha: Array
    times: Array
    star: Array
    largest: Array
    start: Array
    errors: Array
    fitted: Array
    frozen: Array
    frozen_fitted: Array

    @property
    def turning_point(self) -> float:
        """The network scale at which the logarithm of Λ* is half-way between its ends, interpolated in log α."""
        level = np.nanmean(np.log(self.star), axis=1)
        half = (level[0] + level[-1]) / 2
        index = int(np.argmax((level[:-1] - half) * (level[1:] - half) <= 0))
        logs = np.log(self.alpha[index : index + 2])
        share = (half - level[index]) / (level[index + 1] - level[index])
        return float(np.exp(logs[0] + share * (logs[1] - logs[0])))


def crossover(traces: Any) -> Crossover:
    """Compare networks of different scales with the machine of their frozen initial kernel.

    It needs traces, since the kernel is computed from the training set and initial weights of every realisation.

    Args:
        traces: mapping or sequence of at least two traces with test errors that differ in nothing but alpha.

    Raises:
        TypeError, ValueError: if the traces are of another experiment, too few, without a test error, or differ in
            another option than alpha.

    >>> from empirics.experiments import compression
    >>> config = compression.Config(dimension=2, points=100, width=50, seeds=1, test_points=50)
    >>> found = crossover([compression.run(config.changed(alpha=alpha), progress=False) for alpha in (1e-4, 1e-2)])
    >>> found.alpha.tolist()
    [0.0001, 0.01]
    """
    known = read.several(traces, 2)
    configs = [read.config_of(trace) for trace in known.values()]
    if any("test_error" not in trace for trace in known.values()):
        raise ValueError("traces: have no test error; run with test_points")
    if len({config.changed(alpha=1.0) for config in configs}) > 1 or len(
        {c.alpha for c in configs}
    ) < len(configs):
        raise ValueError("traces: need different alpha, and all else equal")
    order = np.argsort([config.alpha for config in configs])
    inside = [list(known.values())[i] for i in order]
    errors, fitted = _frozen(configs[0])
    return Crossover(
        alpha=np.array([configs[i].alpha for i in order]),
        times=np.stack([read.at_first_share(trace, "time") for trace in inside]),
        star=np.stack([read.at_first_share(trace, "amplification") for trace in inside]),
        largest=np.stack([trace["amplification_max"].values for trace in inside]),
        start=inside[0]["amplification"].isel(record=0).values,
        errors=np.stack([trace["test_error"].isel(record=-1).values for trace in inside]),
        fitted=np.stack([trace["fitted"].isel(record=-1).values for trace in inside]),
        frozen=errors,
        frozen_fitted=fitted,
    )


def _frozen(config: Config) -> tuple[Array, Array]:
    """Return test error and fitted share of the flow with the initial kernel of every realisation, ``[seed]`` each."""
    from empirics.experiments.compression import realisations
    from empirics.measure.kernels.shallow_kernel import shallow_tangent_gram
    from empirics.training.kernel_flow import kernel_flow

    drawn = realisations(config)
    results = []
    for x, y, hidden, output, x_test, y_test in zip(
        drawn.inputs,
        drawn.labels,
        drawn.hidden,
        drawn.output,
        drawn.test_inputs,
        drawn.test_labels,
        strict=True,
    ):
        machine = kernel_flow(shallow_tangent_gram(hidden, output, x), y, most_steps=STEPS)
        is_wrong = machine(shallow_tangent_gram(hidden, output, x_test, x)) * y_test <= 0
        results.append((float(is_wrong.double().mean()), machine.fitted))
    errors, fitted = np.array(results).T
    return errors, fitted

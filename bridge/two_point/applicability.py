r"""Warnings for a trace to which the theory does not apply, and the share of its variance that the theory leaves.

Each check tests one assumption: nearby representations (Eq. 5), training until convergence (Eq. 10), no rotation and
gradient flow (Eq. 19, by the conserved :math:`D`), states that satisfy the Cauchy-Schwarz inequality. Further checks
concern the fit itself, and noise that its errors do not follow (:mod:`bridge.fit.noise_warnings`).

White noise is uncorrelated between samples, and a smooth curve is not. The mean product of neighbouring residuals
therefore estimates the mean square of their systematic part for any noise level, and the same product of the curve
itself its variance without noise. Their ratio is the *unexplained share*. It is 1 - R² without noise, and zero for most
data drawn from the theory plus noise. Neighbours are adjacent samples, which detect short deviations, and all samples
within a thirtieth of the trace, which detect deviations below a higher noise level. Three effects correlate neighbours
although the theory holds, and are taken into account: chance, the errors of the parameters, which shift whole curves,
and noise that is itself correlated, which is rough (:mod:`bridge.fit.correlated_noise`).
"""

import numpy as np

from bridge.fit.estimate import Estimate
from bridge.fit.noise_warnings import noise_warnings
from bridge.fit.noise_words import cut_at
from bridge.statistics.arrays import Array
from bridge.two_point import state as states
from bridge.two_point.trace import CURVES, NOISE_MARGIN, Trace

CHANCE = 4.0  # standard errors of a correlation of neighbours, which at most one white curve in 1,000 exceeds
REACH = 30  # ratio of the length of the trace to the size of a neighbourhood
MOVED = 3.0  # standard errors of the parameters by which a whole curve may be shifted

FAR = 0.7  # ratio of initial to final distance (not squared) above which fits of real networks become visibly worse
UNFINISHED = 0.02  # final output error |dy - (y2 - y1)|^2 relative to the initial one
DRIFT = 0.1  # change of the conserved quantity relative to its scale
POOR = 0.1  # unexplained share of the variance of a curve, without noise
MANY = 0.01  # fraction of impossible points


def check(
    trace: Trace,
    estimate: Estimate,
    *,
    tau_h: float,
    tau_y: float,
    initial: Array,
    noise: Array,
    conserves: bool,
) -> tuple[str, ...]:
    """Check a fit and the assumptions of the theory.

    Args:
        trace: the data.
        estimate: the fit to it.
        tau_h: fitted time constant of the encoder, in the unit of the data's time.
        tau_y: that of the decoder.
        initial: initial state of the fitted trajectory, ``[3]``.
        noise: standard deviations of the noise of the curves, ``[3]``.
        conserves: whether the law conserves D.

    Returns:
        The warnings in order of importance; empty if there are none.
    """
    drift = _drift(trace, tau_h, tau_y, noise) if conserves else None
    unfinished = _unfinished(trace, noise)
    of_noise = () if trace.exact else noise_warnings(estimate, CURVES, unfinished is None)
    of_data = (
        _impossible(trace, noise),
        _cut(trace),
        _far(trace, initial),
        unfinished,
        drift,
    )
    return (
        *(warning for warning in of_data if warning is not None),
        *_poor(trace, estimate, noise),
        *_search(estimate),
        *of_noise,
    )


def _impossible(trace: Trace, noise: Array) -> str | None:
    share = 1 - float(states.is_possible(trace.state, trace, noise).mean())
    if share > MANY:
        return (
            f"{share:.0%} of the points break (dy2 - w)^2 <= dy2 target2, which holds for any network: check target2 "
            "and the definition w = |dy|^2 - dy.(y2 - y1)"
        )
    negative = int(
        (
            trace.state[:2] < -NOISE_MARGIN * noise[:2, None] - states.tolerance(trace.state, 0.0)
        ).sum()
    )
    values = "value" if negative == 1 else "values"
    return (
        f"{negative} negative {values} among the squared distances dh2, dy2" if negative else None
    )


def _cut(trace: Trace) -> str | None:
    floors = [(name, cut_at(row)) for name, row in zip(CURVES[:2], trace.state[:2], strict=True)]
    cut = [f"{name} at {floor:.3g}" for name, floor in floors if floor is not None]
    if trace.exact or not cut:
        return None
    return (
        f"many values are equal to the lowest, {' and '.join(cut)}: if values below were cut off there, they bias the "
        "constants by about an error; leave these points out"
    )


def _far(trace: Trace, initial: Array) -> str | None:
    final = float(np.median(trace.state[0, -3:]))
    ratio = float(np.sqrt(initial[0] / final)) if final > 0 else np.inf
    if ratio > FAR:
        return (
            f"the representations start {ratio:.2g} times as far apart as they end: the linear approximation around "
            "their mean (Eq. 5) needs nearby ones, i.e. smaller initial weights"
        )
    return None


def _unfinished(trace: Trace, noise: Array) -> str | None:
    error = 2 * trace.state[2] - trace.state[1] + trace.target2  # |dy - (y2 - y1)|^2
    end = float(np.median(error[-max(3, trace.t.size // 100) :]))
    begin = float(np.abs(error).max())
    if end > UNFINISHED * begin + NOISE_MARGIN * float(noise[1] + 2 * noise[2]):
        return f"training has not converged: {end / begin:.0%} of the squared output error is still there at the end"
    return None


def _drift(trace: Trace, tau_h: float, tau_y: float, noise: Array) -> str | None:
    """Warn if ``D = tau_h dh2/dx2 - tau_y dy2/dh2``, weighted by dh2, is not constant."""
    dh2, dy2, _ = trace.state
    weighted = tau_h * dh2**2 / trace.dx2 - tau_y * dy2
    constant = float(weighted @ dh2) / float(dh2 @ dh2)
    scale = float(np.abs(tau_h * dh2**2 / trace.dx2).max() + np.abs(tau_y * dy2).max())
    forgiven = NOISE_MARGIN * float(
        2 * tau_h * dh2.max() * noise[0] / trace.dx2 + tau_y * noise[1]
    )
    drift = max(float(np.abs(weighted - constant * dh2).max()) - forgiven, 0.0) / scale
    if drift > DRIFT:
        return (
            f"the conserved quantity tau_h dh2/dx2 - tau_y dy2/dh2 drifts by {drift:.0%} of its scale: representations "
            "rotate, or training is not gradient flow on two smooth maps"
        )
    return None


def _poor(trace: Trace, estimate: Estimate, noise: Array) -> list[str]:
    shares = unexplained(estimate, trace.state, noise)
    if shares.max() <= POOR:
        return []
    spread = ((trace.state - trace.state.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return [
        f"the theory does not describe {name}: it leaves {share:.0%} of the variance, noise apart"
        for name, share, all_of_it in zip(CURVES, shares, spread, strict=True)
        if share > POOR and all_of_it > 1e-3 * spread.max()
    ]


def _search(estimate: Estimate) -> list[str]:
    warnings = []
    if not estimate.converged:
        warnings.append("the least-squares search did not converge; its result is not a minimum")
    for index, name in enumerate(("tau_h", "tau_y")):
        variance = estimate.covariance[index, index]
        if index in estimate.at_bound:
            warnings.append(f"{name} is at its bound: the data push it out of any sensible range")
        elif not variance < 1:
            warnings.append(
                f"{name} is not determined by these data: its error is as large as itself"
            )
    return warnings


def unexplained(estimate: Estimate, curves: Array, noise: Array) -> Array:
    """Return the unexplained share of the variance of ``curves [curve, time]``; 0 where it is not significant.

    What noise that is itself correlated accounts for is explained.
    """
    explained = estimate.noise is not None and estimate.noise.rough
    return np.where(explained, 0.0, systematic(estimate, curves, noise))


def systematic(estimate: Estimate, curves: Array, noise: Array) -> Array:
    """Return the share of the variance of ``curves [curve, time]`` in residuals that neighbours have in common."""
    shares = [np.zeros(len(curves))]
    for reach in {1, max(curves.shape[1] // REACH, 1)}:
        product, chance = (
            _neighbours(estimate.residuals, reach),
            _chance(estimate.residuals, reach),
        )
        if (product > chance).any():
            apart = curves - curves.mean(axis=1, keepdims=True)
            spread = _neighbours(apart, reach)
            moved = MOVED**2 * _moved(estimate.jacobian, noise)
            is_seen = (product > chance + moved) & (spread > _chance(apart, reach))
            shares.append(np.where(is_seen, product / np.where(is_seen, spread, 1.0), 0.0))
    return np.asarray(np.max(shares, axis=0))


def _neighbours(rows: Array, reach: int) -> Array:
    """Return the mean product ``[curve]`` of all pairs of samples that are at most ``reach`` samples apart."""
    total = np.cumsum(rows, axis=1)
    after = (
        np.concatenate([total[:, reach:], np.repeat(total[:, -1:], reach, axis=1)], axis=1) - total
    )
    return np.asarray((rows * after).sum(axis=1) / _pairs(rows.shape[1], reach))


def _chance(rows: Array, reach: int) -> Array:
    """Return the largest mean product ``[curve]`` that is not significant for white rows, of any sizes along them."""
    return np.asarray(CHANCE * np.sqrt(_neighbours(rows**2, reach) / _pairs(rows.shape[1], reach)))


def _pairs(points: int, reach: int) -> float:
    return reach * (points - (reach + 1) / 2)


def _moved(jacobian: Array, noise: Array) -> Array:
    """Return the mean square ``[curve]`` by which white noise shifts each curve through the parameters."""
    if not noise.any():
        return np.zeros(len(noise))
    unit = np.sqrt(np.einsum("ctp,ctp->p", jacobian, jacobian))
    slopes = jacobian / np.where(unit > 0, unit, 1.0)
    products = np.einsum("ctp,ctq->cpq", slopes, slopes)
    inverse = np.linalg.pinv(products.sum(axis=0), hermitian=True)
    covariance = inverse @ np.einsum("c,cpq->pq", noise**2, products) @ inverse
    return np.asarray(np.einsum("cpq,pq->c", products, covariance) / jacobian.shape[1])

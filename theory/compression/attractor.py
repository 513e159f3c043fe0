"""A fixed point of the neuron vector, and the labels that have some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theory.compression.labels import Stripes
from theory.compression.shells import Shells

Labels = Stripes | Shells


@dataclass(frozen=True)
class Attractor:
    r"""A fixed point of the neuron vector; all numbers are dimensionless, floats or (with ``digits``) those of mpmath.

    Attributes:
        position: position :math:`z^*` on the informative axis.
        side: sign of the amplification factor, +1 or -1: the side of the hyperplane on which the neuron is active.
        stable: whether the point is an attractor: it is stable along the axis, which implies stability across it.
        c_parallel: :math:`C_1^\pm(z^*)`.
        c_bias: :math:`C_b^\pm(z^*)`.
        c_perp: :math:`C_\perp(z^*) = y(z^*)`, +1 or -1; for shells its mean over the hyperplane.
        d_perp: :math:`D_\perp^\pm(z^*)`, the probability that the neuron is active.
        growth_time: time constant :math:`\tau^*/\tau` of the neuron's growth.
        amplification: prefactor *A* in :math:`\lambda^* = A \sqrt p/\|N\|`, where *N* holds the unit Gaussian
            fluctuations of the data, one for each uninformative direction; None where the perpendicular weights outgrow
            the informative one.
        slope: :math:`S\,dG/d\zeta`, positive where the point is stable along the axis.
        current: :math:`S J`, positive where the point is stable across the axis.
        informative: number of informative directions.
    """

    position: Any
    side: int
    stable: bool
    c_parallel: Any
    c_bias: Any
    c_perp: Any
    d_perp: Any
    growth_time: Any
    amplification: Any | None
    slope: Any
    current: Any
    informative: int = 1

    @classmethod
    def at(
        cls,
        position: Any,
        side: int,
        labels: Labels,
        dimension: int,
        integrals: tuple[Any, Any, Any, Any],
        context: Any,
        tiny: Any,
    ) -> Attractor:
        r"""Return the fixed point at a position.

        Args:
            position: its place on the informative axis.
            side: the side on which the neuron is active.
            labels: labels in stripes or shells.
            dimension: input dimension *d*.
            integrals: :math:`C_b`, :math:`C_1`, boundary current and label there.
            context: ``mpmath.fp`` for floats, or ``mpmath.mp``.
            tiny: relative accuracy, below which the stability is marginal.
        """
        c_bias, c_parallel, current, label = integrals
        sign = 1 if c_parallel > 0 else -1
        drift = side * label * context.npdf(position) * (position**2 + dimension - 1)
        slope, across = sign * (current - drift), sign * current
        active = context.ncdf(-side * position)
        return cls(
            position=position,
            side=side,
            stable=bool(slope > tiny * (abs(current) + abs(drift))),
            c_parallel=c_parallel,
            c_bias=c_bias,
            c_perp=label,
            d_perp=active,
            growth_time=1 / (abs(c_parallel) * context.sqrt(1 + position**2 / dimension)),
            amplification=across / context.sqrt(active)
            if across > tiny * abs(c_parallel)
            else None,
            slope=slope,
            current=across,
            informative=labels.d_parallel if isinstance(labels, Shells) else 1,
        )

r"""Symbols of the theory of compression.

The conventions are as follows. The network is :math:`f = h^{-1}\sum_n \beta_n \sigma(\omega_n\cdot x/\sqrt d + b_n)`
with :math:`\sigma(x) = \sqrt 2 \max(0, x)`; time is in units of :math:`\tau = h\sqrt{d/2}`; a *position* on the
informative axis is measured towards the side on which the neuron is active, :math:`a = \pm z`. Source: Paccolat et al.
(2021), Eqs. (1), (4).
"""

from __future__ import annotations

import sympy as sp

from theory.core import Argument

a = sp.Symbol("position", real=True)
c_parallel = sp.Symbol("c_parallel", nonzero=True)
d = sp.Symbol("d", integer=True, positive=True)
p = sp.Symbol("p", positive=True)

POSITION = Argument(a, "place of the hyperplane, towards its active side", sample=(-2, 2), example=0.5, latex="a")
C_PARALLEL = Argument(c_parallel, "<y x_1> over the active side", sample=(0.1, 1), example=0.4, latex="C_1")
DIMENSION = Argument(d, "dimension of the data", sample=(2, 20), example=10)
POINTS = Argument(p, "number of training points", sample=(100, 10000), example=10000)

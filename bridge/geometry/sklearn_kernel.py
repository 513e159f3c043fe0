"""Kernels of infinitely wide networks for scikit-learn: NNGP and tangent kernel of any activation and depth.

    from sklearn.gaussian_process import GaussianProcessRegressor
    GaussianProcessRegressor(NNGPKernel("erf", depth=3) + WhiteKernel()).fit(X, y)

The scales are hyper-parameters, with derivatives. They need the extra ``sklearn``.
"""

from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Hyperparameter, Kernel

from bridge.geometry.wide_kernel import WideNetwork
from bridge.statistics.arrays import Array
from theory.activations import Activation
from theory.geometry import kernel_diagonal

Bounds = tuple[float, float] | str
WIDE: Bounds = (1e-3, 1e3)


class NNGPKernel(Kernel):  # type: ignore[misc]
    """Kernel of the features of the last hidden layer of an infinitely wide network.

    Args:
        activation: activation of every hidden layer, its name, or an expression in ``z`` such as ``"z*erf(z)"``.
        depth: number of hidden layers, at least 1. Default: 1.
        sigma: standard deviation of each weight, positive; 1/input in the first layer. Default: 1.
        zeta: standard deviation of each bias; may be 0 if ``zeta_bounds`` is ``"fixed"``. Default: 0.1.
        sigma_bounds: bounds of ``sigma``, or ``"fixed"``. Default: (1e-3, 1e3).
        zeta_bounds: bounds of ``zeta``, or ``"fixed"``. Default: (1e-3, 1e3).
    """

    kind: Any = "nngp"

    def __init__(
        self,
        activation: Activation | str = "relu",
        depth: int = 1,
        sigma: float = 1.0,
        zeta: float = 0.1,
        sigma_bounds: Bounds = WIDE,
        zeta_bounds: Bounds = WIDE,
    ) -> None:
        self.activation, self.depth = activation, depth
        self.sigma, self.zeta = sigma, zeta
        self.sigma_bounds, self.zeta_bounds = sigma_bounds, zeta_bounds

    @property
    def hyperparameter_sigma(self) -> Any:
        """The scale of the weights."""
        return Hyperparameter("sigma", "numeric", self.sigma_bounds)

    @property
    def hyperparameter_zeta(self) -> Any:
        """The scale of the biases."""
        return Hyperparameter("zeta", "numeric", self.zeta_bounds)

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Return the kernel ``[N, M]`` of ``X [N, d]`` and ``Y [M, d]`` (default: ``X``).

        If asked for, its gradient ``[N, N, theta]`` in the free parameters follows; ValueError with two sets of inputs.
        """
        network, rows = WideNetwork(self.activation, self.depth, self.kind), np.atleast_2d(X)
        if eval_gradient and Y is not None:
            raise ValueError("Y: got inputs together with eval_gradient, needs None")
        kernel = network.matrix(rows, None if Y is None else np.atleast_2d(Y), **self._scales())
        if not eval_gradient:
            return kernel
        free = [parameter.name for parameter in self.hyperparameters if not parameter.fixed]
        parts = [network.derivative(name, rows, diagonal=False, **self._scales()) for name in free]
        return kernel, np.stack(parts, axis=-1) if parts else np.empty((*kernel.shape, 0))

    def diag(self, X: Any) -> Array:
        """Return the kernel ``[N]`` of every input with itself."""
        return np.asarray(
            kernel_diagonal(
                self.activation, np.atleast_2d(X), self.depth, self.kind, **self._scales()
            )
        )

    def is_stationary(self) -> bool:
        """Return False: the kernel depends on the inputs and not only on their differences."""
        return False

    def _scales(self) -> dict[str, float]:
        return {"sigma": self.sigma, "zeta": self.zeta}

    def __repr__(self) -> str:
        name = self.activation if isinstance(self.activation, str) else self.activation.name
        scales = ", ".join(f"{key}={value:.3g}" for key, value in self._scales().items())
        return f"{type(self).__name__}({name}, depth={self.depth}, {scales})"


class TangentKernel(NNGPKernel):
    """Tangent kernel of a scalar output of an infinitely wide network, of which all weights and biases are trained.

    The arguments are those of :class:`NNGPKernel`, and the standard deviation ``xi`` of each readout weight, positive
    (default 1), with its bounds.
    """

    kind: Any = "ntk"

    def __init__(
        self,
        activation: Activation | str = "relu",
        depth: int = 1,
        sigma: float = 1.0,
        zeta: float = 0.1,
        xi: float = 1.0,
        sigma_bounds: Bounds = WIDE,
        zeta_bounds: Bounds = WIDE,
        xi_bounds: Bounds = WIDE,
    ) -> None:
        super().__init__(activation, depth, sigma, zeta, sigma_bounds, zeta_bounds)
        self.xi, self.xi_bounds = xi, xi_bounds

    @property
    def hyperparameter_xi(self) -> Any:
        """The scale of the readout weights."""
        return Hyperparameter("xi", "numeric", self.xi_bounds)

    def _scales(self) -> dict[str, float]:
        return super()._scales() | {"xi": self.xi}

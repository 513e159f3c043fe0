r"""The Hessian and the Gauss-Newton matrix of Leaky ResNets: their products with vectors, and an inverse of the latter.

A product takes a forward and a backward pass of the changes.

With :math:`M_\ell = \partial C / \partial A_\ell` and a change :math:`V` of the weights, the representations change by

.. math:: dA_\ell = (1 - \rho_\ell \tilde L) dA_{\ell-1}
    + \rho_\ell \big( V_\ell \sigma(A_{\ell-1}) + W_\ell (\sigma'(A_{\ell-1}) \odot dA_{\ell-1}) \big) ,

and the derivatives with respect to them, from :math:`dM_L = \tfrac2N Q^\top Q \, dA_L` on, by

.. math:: dM_{\ell-1} = (1 - \rho_\ell \tilde L) dM_\ell
    + \rho_\ell \sigma' \odot (V_\ell^\top M_\ell + W_\ell^\top dM_\ell)
    + \rho_\ell \sigma'' \odot dA_{\ell-1} \odot W_\ell^\top M_\ell .

The product is :math:`\rho_\ell (dM_\ell \sigma^\top + M_\ell (\sigma' \odot dA_{\ell-1})^\top)` plus the regulariser's
part. Without the terms in :math:`M_\ell` it is that of the Gauss-Newton matrix: with the derivative :math:`J` of all
outputs by the weights and the diagonal :math:`D` of the regulariser, :math:`\lambda \rho_\ell / \tilde L`,

.. math:: M = D + \tfrac2N J^\top J .

The eigenvalues of :math:`D^{-1/2} \tfrac2N J^\top J D^{-1/2}` fall from tens of thousands to below one within a few
hundred, which is what makes gradient methods slow. Its products with random vectors give the largest of them and their
vectors by Nyström's method, and all others are taken to be as large as the smallest of these. As the initial matrix of
L-BFGS the inverse leaves to the curvature pairs only what the Gauss-Newton matrix lacks.

Damped Newton steps for a batch of independent problems, by conjugate gradients on products of the Hessian.

Gradient methods leave noise along stiff directions, where a small distance from the minimum is a large gradient. One
Newton step removes it. The damping, a multiple of a given positive diagonal that is added to the Hessian, keeps the
step where the quadratic model holds (Levenberg and Marquardt): it falls where value and model agree, and grows where
they do not or where the damped Hessian is not positive.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from empirics.training.lbfgs import BatchedMinimiser, Evaluate, dot
from empirics.training.leaky_objective import Objective

Product = Callable[[Tensor], Tensor]
DAMPING = 1000.0  # initial multiple of the diagonal
FACTOR = 3.0  # by which the damping changes
# shares of the decrease of the model above and below which the damping changes
GOOD, POOR = (0.9, 0.6)
RESIDUAL = 0.1  # of conjugate gradients, relative, in the norm of the inverse diagonal
ITERATIONS = 200  # largest number of iterations of conjugate gradients in a step
FAILURES = 10  # consecutive rejected steps after which a row is no longer moved
SLACK = 8  # accepted increase of the value in eps
PROBES = 150  # random vectors of a sketch, and the number of eigenvalues that it gives
NUMBERS = 2**17  # largest size of an intermediate result, which should stay in the cache
SEED = 0  # of the random vectors, so that a sketch can be made again
ROUNDING = 100  # eigenvalues below this many units of rounding of the largest one are left out


class Hessian:
    """Hessians, or Gauss-Newton matrices, at weights ``[net, parameter]``; without smoothing, σ'' is zero."""

    def __init__(self, objective: Objective, flat: Tensor, *, gauss_newton: bool = False) -> None:
        if objective.learned_maps:
            raise ValueError(
                "objective: trains the maps of its networks, needs fixed ones for a Hessian"
            )
        self._nets = nets = objective.nets_at(flat)
        passed = objective.propagate(nets)
        self._points = objective.x.shape[-1]
        scale = (objective.decay / nets.depth)[:, None] * nets.rho
        self.penalty = scale[:, :, None, None].expand_as(nets.weights).flatten(1)
        self._momenta = (
            None if gauss_newton else [-objective.decay[:, None, None] * b for b in passed.momenta]
        )
        self._features, self._slopes, self._bends = [], [], []
        for layer, path in enumerate(passed.path[:-1]):
            value, slope, curvature = objective.activation(layer, path)
            self._features.append(
                functional.pad(value, (0, 0, 0, int(nets.bias)), value=1.0)[:, None]
            )
            self._slopes.append(slope[:, None])
            if self._momenta is not None:
                pull = nets.weights[:, layer, :, : nets.width].mT @ self._momenta[layer + 1]
                self._bends.append((curvature * pull)[:, None])

    def __call__(self, vector: Tensor) -> Tensor:
        """Return the matrices times ``vector``, ``[net, parameter]``."""
        return self.of_cost(vector[:, None])[:, 0] + self.penalty * vector

    @torch.no_grad()
    def of_cost(self, vectors: Tensor) -> Tensor:
        """Return the part of the cost in the products with ``vectors`` ``[net, vector, parameter]``."""
        nets, width = self._nets, self._nets.width
        change = vectors.reshape(len(vectors), -1, *nets.weights.shape[1:])
        weights = nets.weights[:, None, ..., :width]
        rho = nets.rho[:, :, None, None, None]
        kept = 1 - rho * nets.depth[:, None, None, None, None]
        moved = change.new_zeros(*change.shape[:2], width, self._points)
        moves = []
        for layer, (features, slope) in enumerate(zip(self._features, self._slopes, strict=True)):
            moves += [] if self._momenta is None else [moved]
            inward = change[:, :, layer] @ features + weights[:, :, layer] @ (slope * moved)
            moved = kept[:, layer] * moved + rho[:, layer] * inward
        outward = nets.output_map[:, None]
        back = 2 / self._points * (outward.mT @ (outward @ moved))
        result = torch.empty_like(change)
        for layer in range(nets.layers - 1, -1, -1):
            features, slope = self._features[layer], self._slopes[layer]
            result[:, :, layer] = back @ features.mT
            fed = slope * (weights[:, :, layer].mT @ back)
            if self._momenta is not None:
                momentum, moved = self._momenta[layer + 1][:, None], moves[layer]
                result[:, :, layer, :, :width] += momentum @ (slope * moved).mT
                fed += (
                    slope * (change[:, :, layer, :, :width].mT @ momentum)
                    + self._bends[layer] * moved
                )
            back = kept[:, layer] * back + rho[:, layer] * fed
        return (rho.transpose(1, 2) * result).flatten(2)


class GaussNewtonInverse:
    """The inverses of the Gauss-Newton matrices of a batch of networks, at weights ``[net, parameter]``."""

    def __init__(self, objective: Objective, flat: Tensor, probes: int = PROBES) -> None:
        self._matrix = Hessian(objective, flat, gauss_newton=True)
        self._root = self._matrix.penalty.sqrt()
        self._at_once = max(
            1,
            NUMBERS
            // (
                flat.shape[0]
                * (objective.nets.width + objective.nets.bias)
                * objective.x.shape[-1]
            ),
        )
        stream = torch.Generator().manual_seed(SEED)
        random = torch.randn(
            min(probes, flat.shape[1]), flat.shape[1], generator=stream, dtype=flat.dtype
        )
        sketch = self.product(random.to(flat.device).expand(len(flat), -1, -1))
        values, vectors = torch.linalg.eigh(sketch @ random.to(flat.device).mT)
        # the matrix is its square, nearly
        factor = _inverse_root(values)[:, :, None] * (vectors.mT @ sketch)
        values, vectors = torch.linalg.eigh(factor @ factor.mT)
        self.eigenvalues = values.clamp_min(0)
        self._modes = _inverse_root(values)[:, :, None] * (vectors.mT @ factor)

    def product(self, vectors: Tensor) -> Tensor:
        r"""Return :math:`D^{-1/2} \tfrac2N J^\top J D^{-1/2}` times ``vectors`` ``[net, vector, parameter]``."""
        root = self._root[:, None]
        parts = torch.split(vectors, self._at_once, dim=1)
        return torch.cat([self._matrix.of_cost(part / root) / root for part in parts], 1)

    def __call__(self, vector: Tensor) -> Tensor:
        """Return the inverse matrices times ``vector``, ``[net, parameter]``."""
        rest = 1 / (1 + self.eigenvalues[:, :1])
        scaled = (vector / self._root)[:, :, None]
        along = (1 / (1 + self.eigenvalues) - rest)[:, :, None] * (self._modes @ scaled)
        result: Tensor = (rest[:, :, None] * scaled + self._modes.mT @ along)[:, :, 0] / self._root
        return result


def _inverse_root(values: Tensor) -> Tensor:
    """Return 1/√v of eigenvalues ``[net, value]`` in rising order, and 0 where v is zero up to rounding."""
    least = (
        ROUNDING
        * torch.finfo(values.dtype).eps
        * values[:, -1:].clamp_min(torch.finfo(values.dtype).tiny)
    )
    return torch.where(values > least, values.clamp_min(least).rsqrt(), 0)


class DampedNewton(BatchedMinimiser):
    """Minimiser of many functions; ``diagonal`` is the unit of ``damping`` ``[row]`` and the preconditioner."""

    def __init__(
        self,
        evaluate: Evaluate,
        hessian: Callable[[Tensor], Product],
        diagonal: Tensor,
        start: Tensor,
    ) -> None:
        super().__init__(evaluate, start, FAILURES)
        self._hessian, self._diagonal = hessian, diagonal
        self.damping = torch.full_like(self.value, DAMPING)

    def step(self) -> None:
        """Make one step of every row that does not rest; a row whose value or gradient would grow stays where it is."""
        is_resting = self.is_resting
        product = self._hessian(self.parameters)
        move, is_positive = self._solve(product, is_resting)
        model = dot(self.gradient, move) + dot(move, product(move)) / 2
        trial = self.parameters + move
        value, gradient = self._evaluate(trial)
        slack = SLACK * torch.finfo(value.dtype).eps * self.value.abs()
        drop = value - self.value - slack
        is_sound = is_positive & (model < 0) & (self._size(gradient) < self._size(self.gradient))
        is_accepted = is_sound & (drop <= 0)
        is_poor = ~is_resting & ~(is_sound & (drop <= POOR * model))
        self.damping = torch.where(is_poor, self.damping * FACTOR, self.damping)
        self.damping = torch.where(
            is_sound & (drop <= GOOD * model), self.damping / FACTOR, self.damping
        )
        self._failures = torch.where(is_accepted, 0, self._failures + 1)
        self.parameters = torch.where(is_accepted[:, None], trial, self.parameters)
        self.value = torch.where(is_accepted, value, self.value)
        self.gradient = torch.where(is_accepted[:, None], gradient, self.gradient)

    def _size(self, gradient: Tensor) -> Tensor:
        """Return the squared norm of a gradient in the inverse of the diagonal, ``[row]``."""
        return dot(gradient, gradient / self._diagonal)

    def _solve(self, product: Product, is_resting: Tensor) -> tuple[Tensor, Tensor]:
        """Return the steps ``[row, parameter]`` and whether the damped Hessians were positive along all of theirs."""
        damping = self.damping[:, None] * self._diagonal
        inverse = 1 / (self._diagonal + damping)
        move, residual = torch.zeros_like(self.gradient), -self.gradient
        direction = inverse * residual
        size = first = dot(residual, direction)
        is_positive, is_running = torch.ones_like(is_resting), ~is_resting & (first > 0)
        for _ in range(ITERATIONS):
            image = product(direction) + damping * direction
            curvature = dot(direction, image)
            is_positive = is_positive & ~(is_running & ~(curvature > 0))
            is_running = is_running & is_positive
            length = torch.where(is_running, size / torch.where(is_running, curvature, 1), 0)[
                :, None
            ]
            move, residual = move + length * direction, residual - length * image
            scaled = inverse * residual
            last, size = size, dot(residual, scaled)
            is_running = is_running & (size > RESIDUAL**2 * first)
            if not bool(is_running.any()):
                break
            direction = (
                scaled + (size / last.clamp_min(torch.finfo(last.dtype).tiny))[:, None] * direction
            )
        return move, is_positive

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return super().state() | {"damping": self.damping}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        super().load_state(state)
        self.damping = state["damping"]

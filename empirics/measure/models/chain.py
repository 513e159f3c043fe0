r"""Fully connected networks as a chain of affine maps and elementwise nonlinearities, with exact derivatives.

Only the nonlinearities have a second derivative. With :math:`z_l` the preactivations of the l-th nonlinearity,
:math:`\partial^2\Phi(u, v) = \sum_l S_l\, [\varphi_l''(z_l) \odot (\partial z_l\, u) \odot (\partial z_l\, v)]`, where
:math:`S_l` is the derivative of the features with respect to the output of that nonlinearity.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

# identities in eval mode on flat points
_PASSED_OVER = (nn.Identity, nn.Flatten, nn.Dropout, nn.AlphaDropout)


@dataclass(frozen=True)
class Affine:
    """The affine map z = W h + b, with W ``[outputs, inputs]`` and b ``[outputs]`` or None."""

    weight: Tensor
    bias: Tensor | None


@dataclass(frozen=True)
class Pointwise:
    """The elementwise nonlinearity h = φ(z)."""

    function: Callable[[Tensor], Tensor]

    def with_derivatives(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return φ(z), φ'(z) and φ''(z), all of the shape of ``z``."""
        # reverse mode, which torch supports for all nonlinearities (see second_derivative)
        with torch.enable_grad():
            z = z.detach().requires_grad_()
            value = self.function(z.clone())  # clone: the module may work in place
            (first,) = torch.autograd.grad(value.sum(), z, create_graph=True)
            second = (
                torch.autograd.grad(first.sum(), z)[0]
                if first.requires_grad
                else torch.zeros_like(z)
            )
        return value.detach(), first.detach(), second

    def bends_as_torch_says(self, z: Tensor) -> bool:
        """Return whether torch's φ'' can be trusted at ``z``: it may be zero because φ' is detached from z."""
        try:
            _, first, second = self.with_derivatives(z)
            nearby = self.with_derivatives(z + NEARBY * (1 + z.abs()))[1]
        except RuntimeError:  # differentiable once
            return False
        return bool((second != 0).any()) or bool((first != nearby).double().mean() <= 0.5)


Chain = list[Affine | Pointwise]
NEARBY = 1e-3  # a step over which few numbers meet a kink and a smooth slope changes by more than rounding


def chain_of(module: nn.Module | None, x: Tensor) -> Chain | None:
    """Return ``module`` as a chain of linear and, tested at a point ``x``, elementwise modules; None if it is none."""
    if not isinstance(module, nn.Sequential) or any(
        part._forward_hooks or part._forward_pre_hooks for part in module.modules()
    ):
        return None
    chain: Chain = []
    h = x
    for part in _parts(module):
        if type(part) in _PASSED_OVER:
            with torch.no_grad():
                h = part(h)
        elif type(part) is nn.Linear and h.ndim == 2:
            chain.append(
                Affine(part.weight.detach(), None if part.bias is None else part.bias.detach())
            )
            with torch.no_grad():
                h = part(h)
        else:
            activated = _activated(part, h)
            if activated is None:
                return None
            chain.append(Pointwise(part))
            h = activated
    return chain if h.ndim == 2 and any(isinstance(link, Affine) for link in chain) else None


def _activated(part: nn.Module, h: Tensor) -> Tensor | None:
    """Return the output of a module without parameters that acts on each number by itself, and None for others."""
    if [*part.children(), *part.parameters(), *part.buffers()]:
        return None
    try:
        with torch.no_grad():
            activated: Tensor = part(h.clone())
            shuffled = part(h.flatten().flip(0).unsqueeze(1))
    except (RuntimeError, ValueError, IndexError):
        return None  # the module depends on the shape of its argument
    if activated.shape != h.shape or shuffled.shape != (h.numel(), 1):
        return None
    if not torch.allclose(
        shuffled.flatten().flip(0), activated.flatten(), rtol=64 * torch.finfo(h.dtype).eps
    ):
        return None
    return activated if Pointwise(part).bends_as_torch_says(h) else None


def _parts(module: nn.Module) -> list[nn.Module]:
    if type(module) is nn.Sequential:
        return list(itertools.chain.from_iterable(map(_parts, module)))
    return [module]


def widths(chain: Chain, d: int) -> list[int]:
    """Return the number of preactivations of every nonlinearity, in order."""
    result = []
    for link in chain:
        if isinstance(link, Affine):
            d = link.weight.shape[0]
        else:
            result.append(d)
    return result


def largest_bend(chain: Chain, x: Tensor) -> Tensor:
    """Return the largest |φ''| of all nonlinearities at each point of ``x`` ``[batch, d]``; shape ``[batch]``."""
    largest = x.new_zeros(len(x))
    for link in chain:
        if isinstance(link, Affine):
            x = nn.functional.linear(x, link.weight, link.bias)
        else:
            x, _, bend = link.with_derivatives(x)
            largest = torch.maximum(largest, bend.abs().amax(dim=1))
    return largest


def jacobian_of(chain: Chain, x: Tensor) -> Tensor:
    """Return the Jacobians ``[batch, features, d]`` at points ``[batch, d]``, multiplied from the narrower end."""
    factors: list[Tensor] = []  # weights [outputs, inputs] and slopes [batch, n, 1]
    for link in chain:
        if isinstance(link, Affine):
            x = nn.functional.linear(x, link.weight, link.bias)
            factors.append(link.weight)
        else:
            x, first, _ = link.with_derivatives(x)
            factors.append(first[:, :, None])
    sizes = [len(f) for f in factors if f.ndim == 2]
    first_weight = next(f for f in factors if f.ndim == 2)
    if x.shape[1] < first_weight.shape[1] and len(sizes) > 1:
        factors = [f.T if f.ndim == 2 else f for f in reversed(factors)]
        return _product(factors, len(x)).transpose(1, 2)
    return _product(factors, len(x))


def _product(factors: list[Tensor], batch: int) -> Tensor:
    """Multiply matrices ``[m, n]`` and diagonals ``[batch, n, 1]``, with the first factor rightmost."""
    result: Tensor | None = None
    for factor in factors:
        if factor.ndim == 3:
            result = torch.diag_embed(factor[:, :, 0]) if result is None else factor * result
        else:
            result = factor.expand(batch, *factor.shape) if result is None else factor @ result
    assert result is not None  # a chain has at least one affine map
    return result


def push_pairs(chain: Chain, x: Tensor, tangents: Tensor) -> Tensor:
    """Return second derivatives ``[batch, pairs, features]`` along pairs of tangents ``[batch, directions, d]``."""
    a, b = torch.triu_indices(tangents.shape[1], tangents.shape[1], device=x.device)
    second: Tensor | None = None
    for link in chain:
        if isinstance(link, Affine):
            x = nn.functional.linear(x, link.weight, link.bias)
            tangents = tangents @ link.weight.T
            second = None if second is None else second @ link.weight.T
        else:
            x, first, bend = link.with_derivatives(x)
            new = bend[:, None, :] * tangents[:, a] * tangents[:, b]
            second = new if second is None else new + first[:, None, :] * second
            tangents = tangents * first[:, None, :]
    return tangents.new_zeros(len(x), len(a), tangents.shape[2]) if second is None else second

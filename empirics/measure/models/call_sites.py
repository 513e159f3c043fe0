"""Call sites of a forward pass: every call of a module, and every nonlinearity that is called as a function.

A module can be called several times in one forward pass (torchvision's residual blocks share one ReLU). Each call is a
layer of its own, named by the path of the module and, if there are several calls, their number from zero:
``layer3.1.relu[0]``, ``layer3.1.relu[1]``. The call of a function such as ``torch.nn.functional.relu`` is named by the
module in whose ``forward`` it stands: ``layer3.1.relu()``.

A clamp, maximum or minimum is a nonlinearity where it changes some of the numbers and keeps others, and not where it
guards against a division by zero.

A sum of two tensors of one shape is a call, ``blocks.0.add()``. It is a residual connection where it adds to the input
of its module, to an earlier sum, or to what a submodule gives.

Of a call that gives several tensors, such as a recurrent layer or attention, the first counts, with points first.

Not visible are functions that are called inside fused or scripted modules (LSTM cells, attention), and nonlinearities
that are written with arithmetic, comparisons or indexing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.observation import Call, Key, observed


@dataclass(frozen=True)
class CallSite:
    """One call in a forward pass.

    Attributes:
        name: path of the call, with its number in brackets if there are several calls with this path.
        key: the path and the number.
        operation: class of the module, or name of the function with ``()``.
        is_nonlinearity: whether the call is an elementwise nonlinearity.
        is_leaf: whether it is a function, or a module without submodules.
        is_residual: whether it is the sum of a residual connection.
        features: numbers that the call gives for each point; 0 if it does not give one tensor whose first dimension is
            that of the points.

    >>> from torch import nn
    >>> from empirics import measure
    >>> [site.name for site in measure.call_sites(nn.Sequential(nn.Linear(2, 3), nn.Tanh()), torch.zeros(1, 2))]
    ['0', '1']
    """

    name: str
    key: Key
    operation: str
    is_nonlinearity: bool
    is_leaf: bool
    is_residual: bool
    features: int


def call_sites(model: nn.Module, x: ArrayLike | Tensor) -> tuple[CallSite, ...]:
    """Return the call sites of one forward pass in the order in which they end.

    Args:
        model: module ``[batch, *input] -> ...``, in evaluation mode where that matters.
        x: points ``[batch, *input]``, a tensor, an array or numbers.

    Raises:
        TypeError: if ``model`` is not a module, does not take a single tensor, or ``x`` is not an array.
        ValueError: if the model fails on ``x``.

    >>> model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    >>> [(site.name, site.operation) for site in call_sites(model, torch.zeros(1, 4))]
    [('0', 'Linear'), ('1', 'ReLU'), ('2', 'Linear')]
    """
    checks.instance("model", model, nn.Module, "a torch module")
    points = tensor_checks.tensor("x", x)
    tensor_checks.shape("x", points, points.ndim > 0, "[batch, *input]")
    sites: list[CallSite] = []

    def add(call: Call) -> None:
        features = _features(call.output, len(points))
        kinds = call.is_nonlinearity, call.is_leaf, call.is_residual
        sites.append(CallSite(call.key[0], call.key, call.operation, *kinds, features))

    try:
        with torch.no_grad(), observed(model, add, judge=True):
            model(points.clone())
    # of a forward that needs a dict or several tensors
    except (TypeError, LookupError, AttributeError) as error:
        raise TypeError(f"model: cannot be called with one tensor of inputs ({error})") from error
    except RuntimeError as error:
        raise ValueError(
            f"model: fails on x of shape {list(points.shape)} and {points.dtype} ({error})"
        ) from error
    number = Counter(site.key[0] for site in sites)
    return tuple(
        site if number[site.name] == 1 else replace(site, name=f"{site.name}[{site.key[1]}]")
        for site in sites
    )


def _features(output: Any, points: int) -> int:
    fits = (
        isinstance(output, Tensor)
        and output.ndim > 1
        and len(output) == points
        and output.is_floating_point()
    )
    return output[0].numel() if fits else 0

r"""Preparation of a feature map for measurement: any callable or module and any input shape, checked and converted.

The map :math:`\Phi: \mathbb{R}^d \to \mathbb{R}^p` acts on each point of a batch by itself. Geometry is measured in
float64, with a float64 copy of a module, since the rounding errors of float32 are multiplied by the condition number
of the Jacobian (an error of 1e-3 in the log-volume of a ResNet-50). ``precision="model"`` keeps the derivatives in the
model's own precision, where speed matters more; the linear algebra is in float64 in either case.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.chain import Chain, chain_of
from empirics.measure.models.differentiation import by_definition, leads_to, new_tensors_in
from empirics.measure.models.frozen_model import copied
from empirics.measure.models.model_output import model_output
from empirics.measure.models.points import Precision, native_precision, points_in
from empirics.measure.models.prepared_model import PreparedModel, RenewedCopy
from empirics.measure.models.probe import watch

# a batch of one and of two differ by rounding; below that: 1e-1
_SAME = {torch.float64: 1e-9, torch.float32: 1e-3}

_WRAP = (
    "put the model into an nn.Module whose forward takes and returns one tensor, or give a function such as "
    "lambda x: model(x)[0]"
)


@dataclass(frozen=True)
class FeatureMap:
    """A map on flattened points, together with the points."""

    call: Callable[..., Tensor]  # the map [batch, d] -> [batch, p]
    x: Tensor  # the points, [batch, d]
    shape: torch.Size  # of a point as it was given
    features: int  # p
    # the copied module behind the map; None for methods and other callables
    module: nn.Module | None
    graph: int  # bytes per point that autograd keeps for the backward pass
    widest: int  # bytes per point of the most demanding operation
    # the fastest memory format of points that the map takes, an argument of ``call``
    layout: torch.memory_format
    made: (
        torch.dtype
    )  # precision of what a forward pass makes for itself, such as ``torch.eye(n)``
    # what measurements found out about the module
    kept: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def kinks(self) -> tuple[str, ...]:
        """The operations in a forward pass at the first point whose slope jumps."""
        return tuple(dict.fromkeys(watch(self.call, self.x[:1])[1].kinks))

    @cached_property
    def chain(self) -> Chain | None:
        """Affine maps and elementwise nonlinearities; None if the map is no chain of these."""
        return chain_of(self.module, self.x[:1].reshape(-1, *self.shape))

    def at(self, points: Any, precision: Precision) -> FeatureMap:
        """Return the map with other points ``[batch, *input]`` of the same shape and kind."""
        as_given, converted = points_in(points, self.module, precision)
        flat = (converted if self.x.is_floating_point() else as_given).reshape(len(as_given), -1)
        return replace(self, x=flat)


def prepare(
    feature_map: Callable[[Tensor], Tensor],
    x: Any,
    precision: Precision = "float64",
    *,
    tokens: bool = False,
) -> FeatureMap:
    """Check ``feature_map`` and points ``x`` ``[batch, *input]``, and prepare the map for measurement.

    The map must treat the points of a batch independently and deterministically. ``precision="model"`` is that of the
    module, else of ``x``. With ``tokens`` it may use numbers as indices or masks, so that it has no derivative in
    ``x``.
    """
    prepared = feature_map if isinstance(feature_map, PreparedModel) else None
    feature_map = prepared.model if prepared else feature_map
    checks.function("feature_map", feature_map, "a callable or an nn.Module")
    checks.one_of("precision", precision, ("float64", "model"))
    if torch.is_inference_mode_enabled():
        raise RuntimeError(
            "measured within torch.inference_mode(), where torch takes no derivatives; use no_grad()"
        )
    source, x = _module_of(feature_map), tensor_checks.real_numbers("x", x)
    if prepared is None or source is None:
        copy = None if source is None else copied(source, double=precision == "float64")
        return _prepared(feature_map, copy, x, precision, tokens, native_precision(source, x))
    like = getattr(feature_map, "__func__", None), x.shape[1:], x.dtype
    before = prepared.found.get((precision, tokens))
    if before is not None and before[0] == like and before[1].renewed(source):
        again: FeatureMap = before[2]
        return again.at(x, precision)
    kept = RenewedCopy(source, precision == "float64")
    ready = _prepared(feature_map, kept.module, x, precision, tokens, native_precision(source, x))
    prepared.found[precision, tokens] = like, kept, ready
    return ready


def _prepared(
    feature_map: Any,
    module: nn.Module | None,
    x: Any,
    precision: Precision,
    tokens: bool,
    native: torch.dtype,
) -> FeatureMap:
    """Return the map of a frozen copy of the module behind ``feature_map``, or of another callable.

    ``native`` is the precision before it was copied.
    """
    if module is not None:
        for parameter in module.parameters():
            if parameter.is_leaf:  # parameters of a scripted module are not leaves
                parameter.requires_grad_(False)
    is_whole = isinstance(feature_map, nn.Module)
    ready = (
        feature_map
        if module is None
        else module
        if is_whole
        else types.MethodType(feature_map.__func__, module)
    )
    original, points = points_in(x, module, precision)
    shape, d = points.shape[1:], points[0].numel()
    own = points.dtype
    # constants of a model stay as they are where it computes in its own precision
    made = own if own != native else torch.get_default_dtype()

    def call(flat: Tensor, layout: torch.memory_format = torch.preserve_format) -> Tensor:
        try:
            with by_definition(), new_tensors_in(made):
                # the map may work in place
                output = ready(flat.reshape(-1, *shape).clone(memory_format=layout))
        # torch refuses some inputs by this error, others by RuntimeError
        except ValueError as error:
            raise RuntimeError(str(error)) from error
        # of a forward that needs a dict or several tensors
        except (TypeError, LookupError, AttributeError) as error:
            raise TypeError(
                f"feature_map: cannot be called with one tensor of points ({error}); {_WRAP}"
            ) from error
        if not isinstance(output, Tensor) and isinstance(ready, nn.Module):
            output = _one_output(ready, flat.reshape(-1, *shape), output)
        if not isinstance(output, Tensor):
            raise TypeError(
                f"feature_map: gives {type(output).__name__}, needs to give one tensor; {_WRAP}"
            )
        if output.ndim == 0:
            raise ValueError("feature_map: gives a single number, needs [batch, *features]")
        return output.unsqueeze(1) if output.ndim == 1 else output.flatten(1)

    flat = points.reshape(-1, d)
    integers = None if original.is_floating_point() else original.reshape(-1, d)
    if integers is not None and not _works_on(call, flat) and _takes(call, integers):
        if not tokens:
            raise ValueError(
                "x: got whole numbers that feature_map takes as indices, in which there is no derivative; give it what "
                "they stand for (the output of the embedding)"
            )
        flat, points = integers, original
    output, counts = _first_pass(call, flat, points.dtype if flat.is_floating_point() else None)
    layout = _layout(
        call, flat, output, is_image=flat.is_floating_point() and len(shape) == 3, tokens=tokens
    )
    widest = max(counts.widest, 8 * (d + output.shape[1]))
    return FeatureMap(
        call,
        flat,
        shape,
        output.shape[1],
        module if is_whole else None,
        counts.graph,
        widest,
        layout,
        made,
    )


def _one_output(module: nn.Module, points: Tensor, output: Any) -> Any:
    """Make a copied module give one of its several tensors from now on, and return that of this output."""
    chosen, _ = model_output(module, points[:2])
    chosen.attach(module)
    return chosen.of(output)


def _module_of(feature_map: Any) -> nn.Module | None:
    """Return the module that ``feature_map`` is, or that it is a method of; ValueError for one in training mode."""
    owner = getattr(feature_map, "__self__", None)
    source = (
        feature_map
        if isinstance(feature_map, nn.Module)
        else owner
        if isinstance(owner, nn.Module)
        else None
    )
    for name, part in () if source is None else source.named_modules():
        beginning = f"feature_map: {type(part).__name__}{f' {name!r}' if name else ''}"
        if isinstance(part, nn.modules.batchnorm._BatchNorm) and (
            part.training or part.running_mean is None
        ):
            raise ValueError(
                f"{beginning} normalises by the batch, so that no point has features of its own; call .eval()"
            )
        if isinstance(part, nn.modules.dropout._DropoutNd | nn.RReLU) and part.training:
            raise ValueError(f"{beginning} is in training mode and random; call .eval()")
    return source


def _first_pass(
    call: Callable[[Tensor], Tensor], x: Tensor, dtype: torch.dtype | None
) -> tuple[Tensor, Any]:
    try:
        output, counts = watch(call, x[:1])
    except torch.OutOfMemoryError:
        raise
    except RuntimeError as error:
        if len(x) > 1 and _works_on(call, x, len(x)):
            raise ValueError(
                f"feature_map: takes the {len(x)} points of x together, and fails on one alone ({error}), so that what "
                "it gives at a point depends on the other points of the batch; needs a map of single points (batch "
                "normalisation: .eval())"
            ) from error
        if x.dtype != torch.float64 or not _works_on(call, x.float()):
            raise ValueError(f"feature_map: fails on one of the points x ({error})") from error
        advice = "give an nn.Module, the model or one that contains it, which is then copied, or precision='model'"
        raise ValueError(f"feature_map: fails on {x.dtype} inputs ({error}); {advice}") from error
    if output.shape[0] != 1 or output.numel() == 0:
        raise ValueError(
            f"feature_map: gives shape {list(output.shape)} for one point, needs [batch, *features]"
        )
    if output.dtype != dtype and dtype is not None:
        raise ValueError(
            f"feature_map: gives {output.dtype} on {x.dtype} inputs; needs one precision throughout"
        )
    if not torch.isfinite(output).all():
        raise ValueError("feature_map: gives values that are not finite")
    return output, counts


def _works_on(call: Callable[[Tensor], Tensor], x: Tensor, points: int = 1) -> bool:
    try:
        with torch.no_grad():
            call(x[:points])
    except (RuntimeError, TypeError, ValueError):
        return False
    return True


def _takes(call: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    """Return whether a map can be called with ``x``; the errors that name what is wrong with its output come out."""
    try:
        with torch.no_grad():
            call(x[:1])
    except RuntimeError:
        return False
    return True


def _layout(
    call: Callable[..., Tensor], x: Tensor, alone: Tensor, *, is_image: bool, tokens: bool
) -> torch.memory_format:
    """Check the independence of points; return channels_last if an image's map on a CPU has it also in that format."""
    if is_image and x.device.type == "cpu":
        try:
            _check_independence(partial(call, layout=torch.channels_last), x, alone, tokens)
        except (RuntimeError, ValueError):  # a view of rows, for example, needs them contiguous
            pass
        else:
            return torch.channels_last
    _check_independence(call, x, alone, tokens)
    return torch.preserve_format


def _check_independence(
    call: Callable[[Tensor], Tensor], x: Tensor, alone: Tensor, tokens: bool
) -> None:
    """Require that the output depends on x (unless x may hold indices), and that points in a batch do not interact."""
    smooth = x.is_floating_point()
    company = 1.01 * x[:1] + 0.01 if smooth else x[:1].flip(1)
    if len(x) > 1 and not torch.equal(x[0], x[1]):
        company = x[1:2]
    with torch.enable_grad():
        inputs = torch.cat([x[:1], company]).requires_grad_(smooth)
        try:
            together = call(inputs)
        except RuntimeError as error:
            raise ValueError(
                f"feature_map: fails when torch follows it ({error}); needs torch throughout"
            ) from error
        reached = tokens or not smooth or leads_to(inputs, together.grad_fn)
    if not reached:
        raise ValueError(
            "feature_map: torch sees no path from x to its output (no_grad, detach or numpy inside?)"
        )
    together = together.detach()
    tolerance = _SAME.get(alone.dtype, 1e-1) * float(alone.abs().max())
    if together.shape[0] != 2 or not float((together[:1] - alone).abs().max()) <= tolerance:
        raise ValueError(
            "feature_map: what it gives at a point depends on the other points of the batch, or on chance; "
            "needs a map of single points (batch normalisation and dropout: .eval())"
        )

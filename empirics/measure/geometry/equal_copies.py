"""Operations on equal copies of a point, which are done for one of them.

What goes forward is the same for all copies: a tensor whose first dimension has stride zero. Elementwise operations,
convolutions, and normalisations by fixed statistics keep it so, at the cost of one point; backwards, elementwise
operations multiply by slopes, which are computed once. All other operations see ordinary tensors.
"""

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

# with the points first; the latter in evaluation mode
BY_POINT = ("convolution", "native_batch_norm")
CURVED = "gelu", "silu", "tanh", "sigmoid"  # whose slopes take longer than a product
FEW = 8  # times as many shared slopes as numbers that each copy has
# copies of which one is used: torch has another algorithm and memory format for one image
CONVOLVED = 2


class EqualCopies(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode for ``copies`` expanded copies of a point; RuntimeError where one of them would be changed."""

    def __init__(self, copies: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.copies = copies
        self._slopes: dict[Any, tuple[Tensor, Any]] = {}
        self._curved = self._dense = 0  # numbers of a point in a forward pass
        # by place, which the tensor keeps from being used again
        self._stored_once: dict[int, Tensor] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func``, for one copy where that is enough."""
        name, options = func.overloadpacket.__name__, kwargs or {}
        equal = [self._are_equal(argument) for argument in args]
        if any(equal):
            is_pointwise = torch.Tag.pointwise in func.tags
            if name.endswith("_backward"):
                if is_pointwise:
                    return args[0] * self._slope(func, args, options)
                # fixed; input alone
                if name == "native_batch_norm_backward" and not any((args[7], *args[-1][1:])):
                    return args[0] * self._slope(func, args, options), None, None
                # reads no number of its input
                if name == "convolution_backward" and not any(args[-1][1:]):
                    return func(args[0], _apart(args[1], len(args[1])), *args[2:])
            elif (
                self._has_equal_results(args)
                if is_pointwise
                else name in BY_POINT and not any(equal[1:])
            ):
                return self._done_once(func, args, options)
        if func._schema.is_mutable and not self._stored_once.keys().isdisjoint(
            _written(func, args)
        ):
            raise RuntimeError(f"{func} would change copies that are stored once")
        result = func(*args, **options)
        if (
            isinstance(result, Tensor)
            and result.shape[:1] == (self.copies,)
            and not self._are_equal(result)
        ):
            self._dense += result[0].numel()
        return result

    def check_that_it_pays(self) -> None:
        """Raise RuntimeError unless many slopes are shared that take time, and few numbers are apart, after a pass."""
        if self._curved <= FEW * self._dense:
            raise RuntimeError("copies have hardly anything in common that takes time")

    def _are_equal(self, value: Any) -> bool:
        return (
            isinstance(value, Tensor)
            and value.shape[:1] == (self.copies,)
            and value.stride(0) == 0
        )

    def _has_equal_results(self, args: Any) -> bool:
        """Return whether the result of an elementwise operation with broadcasting is the same for all copies."""
        tensors = [tensor for tensor in args if isinstance(tensor, Tensor)]
        first = [
            tensor for tensor in tensors if tensor.ndim == max(other.ndim for other in tensors)
        ]
        return any(map(self._are_equal, first)) and all(
            len(tensor) == 1 or self._are_equal(tensor) for tensor in first
        )

    def _done_once(self, func: Any, args: Any, options: Any) -> Any:
        few = [_first(one) if self._are_equal(one) else one for one in args]
        if func.overloadpacket.__name__ == "convolution":
            few[0] = _apart(args[0], CONVOLVED).copy_(few[0])
        result = func(*few, **options)
        if func._schema.is_mutable:  # in place
            return args[0]
        first, *others = result if isinstance(result, tuple) else (result,)
        self._curved += first.numel() * (func.overloadpacket.__name__ in CURVED)
        copies = first[:1].expand(self.copies, *first.shape[1:])
        self._stored_once[copies.untyped_storage().data_ptr()] = copies
        return (copies, *others) if others else copies

    def _slope(self, func: Any, args: Any, options: Any) -> Tensor:
        """Return the derivative at one copy of an operation that is linear in the first argument, number by number."""
        key = (
            func,
            *(
                (v.data_ptr(), v.shape, v.stride()) if isinstance(v, Tensor) else str(v)
                for v in args[1:]
            ),
        )
        if key not in self._slopes:
            rest = [_first(one) if self._are_equal(one) else one for one in args[1:]]
            # since all rows have the error of a slope
            exact = tree_map_only(Tensor, Tensor.double, rest)
            slopes = func(torch.ones_like(exact[0]), *exact, **options)
            slope = (slopes[0] if isinstance(slopes, tuple) else slopes).to(args[0].dtype)
            # which hold their memory, so that the key stays theirs
            self._slopes[key] = (slope, args)
        return self._slopes[key][0]


def _written(func: Any, args: Any) -> list[int]:
    pairs = zip(func._schema.arguments, args, strict=False)
    written = [
        value for argument, value in pairs if argument.alias_info and argument.alias_info.is_write
    ]
    return [
        leaf.untyped_storage().data_ptr()
        for leaf in tree_leaves(written)
        if isinstance(leaf, Tensor)
    ]


def _first(copies: Tensor) -> Tensor:
    """Return the first of equal copies, ``[1, ...]``, with the strides of a batch, by which torch tells its format."""
    return copies.as_strided((1, *copies.shape[1:]), (copies[0].numel(), *copies.stride()[1:]))


def _apart(copies: Tensor, number: int) -> Tensor:
    """Return memory, in the format of ``copies``, for a number of copies that are stored one after the other."""
    return copies.new_empty_strided(
        (number, *copies.shape[1:]), (copies[0].numel(), *copies.stride()[1:])
    )

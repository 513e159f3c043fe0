"""A model whose preparation for measurements is kept, and the copy of it that takes its numbers again at each call."""

import io
import pickle
import types
from collections import OrderedDict
from typing import Any

import torch
from torch import Tensor, nn

from empirics.measure.models.frozen_model import copied, numbers_of

BY_IDENTITY = type | types.FunctionType | types.BuiltinFunctionType  # which copies share


class RenewedCopy:
    """A copy of a module that takes the numbers of the module again, as long as nothing else of either changes."""

    def __init__(self, source: nn.Module, double: bool) -> None:
        self.module = copied(source, double=double)
        self._written = [_Writer().written(module) for module in (source, self.module)]

    def renewed(self, source: nn.Module) -> bool:
        """Return whether ``source`` and the copy are as before but for numbers of tensors, which the copy takes."""
        theirs, own = _Writer(), _Writer()
        written = [theirs.written(source), own.written(self.module)]
        if None in written or written != self._written or len(theirs.tensors) != len(own.tensors):
            return False
        for tensor, copy in zip(theirs.tensors, own.tensors, strict=True):
            if copy is not tensor:  # of an object that copies share
                # no copy_() to what may be the user's
                copy.data = numbers_of(tensor, copy.dtype in (torch.float64, torch.complex128))
        return True


class _Writer(pickle.Pickler):
    """Writes all that an object consists of but the numbers of tensors, which it collects."""

    def __init__(self) -> None:
        self.file = io.BytesIO()
        self.tensors: list[Tensor] = []
        super().__init__(self.file, pickle.HIGHEST_PROTOCOL)

    def reducer_override(self, value: Any) -> Any:
        """Let a text stand for a tensor or for what copies share."""
        if isinstance(value, Tensor):
            self.tensors.append(value)
            kind = (
                type(value),
                value.shape,
                value.stride(),
                value.dtype,
                value.device,
                value.is_leaf,
            )
            return str, (repr(kind),)
        # most of what a module holds: hooks that it does not have
        if type(value) is OrderedDict and not value:
            return str, ("",)
        return (
            (str, (str(id(value)),))
            if isinstance(value, BY_IDENTITY) and value is not str
            else NotImplemented
        )

    def written(self, value: Any) -> bytes | None:
        """Return all that was written; None, which counts as changed, if something cannot be looked into."""
        try:
            self.dump(value)
        except Exception:  # objects may refuse in any way
            return None
        return self.file.getvalue()


class PreparedModel:
    """A model that is measured again and again: what does not depend on the numbers in its tensors is found out once.

    Measures take it in place of the model. They see the model as it is at each call: after any change but that of
    numbers in parameters, buffers and other tensors, and for points of another shape, it is prepared anew.

    Args:
        model: module, or method of a module, ``[batch, *input] -> [batch, *features]``; it may be replaced by a copy.

    >>> from empirics import measure
    >>> model = PreparedModel(nn.Linear(2, 1, bias=False))
    >>> [float(measure.neural_tangent_gram(model, [[1.0, 0.0]])) for _ in range(2)]
    [1.0, 1.0]
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.found: dict[Any, Any] = {}  # the last preparation by precision and kind of points

    def __call__(self, x: Tensor) -> Tensor:
        """Return what the model gives."""
        output: Tensor = self.model(x)
        return output

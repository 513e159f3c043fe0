"""A context in which a model is measured without any effect on its training."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np
import torch
from torch import nn

from empirics.measure.models.frozen_model import copied


@contextmanager
def undisturbed(model: nn.Module) -> Iterator[nn.Module]:
    """Yield a copy in evaluation mode that shares parameters, without autocast; restore all random states."""
    device = device_of(model)
    python, torch_state = random.getstate(), torch.get_rng_state()
    numpy_state = np.random.get_state()  # noqa: NPY002
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None  # type: ignore[no-untyped-call]
    try:
        leaving = (
            torch.inference_mode(False) if torch.is_inference_mode_enabled() else nullcontext()
        )  # sets more modes
        with leaving, torch.enable_grad(), torch.autocast(device.type, enabled=False):
            yield copied(model).eval()
    finally:
        random.setstate(python)
        np.random.set_state(numpy_state)  # noqa: NPY002
        torch.set_rng_state(torch_state)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)


def device_of(model: nn.Module) -> torch.device:
    """Return the device of a model's first parameter or buffer; the CPU if it has none."""
    return next(
        (tensor.device for tensor in [*model.parameters(), *model.buffers()]), torch.device("cpu")
    )


def unwrapped(model: nn.Module) -> nn.Module:
    """Return the module inside the wrappers of ``torch.compile`` and of data parallelism."""
    while True:
        inner = getattr(model, "_orig_mod", None)
        if isinstance(model, nn.DataParallel | nn.parallel.DistributedDataParallel):
            inner = model.module
        if not isinstance(inner, nn.Module):
            return model
        model = inner

"""Sizes for which there is no memory are refused by their names, wherever tensors of these sizes are made."""

import pytest
import torch

from empirics import measure, networks, tensor_checks
from empirics.data.teacher import teacher_data
from empirics.networks.resnet import resnet

HUGE = 10**9  # two of them multiplied are more bytes than any machine can address


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "classes": lambda: measure.CollapseMeans(10**7).update(
            torch.ones(1, 1).expand(2, 10**7), [0, 1]
        ),
        "widths": lambda: networks.mlp(10**8, widths=(HUGE,)),
        "inputs": lambda: networks.mlp(HUGE, widths=(10**8,)),
        "depths": lambda: networks.plain_cnn(channels=10**8, depths=(HUGE,)),
        "channels": lambda: networks.residual_cnn(channels=HUGE),
        "width": lambda: resnet(18, width=HUGE, channels=10**8),
        "architecture": lambda: networks.initial_weights(
            networks.build("fully_connected", inputs=HUGE, width=HUGE, depth=2), 1.0, [0]
        ),
        "depth": lambda: networks.build("convolution", inputs=2, width=5, depth=HUGE),
        "dimensions": lambda: teacher_data(0, (HUGE, 1), HUGE),
    }.items(),
)
def test_sizes_without_memory_are_refused_by_name(name, call):
    with pytest.raises(
        ValueError, match=rf"^{name}: got .*, needs (a size for which there is memory|an integer)"
    ):
        call()


def test_a_size_whose_memory_ends_is_named_and_other_errors_are_left(monkeypatch):
    def fail(*shape, **options):
        raise RuntimeError(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 8000000000 bytes."
        )

    with monkeypatch.context() as patch:
        patch.setattr(torch, "zeros", fail)
        with pytest.raises(
            ValueError, match=r"^classes: got 1000000000, needs a size for which there is memory"
        ):
            measure.CollapseMeans(HUGE)
    with pytest.raises(RuntimeError, match="another"), tensor_checks.memory_for(classes=2):
        raise RuntimeError("another fault")

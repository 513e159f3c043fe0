"""Derivatives are taken in full float32, whatever torch is set to, and leave its setting as it was."""

import warnings

import pytest
import torch
from torch import nn

from empirics import measure
from empirics.measure.models.differentiation import new_tensors_in


class Recorder(nn.Module):
    """Two or four features of three numbers, which notes the precision of convolutions during both passes."""

    def __init__(self, features: int, fails_after: int = 100) -> None:
        super().__init__()
        self.last, self.fails_after = nn.Linear(3, features), fails_after
        self.forward_passes: list[str] = []
        self.backward_passes: list[str] = []

    def __deepcopy__(self, memo: object) -> "Recorder":
        """Return the module itself, whose notes are read."""
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the features."""
        self.forward_passes.append(torch.backends.cudnn.conv.fp32_precision)
        if len(self.forward_passes) > self.fails_after:
            raise RuntimeError("no more")
        if x.requires_grad:
            x.register_hook(
                lambda _: self.backward_passes.append(torch.backends.cudnn.conv.fp32_precision)
            )
        return torch.tanh(self.last(x))


@pytest.fixture(autouse=True)
def tf32():
    """Set what torch uses on a GPU by itself."""
    before, torch.backends.cudnn.conv.fp32_precision = (
        torch.backends.cudnn.conv.fp32_precision,
        "tf32",
    )
    yield
    torch.backends.cudnn.conv.fp32_precision = before


@pytest.mark.parametrize("features", [2, 4])  # in reverse and in forward mode
def test_full_float32_during_both_passes_and_the_setting_afterwards(features):
    model = Recorder(features)
    measure.log_volume_element(model, torch.randn(2, 3), precision="model")
    assert set(model.forward_passes) == {"ieee"}
    assert set(model.backward_passes) == {"ieee"}  # which checks what forward mode gives
    assert torch.backends.cudnn.conv.fp32_precision == "tf32"


@pytest.mark.parametrize("passes", range(4))  # that succeed before one fails
def test_the_setting_after_an_error(passes):
    model = Recorder(2, passes)
    with pytest.raises((ValueError, RuntimeError)):
        measure.log_volume_element(model, torch.randn(2, 3), precision="model")
    assert len(model.forward_passes) > passes  # a comparison with forward mode goes on without it
    assert torch.backends.cudnn.conv.fp32_precision == "tf32"


def test_conversions_to_shorter_types_are_wide_and_keep_their_meaning():
    """A complex number that is converted to a real one loses its imaginary part, as it does without the context."""
    ones = torch.ones(2, dtype=torch.float64)
    with new_tensors_in(torch.float64):
        assert {ones.float().dtype, ones.half().dtype, ones.to(torch.float32).dtype} == {
            ones.dtype
        }
        assert ones.cfloat().dtype == torch.complex128
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns of the imaginary part once in a process
            real = torch.complex(ones, ones).float()
    assert real.dtype == torch.float64
    assert ones.float().dtype == torch.float32

"""Tests that torchvision can be imported with any build of torch, and that the functions used here work."""

from __future__ import annotations

import runpy
import sys

import pytest
import torch

pytest.importorskip("empirics.vision", reason="torchvision is not installed (extra `empirics`)")

from empirics import vision
from tests import forked


def test_what_is_used_works():
    assert vision.models.resnet.BasicBlock(2, 2)(torch.rand(2, 2, 4, 4)).shape == (2, 2, 4, 4)
    assert vision.transforms.RandomCrop(2)(torch.rand(1, 4, 4)).shape == (1, 2, 2)
    assert vision.datasets.MNIST.resources


WITHOUT_OPERATORS = """
import sys, warnings
import torch

def refuse(path):
    raise OSError("compiled for another build of torch")

assert "torchvision" not in sys.modules
torch.ops.load_library = refuse
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "Failed to load image Python extension")  # torchvision says the same of its images
from empirics import vision
from tests import forked
assert not vision.torchvision.extension._has_ops()
print(vision.models.resnet18(weights=None).eval()(torch.zeros(1, 3, 32, 32)).shape[1])
"""


def test_operators_that_do_not_load_are_declared(tmp_path):
    """In a process whose torchvision finds no compiled operators, whatever is installed here."""
    file = tmp_path / "without_operators.py"
    file.write_text(WITHOUT_OPERATORS, encoding="utf-8")
    done = forked.run(forked.script, file, folder=tmp_path)
    assert done.stdout.split() == ["1000"], done.stderr


def test_other_errors_are_not_hidden(monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "torchvision":
                raise RuntimeError("of another kind")

    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
        monkeypatch.setitem(sys.modules, name, sys.modules[name])  # puts it back afterwards
    monkeypatch.delitem(sys.modules, "torchvision")
    with pytest.raises(RuntimeError, match="of another kind"):
        runpy.run_path(vision.__file__)
    assert "torchvision.models" in sys.modules  # only an import that failed for want of operators is repeated

"""Tests that torchvision can be imported with any build of torch, and that the functions used here work."""

from __future__ import annotations

import runpy
import subprocess
import sys
import textwrap

import pytest
import torch

from tests.optional import needs

pytestmark = needs("torchvision", "images")


def test_what_is_used_works():
    from empirics import vision

    assert vision.models.resnet.BasicBlock(2, 2)(torch.rand(2, 2, 4, 4)).shape == (2, 2, 4, 4)
    assert vision.transforms.RandomCrop(2)(torch.rand(1, 4, 4)).shape == (1, 2, 2)
    assert vision.datasets.MNIST.resources


def run(code):
    """Run code where warnings are errors, but for the one in which torchvision says the same of its image files."""
    warnings = ["-W", "error", "-W", "ignore:Failed to load image Python extension"]
    return subprocess.run(
        [sys.executable, *warnings, "-c", textwrap.dedent(code)], capture_output=True, text=True
    )


@pytest.mark.slow
def test_operators_that_do_not_load_are_declared():
    """In an interpreter whose torchvision finds no compiled operators, whatever is installed here."""
    done = run("""
        import torch

        def refuse(path):
            raise OSError("compiled for another build of torch")

        torch.ops.load_library = refuse
        from empirics import vision
        assert not vision.torchvision.extension._has_ops()
        print(vision.models.resnet18(weights=None).eval()(torch.zeros(1, 3, 32, 32)).shape[1])
    """)
    assert done.stdout.split() == ["1000"], done.stderr


def test_other_errors_are_not_hidden(monkeypatch):
    from empirics import vision

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
    # only an import that failed for want of operators is repeated
    assert "torchvision.models" in sys.modules

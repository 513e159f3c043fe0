"""Tests of epochs as CUDA graphs: the numbers of one operation after the other."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch

from empirics import networks
from empirics.training import loop
from empirics.training.backpropagation import Backpropagation

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
X, Y = (
    torch.tensor([[-0.5], [0.5]], dtype=torch.float64),
    torch.tensor([[0.6], [1.3]], dtype=torch.float64),
)


@pytest.mark.parametrize("activation", ["leaky_relu", "tanh"])
def test_a_graph_gives_the_same_record(activation, monkeypatch):
    architecture = networks.build("fully_connected", activation=activation, width=20, depth=4)

    def trained():
        parameters = networks.initial_weights(architecture, 1.0, [0, 1], torch.float64, "cuda")
        trainer = Backpropagation(architecture, parameters, X.cuda(), Y.cuda(), 0.01)
        return loop.train(trainer, 250, [2], progress=False)

    graph = trained()
    monkeypatch.setattr(loop, "as_cuda_graph", lambda trainer: partial(loop.one_epoch, trainer))
    eager = trained()
    np.testing.assert_allclose(graph.dh2, eager.dh2, rtol=1e-9)
    np.testing.assert_allclose(graph.outputs, eager.outputs, rtol=1e-9)
    assert graph.dh2[-1, 0, 0] != graph.dh2[0, 0, 0]

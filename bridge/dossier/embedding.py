"""Models of tokens as maps of what their embedding gives, in which there are derivatives."""

from dataclasses import replace
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from empirics.measure.models.adapter import Adapter
from empirics.measure.models.model_on_data import ModelOnData

SAME = 1e-4  # largest relative difference from the model, in float32
AnyModel = TypeVar("AnyModel", bound=ModelOnData)


class FromEmbedding(nn.Module):
    """A model of tokens from what its embedding gives, ``[batch, positions, width]``; the rest sees ``tokens``."""

    tokens: Tensor

    def __init__(self, model: nn.Module, embedding: nn.Module, tokens: Tensor) -> None:
        super().__init__()
        self.model, self.embedding = model, embedding
        self.register_buffer("tokens", tokens)

    def forward(self, embedded: Tensor) -> Any:
        """Return what the model gives."""
        handle = self.embedding.register_forward_hook(lambda *_: embedded)
        try:
            return self.model(self.tokens.expand(len(embedded), *self.tokens.shape))
        finally:
            handle.remove()


def through_embedding(network: AnyModel, features: nn.Module) -> tuple[AnyModel, nn.Module, str]:
    """Return a network of tokens and features as maps of the first embedding that determines the output; its name."""
    with torch.no_grad():
        expected = network.model(network.inputs[:2].clone())
        for name, part in network.model.named_modules():
            if not isinstance(part, nn.Embedding):
                continue
            x, tokens = _outputs(network, part), network.inputs[0]
            if x is None:
                continue
            whole = FromEmbedding(network.model, part, tokens)
            difference = (whole(x[:2]) - expected).abs().max()
            if bool(difference <= SAME * expected.abs().max()):
                from_embedding = replace(network, model=whole, inputs=x, adapter=Adapter())
                return from_embedding, FromEmbedding(features, part, tokens), name
    raise ValueError(
        "the model takes indices, in which there is no derivative, and no embedding reads them all"
    )


def _outputs(network: ModelOnData, embedding: nn.Module) -> Tensor | None:
    """Return what an embedding gives at all points, ``[N, ...]``; None unless it is called once with all of them."""
    outputs: list[Tensor] = []
    handle = embedding.register_forward_hook(
        lambda _, taken, output: outputs.append(output.clone())
    )
    try:
        for part in network.batches():
            network.model(part.clone())
    finally:
        handle.remove()
    sizes = [len(part) for part in network.batches()]
    return torch.cat(outputs) if [len(part) for part in outputs] == sizes else None

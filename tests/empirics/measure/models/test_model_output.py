"""Which tensor of a model's output is taken, rule by rule."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from empirics.measure.models.model_output import model_output

POINTS, CLASSES = 5, 3


class Several(nn.Module):
    """Features of as many numbers as there are classes, and outputs, in a form of one's own."""

    def __init__(self, form) -> None:
        super().__init__()
        self.body, self.head, self.form = nn.Linear(4, CLASSES), nn.Linear(CLASSES, CLASSES), form

    def forward(self, x):
        features = self.body(x)
        return self.form(features, self.head(features.tanh()))


def as_many_as_classes(tensor: torch.Tensor) -> int:
    """How well a tensor fits labels of three classes: exactly, or with more outputs than classes."""
    return 2 if tensor.shape[1] == CLASSES else 1


TAKEN = {
    "the last linear map": (lambda features, last: (features, last), "1"),
    "the last linear map, given first": (lambda features, last: (last, features), "0"),
    "logits by their name": (lambda features, last: {"logits": features, "other": last}, "logits"),
    "the best that fits": (lambda features, last: (last.repeat(1, 2), features.exp()), "1"),
    "the only one with rows": (lambda features, last: (last.sum(), [features.exp()]), "1.0"),
}


@pytest.mark.parametrize("rule", TAKEN)
def test_the_tensor_that_the_rule_names_is_taken(rule):
    form, name = TAKEN[rule]
    model, x = Several(form), torch.randn(POINTS, 4)
    chosen, tensor = model_output(model, x, fit=as_many_as_classes)
    assert chosen.name == name
    torch.testing.assert_close(chosen.of(model(x)), tensor)


def test_what_the_rule_does_not_decide_is_asked_for():
    model = Several(lambda features, last: (features.exp(), last.exp()))
    x = torch.randn(POINTS, 4)
    with pytest.raises(ValueError, match=r"0 \[N, 3\], 1 \[N, 3\].*0 and 1 fit the labels alike"):
        model_output(model, x, fit=as_many_as_classes)
    assert model_output(model, x, 1)[0].name == "1"
    with pytest.raises(ValueError, match="output: got '2', needs one of 0"):
        model_output(model, x, "2")
    with pytest.raises(ValueError, match="none fits the labels"):
        model_output(model, x, fit=lambda tensor: 0)

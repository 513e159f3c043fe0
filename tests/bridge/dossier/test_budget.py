"""The budget of a dossier is a bound on counted work, and what is left out says what would be needed."""

import re
import time

import pytest
import torch

import bridge
from bridge.dossier.cost import Budget
from empirics.measure.models.memory import work_of
from tests import architectures

N = 24
CLASSES = torch.arange(N) % 3


def case(name):
    torch.manual_seed(0)
    images, tokens = torch.randn(N, 3, 32, 32), torch.randint(0, 11, (N, 6))
    return {
        "resnet": lambda: (architectures.ResNet(width=8), images, CLASSES),
        "convnext": lambda: (architectures.ConvNeXt(), images, CLASSES),
        "vit": lambda: (architectures.ViT(), images, CLASSES),
        "gpt": lambda: (architectures.GPT(), tokens, tokens),
        "gru": lambda: (architectures.Recurrent(), torch.randn(N, 7, 4), CLASSES),
        "unet": lambda: (architectures.UNet(), torch.randn(N, 1, 8, 8), torch.zeros(N, 8, 8).long()),
        "autoencoder": lambda: (architectures.Autoencoder(), torch.randn(N, 10), torch.randn(N, 10)),
        "dictionary": lambda: (
            architectures.OfDict(), {"values": torch.randn(N, 5), "mask": torch.ones(N, 5)}, CLASSES,
        ),
    }[name]()  # fmt: skip


@pytest.mark.parametrize(
    ("each", "pair", "once"), [(0.3, 0, 0), (0.29, 0, 2), (0.2, 0.01, 1), (0.2, 0.01, 9)]
)
def test_as_many_points_are_affordable_as_their_work_allows(each, pair, once):
    budget = Budget(total=10.0, share=0.5)
    fit = [n for n in range(1, 100) if once + each * n + pair * n**2 <= 5.0]
    assert budget.affordable(100, each, pair, once) == max(fit, default=0)
    assert budget.affordable(3, each, pair, once) == min(3, max(fit, default=0))


LONGER = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("autoencoder", "vit", "gpt", "resnet", "convnext", "unet", "gru")
]


@pytest.mark.parametrize("budget", [pytest.param(0.5, marks=pytest.mark.slow), 2.0])
@pytest.mark.parametrize("name", ["dictionary", *LONGER])
def test_the_work_stays_within_the_budget_and_the_report_is_the_same_again(name, budget):
    network, reports = case(name), []
    work = work_of(lambda: reports.append(bridge.dossier(*network, budget=budget, progress=False)))
    assert work < budget
    if name in ("vit", "dictionary") and budget == 2:
        assert str(reports[0]) == str(bridge.dossier(*network, budget=budget, progress=False))


@pytest.mark.slow
def test_a_partial_dossier_says_what_more_would_add_and_that_suffices():
    network = case("resnet")
    little = bridge.dossier(*network, budget=3, progress=False)
    sentences = [doubt.text for part in little.sections for doubt in part.analysis.doubts] + [
        *little.left_out
    ]
    said = [
        float(found[1])
        for text in sentences
        if (found := re.search(r"budget=([\d.]+) allows all", text))
    ]
    assert said
    needed = max(said)
    whole = bridge.dossier(*network, budget=needed, progress=False)
    assert {part.title for part in little.sections} <= {part.title for part in whole.sections}
    assert f"{N} points." in whole["kernel"].tables[0].caption


@pytest.mark.slow
def test_what_more_would_add_counts_the_points_that_the_whole_dossier_could_not_afford():
    network, names = (
        case("convnext"),
        {"volume": "geometry", "tangent kernel": "kernel", "collapse": "collapse"},
    )
    little = bridge.dossier(*network, budget=0.15, progress=False)
    assert any(said.startswith("points: 12 of 24") for said in little.left_out)
    for name, part in names.items():
        (said,) = (text for text in little.left_out if f"{name}: not within" in text)
        assert said.endswith(f"allows all {N} points")
        more = bridge.dossier(
            *network, budget=float(re.findall(r"budget=([\d.]+)", said)[0]), progress=False
        )
        assert not any(text.startswith((part, "points")) for text in more.left_out)
        texts = [doubt.text for section in more.sections for doubt in section.analysis.doubts]
        assert not any(text.startswith(f"{name}:") for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resnet", "vit"])
def test_large_networks_have_every_part_in_two_minutes_of_a_processor(name):
    """ResNet-18 at 64 pixels and ViT-tiny at 224, with a thousand classes."""
    torch.manual_seed(0)
    model = (
        architectures.ResNet(1000, 64, 2)
        if name == "resnet"
        else architectures.ViT(1000, 192, 12, 3, 16, 224)
    )
    side = 64 if name == "resnet" else 224
    inputs, labels = torch.randn(100, 3, side, side), torch.arange(100) % 10
    began = time.process_time()
    found = bridge.dossier(model, inputs, labels, progress=False)
    assert time.process_time() - began < 120
    assert [part.title for part in found.sections] == ["network", "geometry", "collapse", "kernel"]

"""Compiled loops of neural collapse against the ordinary way, in exact arithmetic, and on what they must decline."""

from fractions import Fraction

import pytest
import torch

from closedform import loops
from empirics import measure
from empirics.measure.collapse import means as first_pass
from empirics.measure.collapse.means import CollapseMeans

pytestmark = pytest.mark.skipif(not loops.is_installed(), reason="needs numba, the extra fast")
ROUNDINGS = 64  # of a sum of at most 2,061 products in eight lanes, in units of eps; it grows as their root
SHAPES = [(8, 3, 2), (37, 51, 4), (2061, 101, 10), (512, 64, 13)]  # dimension, samples, classes


@pytest.fixture
def way(monkeypatch):
    """Switch between the two ways, whatever the size of a batch."""
    sizes = {"loops": 0, "torch": float("inf")}
    return lambda name: monkeypatch.setattr(first_pass, "FEWEST", sizes[name])


def data(dimension, samples, classes):
    stream = torch.Generator().manual_seed(dimension)
    # labels that do not lie next to one another
    y = (torch.arange(samples) % classes).repeat_interleave(2)[::2]
    means = torch.randn(classes, dimension, generator=stream)
    return means[y] + torch.randn(samples, dimension, generator=stream) + 3, y


@pytest.mark.parametrize("shape", SHAPES)
def test_class_sums_have_the_same_bits_and_measures_the_same_digits(way, shape):
    x, y = data(*shape)
    found = []
    for name in ("torch", "loops"):
        way(name)
        means = CollapseMeans(shape[-1]).update(x, y).update(x[1:], y[1:])
        found.append((means, measure.neural_collapse(x, y)))
    (ordinary, slow), (looped, fast) = found
    assert torch.equal(ordinary.sums, looped.sums)
    assert looped.squares == pytest.approx(
        float(x.double().square().sum()) + float(x[1:].double().square().sum()), rel=1e-13
    )
    for name in ("nc1", "within", "between", "nearest_centre_error"):
        assert getattr(fast, name) == pytest.approx(getattr(slow, name), rel=1e-12, nan_ok=True), (
            name
        )


def test_products_are_those_of_exact_arithmetic():
    from empirics.measure.collapse import pass_loops

    x, y = data(37, 5, 2)
    points, directions = torch.randn(2, 37).double() / 3, torch.randn(3, 37).double() / 7
    products, lengths = pass_loops.projected(x, y, points, directions)
    for row in range(5):
        apart = [
            Fraction(a) - Fraction(b)
            for a, b in zip(x[row].tolist(), points[y[row]].tolist(), strict=True)
        ]
        exact = [
            sum(a * Fraction(b) for a, b in zip(apart, d, strict=True))
            for d in directions.tolist()
        ]
        size = float(lengths[row]) * float(directions.norm(dim=1).max())
        assert products[row].tolist() == pytest.approx(
            list(map(float, exact)), rel=0, abs=ROUNDINGS * 2**-53 * size
        )
        assert float(lengths[row]) ** 2 == pytest.approx(
            float(sum(a * a for a in apart)), rel=ROUNDINGS * 2**-53
        )


def test_other_types_layouts_and_many_directions_are_declined(way):
    way("loops")
    x = torch.zeros(20, 32)
    assert first_pass.by_loops(x, 12)
    assert not any(map(first_pass.by_loops, (x.double(), x.half(), x.T, x[:, ::2])))
    assert not first_pass.by_loops(x, 13)


def test_numbers_that_are_not_finite_are_refused_as_before(way):
    way("loops")
    x, y = data(16, 12, 3)
    x[4, 9] = torch.inf
    with pytest.raises(ValueError, match="features"):
        measure.neural_collapse(x, y)


def test_weights_of_a_classifier_give_the_same_answers(way):
    x, y = data(37, 51, 4)
    found = []
    for name in ("torch", "loops"):
        way(name)
        found.append(measure.neural_collapse(x, y, weights=torch.eye(4, 37)))
    assert found[0].nc4 == found[1].nc4

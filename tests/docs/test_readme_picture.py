"""The first picture of the README shows the networks and the numbers of the records."""

import json
from pathlib import Path

import pytest
from PIL import Image

from bridge.results import record

PICTURE = Path(__file__).parents[2] / "docs" / "readme.png"
ROUNDING = 0.02  # of the logarithm of a share: the same networks trained on processors that round differently


def test_the_picture_is_drawn_from_the_record():
    with Image.open(PICTURE) as picture:
        shown = json.loads(picture.text["record"])
    recorded = record.first("two-point-architectures")["laptop"]
    quantity = "two_point.unexplained_curves"
    shares = {
        number.label: number.value for number in recorded.measured if number.quantity == quantity
    }
    assert len(shown) == 4
    for label, entry in shown.items():
        assert entry["configuration"] == recorded.configurations[label]
        assert entry["share"] == pytest.approx(shares[label], abs=ROUNDING)

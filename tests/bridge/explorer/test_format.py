"""Tests of the numbers as text on a page: only certain digits, and what a field reads."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files

import pytest

from tests.bridge.explorer.node import NODE, needs_node

CODE = (files("bridge.explorer") / "format.js").read_text(encoding="utf-8")


def node(expression: str) -> object:
    script = f"{CODE}\nconsole.log(JSON.stringify({expression}));"
    ran = subprocess.run([NODE], input=script, capture_output=True, encoding="utf-8", check=True)
    return json.loads(ran.stdout)


@needs_node
def test_a_digit_is_shown_only_if_it_is_certain(rng):
    values = rng.normal(size=40) * 10.0 ** rng.integers(-12, 12, 40)
    errors = abs(values) * 10.0 ** rng.uniform(-16, 0, 40)
    numbers = [{"high": v, "low": 0.0, "error": e} for v, e in zip(values, errors, strict=True)]
    texts = node(f"{json.dumps(numbers)}.map((x) => certain(x).text.replace('−', '-'))")
    powers = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    for text, value, error in zip(texts, values, errors, strict=True):
        if not text:
            assert error > 0.005 * abs(value)
            continue
        mantissa, _, power = text.partition("×10")
        unit = 10.0 ** (int(power.translate(powers) or 0) - len(mantissa.partition(".")[2]))
        shown = float(mantissa) * 10.0 ** int(power.translate(powers) or 0)
        for number in (value - error, value + error):
            assert abs(shown - number) <= unit * 0.5000001 + 1e-15 * abs(value)


@needs_node
def test_an_exact_number_has_no_zeros_behind_it():
    numbers = [{"high": high, "low": 0, "error": 0} for high in (408, 0, -2.5, 1e21, 1 / 3)]
    assert node(f"{json.dumps(numbers)}.map((x) => certain(x).text)") == [
        "408",
        "0",
        "−2.5",
        "1×10²¹",
        "0.333333333333",
    ]


@needs_node
def test_fields_and_ticks():
    assert node("[read(' 1/4 '), read('−2e-3'), read(''), read('a'), read('1/2/3')]") == [
        0.25,
        -0.002,
        None,
        None,
        None,
    ]
    assert node("[plain(0.00001234567), plain(123456), plain(-0.5, 15)]") == [
        "1.235e-5",
        "123500",
        "-0.5",
    ]
    assert node("[short(-1.5e-7), short(2e21), short(0)]") == ["−1.5×10⁻⁷", "2×10²¹", "0"]
    ticks = node(
        "[linearTicks(-0.03, 1.02, 5), logTicks(0.02, 20, 8), logTicks(1e-8, 1e9, 5), logTicks(3, 4, 5)]"
    )
    assert ticks[0] == pytest.approx([0, 0.5, 1])
    assert ticks[1] == pytest.approx([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
    assert ticks[2] == pytest.approx([1e-8, 1e-4, 1, 1e4, 1e8])
    assert len(ticks[3]) >= 3

"""Tests of what a page says at a point: the value, or the argument, condition or operation that fails."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files

import sympy as sp

import theory
from bridge.explorer import arithmetic as javascript
from bridge.explorer.page import object_of
from bridge.explorer.ranges import ranges, start
from tests.bridge.explorer.node import NODE, needs_node
from theory.core import Argument, ClosedForm, Status

CODE = "\n".join(
    (files("bridge.explorer") / name).read_text(encoding="utf-8")
    for name in ("format.js", "values.js")
)
LOOK = """
const form = { ...given, value: given.value(closedform) };
form.conditions = given.conditions.map((c) => ({ ...c, gap: c.gap(closedform), scale: c.scale(closedform) }));
console.log(JSON.stringify(points.map((point) => {
  const { value, reason } = evaluated(form, point);
  return reason ?? certain(value).text;
})));
"""


def said(form, *points):
    code = object_of(form, ranges(form), start(form), form.name)
    script = f"{javascript.library()}{CODE}\nconst given = {code}, points = {json.dumps(points)};\n{LOOK}"
    return json.loads(
        subprocess.run(
            [NODE], input=script, capture_output=True, encoding="utf-8", check=True
        ).stdout
    )


@needs_node
def test_the_argument_or_condition_that_fails_is_named():
    floor = theory.catalogue()["collapse.noise_floor"]
    assert said(floor, [100, 10, 28], [100, 10, 7], [100.5, 10, 28], [0, 10, 28], [8, 10, 28]) == [
        "45",
        "This condition fails: the dimension exceeds the number of classes; else it is infinite.",
        "samples: got 100.5, needs a positive integer.",
        "samples: got 0, needs a positive integer.",
        "This condition fails: there are more samples than classes.",
    ]


@needs_node
def test_a_point_on_the_boundary_up_to_rounding_is_inside():
    kernel = theory.catalogue()["compression.tangent_kernel"]
    inside, outside = said(kernel, [0.1, 0.3, 0.17320508075688773, 4], [0.1, 0.3, 0.174, 4])
    assert inside[0].isdigit()
    assert outside == "This condition fails: (x.z)^2 <= |x|^2 |z|^2."


@needs_node
def test_what_has_no_finite_real_value_is_said():
    x = sp.Symbol("x", real=True)
    form = ClosedForm(
        "a.form",
        "A form.",
        (Argument(x, "an abscissa"),),
        sp.exp(sp.log(x) ** 3) + 1 / x,
        Status.TRANSCRIBED,
    )
    assert said(form, [1], [-1], [0], [1e300]) == [
        "2",
        "No real value here: the formula contains the logarithm of a negative number.",
        "No real value here: the formula contains a division by zero.",
        "The value, or a part of it, is larger than any double.",
    ]

"""Tests of the pages on closed forms in a browser: numbers, messages, controls, widths and colours."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

import bridge
import theory
from bridge.explorer import arithmetic as javascript
from bridge.explorer import page
from bridge.explorer.ranges import ranges, start
from tests.bridge.explorer.browser import needs_browser, seen
from tests.bridge.explorer.node import computed, needs_node
from theory.core.numbers.backends import load
from theory.core.numbers.backends.source import compile_expression

FORM = "two_point.final_distance"
SMALLEST_FONT = 12.5  # pixels
NARROW = 1e-8  # relative bound, of integrals at the ends of the sliders
LARGEST = 1e308  # a double
UNDERFLOW = 1e-290  # below this the second number of a pair is not a double any more
CONTRAST = 4.5  # of text, as WCAG 2 asks for
LAYOUT = """
const luminance = (colour) => {
  const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
  const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const paper = luminance(getComputedStyle(document.body).backgroundColor);
const texts = [...document.querySelectorAll("main *")].filter((node) => [...node.childNodes].some(
  (child) => child.nodeType === 3 && child.textContent.trim()) && !node.closest("svg.formula") && node.checkVisibility()
  && node.localName !== "script");
const contrast = (node) => {
  const style = getComputedStyle(node), ink = luminance(node.closest("svg") ? style.fill : style.color);
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
};
return {
  width: innerWidth, content: document.documentElement.scrollWidth, paper,
  font: Math.min(...texts.map((node) => parseFloat(getComputedStyle(node).fontSize))),
  contrast: Math.min(...texts.map(contrast)),
  outside: [...document.querySelectorAll(".plot text")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.left < 0 || box.right > innerWidth;
  }).map((node) => node.textContent),
  unnamed: [...document.querySelectorAll("input, select")].filter(
    (node) => !node.labels.length && !node.ariaLabel).length,
};
"""
CONTROLS = """
const [slider, field] = document.querySelectorAll(".argument input");
const output = document.querySelector("output"), note = document.querySelector(".note");
const states = [];
const look = () => states.push({ value: output.textContent, note: note.textContent, field: field.value,
  slider: slider.value, invalid: field.ariaInvalid, said: slider.ariaValueText,
  command: document.querySelector(".command").textContent,
  here: document.querySelector(".here")?.getAttribute("cx") });
const event = (node, name) => node.dispatchEvent(new Event(name, { bubbles: true }));
look();
slider.focus(); slider.stepUp(50); event(slider, "input"); look();
field.value = "1/3"; event(field, "input"); look();
field.value = "-2"; event(field, "input"); look();
field.value = ""; event(field, "input"); look();
field.value = "0.02"; event(field, "input");
document.querySelector(".keep").click();
const select = document.querySelector("select"); select.value = "5"; event(select, "change"); look();
states.push({ focused: document.activeElement === slider, isLog: document.querySelector(".log-x").checked });
return states;
"""
ALL = """
return Object.fromEntries([...document.querySelectorAll(".explorer")].map((root) => [root.explorer.form.name, {
  value: root.querySelector("output").textContent, note: root.querySelector(".note").textContent,
  drawn: root.querySelector(".curve")?.getAttribute("d").length ?? null }]));
"""


def shown(text):
    """The number of a text on a page, and a unit of its last digit."""
    mantissa, _, power = text.replace("−", "-").partition("×10")
    exponent = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or 0)
    decimals = len(mantissa.partition(".")[2])
    return mpmath.mpf(mantissa) * mpmath.mpf(10) ** exponent, mpmath.mpf(10) ** (
        exponent - decimals
    )


def agrees(text, exact):
    """Whether all digits of a text are those of a number, up to rounding in the last one."""
    number, last = shown(text)
    return abs(number - exact) <= last * mpmath.mpf("0.501")


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize(
    "name", [FORM, "geometry.scalar_curvature.gelu", "compression.equiprobable_radius.cylinder"]
)
def test_the_page_fits_and_can_be_read(name, is_dark, width, tmp_path):
    html = bridge.explore(theory.catalogue()[name]).html
    layout = seen(html, LAYOUT, tmp_path, width=width, is_dark=is_dark)
    assert layout["width"] == width
    assert layout["content"] <= width
    assert layout["outside"] == []
    assert layout["unnamed"] == 0
    assert layout["font"] >= SMALLEST_FONT
    assert layout["contrast"] >= CONTRAST
    assert (layout["paper"] < 0.1) == is_dark


@needs_browser
@pytest.mark.slow
def test_sliders_fields_and_axes(tmp_path):
    form = theory.catalogue()[FORM]
    first, moved, typed, negative, empty, other, last = seen(
        bridge.explore(form).html, CONTROLS, tmp_path
    )
    rest = start(form)[1:]
    assert agrees(first["value"], form.evaluate(*start(form), digits=20))
    assert int(moved["slider"]) == int(first["slider"]) + 50
    assert float(moved["field"]) > float(first["field"])
    assert moved["said"] == moved["field"]
    assert agrees(moved["value"], form.evaluate(moved["field"], *rest, digits=20))
    assert moved["here"] != first["here"]
    assert agrees(typed["value"], form.evaluate(1 / 3, *rest, digits=20))
    assert "dh2_0=0.333333333333333 dy2_0=" in typed["command"]
    assert (negative["value"], negative["note"], negative["invalid"]) == (
        "–",
        "dh2_0: got −2, needs a positive, finite number.",
        "true",
    )
    assert empty["note"] == "dh2_0: got no number, needs a positive, finite number."
    assert agrees(other["value"], form.evaluate("0.02", *rest, digits=20))
    assert last == {"focused": True, "isLog": False}


@needs_browser
@pytest.mark.slow
def test_every_form_of_the_catalogue_shows_certain_digits_and_a_curve(tmp_path):
    forms = dict(theory.catalogue())
    parts = "\n".join(page.interactive_part(form) for form in forms.values())
    html = (
        f"<!doctype html><meta charset=utf-8><body>{parts}<script>{page.script()}</script></body>"
    )
    results = seen(html, ALL, tmp_path, after=20_000)
    assert results.keys() == forms.keys()
    for name, result in results.items():
        assert result["note"] == "", (name, result)
        assert agrees(result["value"], forms[name].evaluate(*start(forms[name]), digits=25)), (
            name,
            result,
        )
        assert (result["drawn"] or 0) > 100 or len(forms[name].arguments) == 0, (name, result)


def test_a_page_needs_no_network():
    html = bridge.explore(theory.catalogue()["collapse.linear_gain_bound"]).html
    for word in ("http://", "https://", "src=", "<link", "@import", "url(", "fetch("):
        assert word not in html.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("name", "argument", "low", "high", "is_log"),
    [
        (FORM, "tau_h", 0.05, 30, True),
        ("geometry.bayesian_factor.monomial_2", "p2", 0, 1, False),
        ("collapse.noise_floor", "classes", 2, 24, False),
        ("collapse.two_class_floor", "prior", 0.0009992, 0.9992, False),
        ("compression.equiprobable_stripe", "x_min", -4, -0.01, False),
    ],
)
def test_sliders_stay_within_the_domain(name, argument, low, high, is_log):
    form = theory.catalogue()[name]
    index = [each.name for each in form.arguments].index(argument)
    slider = ranges(form)[index]
    assert (slider.low, slider.high) == pytest.approx((low, high))
    assert slider.is_log == is_log


def test_what_is_no_form_is_refused(tmp_path):
    with pytest.raises(
        TypeError, match="form: got Family, needs a ClosedForm; a family needs its parameters"
    ):
        bridge.explore(theory.catalogue().families["geometry.nngp_kernel"])
    with pytest.raises(KeyError, match=r"did you mean collapse\.simplex_nc1"):
        bridge.explore("collapse.simplex_nc")
    with pytest.raises(ValueError, match=r"got the folder .*, needs a file"):
        bridge.explore("collapse.simplex_nc1").write(tmp_path)


@needs_node
@pytest.mark.slow
def test_the_bounds_hold_over_the_whole_range_of_the_sliders(rng):
    """No digit is wrong in silence: mpmath's value lies within the bound wherever the sliders can go."""
    forms = dict(theory.catalogue())
    points = {name: _slider_points(form, rng, 6) for name, form in forms.items()}
    programs = {
        name: javascript.program(form.expression, [a.symbol for a in form.arguments])
        for name, form in forms.items()
    }
    lost = []
    for name, results in computed(programs, points).items():
        for point, result in zip(points[name], results, strict=True):
            assert not isinstance(result, str), (name, point, result)
            exact = forms[name].evaluate(*point, digits=30)
            high, low, error = map(mpmath.mpf, result)
            if abs(exact) > LARGEST:  # which the page says, as it has no digit
                assert not mpmath.isfinite(high + error), (name, point)
                continue
            with mpmath.workdps(40):
                assert abs(high + low - exact) <= error + abs(exact) * mpmath.mpf(10) ** -29, (
                    name,
                    point,
                    result,
                )
            lost += (
                [(name, float(exact), result[2])]
                if error > max(NARROW * abs(exact), UNDERFLOW)
                else []
            )
    assert lost == []


def _slider_points(form, rng, size):
    """Random points between the ends of the sliders, of the same density as the sliders, where all conditions hold."""
    sliders, points = ranges(form), []
    symbols = [argument.symbol for argument in form.arguments]
    gaps = [
        compile_expression(condition.gap, symbols, load("numpy")) for condition in form.conditions
    ]
    for _ in range(100_000 if sliders else 1):
        shares = rng.uniform(size=len(sliders))
        point = [
            s.low * (s.high / s.low) ** share if s.is_log else s.low + share * (s.high - s.low)
            for s, share in zip(sliders, shares, strict=True)
        ]
        point = [
            float(round(x)) if a.symbol.is_integer else float(x)
            for x, a in zip(point, form.arguments, strict=True)
        ]
        if all(gap(*point) > 0 for gap in gaps):
            points.append(point)
        if len(points) == size:
            break
    return points


def test_the_page_on_two_points_begins_with_the_sigmoid_of_the_paper():
    """Over the slider of time the distance begins small, grows faster and faster, and settles."""
    form = theory.catalogue()["two_point.dh2"]
    point = dict(zip((argument.name for argument in form.arguments), start(form), strict=True))
    sliders = dict(zip(point, ranges(form), strict=True))
    times = np.linspace(sliders["t"].low, sliders["t"].high, 50)
    curve = form(**{**point, "t": times})
    steps = np.diff(curve)
    assert curve[0] < 0.02 * curve[-1]
    assert 5 < np.argmax(steps) < 40
    assert steps[-1] < 0.05 * steps.max()


@pytest.mark.slow
def test_most_pages_begin_at_the_declared_examples():
    forms = theory.catalogue().values()
    elsewhere = [
        f.name
        for f in forms
        if any(a.example not in (None, x) for a, x in zip(f.arguments, start(f), strict=True))
    ]
    # Its condition excludes it: a state that does not start on the far side.
    assert elsewhere == ["two_point.crossing_time"]


def test_an_example_outside_of_its_domain_is_refused():
    with pytest.raises(
        ValueError, match=r"example of 'x': got -1, needs a number in its domain \(positive\)"
    ):
        theory.core.Argument(sp.Symbol("x", positive=True), "a number", example=-1)

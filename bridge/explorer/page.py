"""The page on a closed form, and the part of it and the script that compute, which the documentation shares."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.explorer import arithmetic
from bridge.explorer.ranges import ranges, start
from closedform import atomic_write

if TYPE_CHECKING:
    from jinja2 import Template

    from bridge.explorer.ranges import Range
    from theory.core import Argument, ClosedForm
    from theory.core.formula.allowed import Domain

_FILES = ("format.js", "values.js", "plot.js", "explorer.js")

HEIGHT = 900  # pixels of a page in a notebook


@dataclass(frozen=True, repr=False)
class Page:
    """The page on a closed form.

    Attributes:
        form: the closed form.
        html: the page, one self-contained HTML document.
    """

    form: ClosedForm
    html: str = field(repr=False)

    def write(self, path: str | Path) -> Path:
        """Write the page into a file and return its path; ValueError if the path is a folder."""
        path = Path(path)
        if path.is_dir():
            raise ValueError(
                f"path: got the folder {str(path)!r}, needs a file such as 'page.html'"
            )
        return atomic_write.text(path, self.html)

    def __repr__(self) -> str:
        return f"page on {self.form.name}, {len(self.html) / 1000:.0f} kB; .write('page.html') saves it"

    def _repr_html_(self) -> str:
        frame = f'style="width:100%;height:{HEIGHT}px;border:0"'
        return f'<iframe title="{escape(self.form.name)}" {frame} srcdoc="{escape(self.html)}"></iframe>'


def explore(form: ClosedForm | str, call: str | None = None) -> Page:
    """Return the page on a closed form: formula, sliders, a live plot, values and the conditions under which it holds.

    The page computes in JavaScript with numbers that know their errors and shows only digits that are certain.

    Args:
        form: a closed form, or the name of one, such as ``"two_point.final_distance"``.
        call: words after ``closedform eval`` that select the form. Default: its name.

    Raises:
        TypeError: if ``form`` is not a closed form; a family needs its parameters first.
        KeyError: if no closed form has the name; the message suggests similar ones.
        ValueError: if the form contains an undefined function.
        NotImplementedError: if JavaScript lacks a function of the form; the message names it.

    >>> explore("collapse.simplex_nc1").form.name
    'collapse.simplex_nc1'
    """
    from markupsafe import Markup

    import theory
    from bridge.report.formulas import draw
    from closedform import version
    from theory.core.text.quantity import quantity_latex

    form = theory.catalogue()[form] if isinstance(form, str) else form
    part = interactive_part(form, call)
    whole, *letters = form.abbreviated().lines
    html = _template("page.html.j2").render(
        form=form,
        formula=Markup(draw(f"{quantity_latex(form.name)} = {whole}")),
        letters=[Markup(draw(latex)) for latex in letters],
        part=Markup(part),
        css=Markup(style("page.css") + style()),
        script=Markup(script()),
        version=version(),
    )
    return Page(form, html)


def interactive_part(form: ClosedForm, call: str | None = None) -> str:
    """Return the HTML of sliders, value and plot, without the script and the style that its page needs."""
    from markupsafe import Markup

    from theory.core import ClosedForm
    from theory.core.text.quantity import quantity

    if not isinstance(form, ClosedForm):
        raise TypeError(
            f"form: got {type(form).__name__}, needs a ClosedForm; a family needs its parameters first"
        )
    sliders, values = ranges(form), start(form)
    try:
        code = object_of(form, sliders, values, call or form.name)
    except NotImplementedError as problem:
        raise NotImplementedError(
            f"{form.name} cannot be computed in a browser: {problem}"
        ) from problem
    return _template("explorer.html.j2").render(
        form=form,
        quantity=quantity(form.name).replace("_", " "),
        rows=[_row(*row) for row in zip(form.arguments, sliders, strict=True)],
        axis=next(
            (index for index, a in enumerate(form.arguments) if not a.allowed.is_integer), 0
        ),
        object=Markup(code),
    )


def style(name: str = "explorer.css") -> str:
    """Return a style sheet of this package."""
    return (files("bridge.explorer") / name).read_text(encoding="utf-8")


def _row(argument: Any, slider: Any) -> dict[str, Any]:
    from markupsafe import Markup

    from bridge.report.formulas import draw
    from theory.core.text.render import latex

    is_integer = argument.allowed.is_integer
    symbol = latex(argument.symbol, (argument,))
    return {
        "name": argument.name,
        "symbol": Markup("" if symbol == argument.name else draw(symbol, inline=True)),
        "meaning": superscripted(argument.meaning),
        "unit": unit(argument),
        "domain": argument.domain,
        "is_integer": is_integer,
        "low": int(slider.low) if is_integer else 0,
        "high": int(slider.high) if is_integer else 1000,
    }


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string((files("bridge.explorer") / name).read_text(encoding="utf-8"))


@cache
def script() -> str:
    """Return the script that all pages share: the library, the plot and the controls."""
    folder = files("bridge.explorer")
    code = "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)
    return f"{arithmetic.library()}(() => {{\n{code}\n}})();\n"


def object_of(
    form: ClosedForm, sliders: Sequence[Range], start: Sequence[float], call: str
) -> str:
    """Return the code of an object with the arguments of a form, its conditions and the program of its value."""
    symbols = [argument.symbol for argument in form.arguments]
    arguments = [_argument(*row) for row in zip(form.arguments, sliders, start, strict=True)]
    conditions = ", ".join(
        f"{{ sentence: {_text(condition.sentence)}, strict: {str(condition.strict).lower()}, slack: {condition.slack}, "
        f"gap: {arithmetic.program(condition.gap, symbols)}, scale: {arithmetic.program(condition.scale, symbols)} }}"
        for condition in form.conditions
    )
    value = arithmetic.program(form.expression, symbols)
    return (
        f"{{ name: {_text(form.name)}, call: {_text(call)}, arguments: {_text(arguments)},\n"
        f"conditions: [{conditions}],\nvalue: {value} }}"
    )


def _argument(argument: Argument, slider: Range, start: float) -> dict[str, object]:
    in_units = f"  [{unit(argument)}]" if unit(argument) else ""
    return {
        "name": argument.name,
        "label": [
            f"{argument.name}, {superscripted(argument.meaning)}{in_units}",
            f"{argument.name}{in_units}",
        ],
        "needs": argument.needs,
        "domain": _domain(argument.allowed),
        "isInteger": argument.allowed.is_integer,
        "low": slider.low,
        "high": slider.high,
        "isLog": slider.is_log,
        "start": start,
    }


def _domain(allowed: Domain) -> dict[str, object]:
    """Return the domain of an argument, whose infinite ends are None."""
    return {
        "low": None if math.isinf(allowed.low) else allowed.low,
        "high": None if math.isinf(allowed.high) else allowed.high,
        "hasLow": allowed.has_low,
        "hasHigh": allowed.has_high,
        "isInteger": allowed.is_integer,
        "isNonzero": allowed.is_nonzero,
    }


def unit(argument: Argument) -> str:
    """Return the unit of an argument, nothing if it has none."""
    return "" if argument.unit in ("", "1", "dimensionless") else superscripted(argument.unit)


def superscripted(text: str) -> str:
    """Return a text with the digit after each ``^`` as a superscript."""
    return re.sub(r"\^(\d)", lambda match: "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(match[1])], text)


def _text(value: object) -> str:
    """Return a value as JSON that may stand inside of a script element."""
    # of </script>, <!-- and <script
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")

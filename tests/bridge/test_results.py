"""Every result says what it is: a short repr, a text, a table, a figure into given axes, and a page for notebooks."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest
from matplotlib.figure import Figure

import bridge
import theory
from bridge.plots.result import Result
from bridge.results.analysis import Analysis, Doubt, table_of
from theory.core.ledger.entries import Entries

OTHERS = {"bridge.explorer.Page"}  # a public dataclass without numbers


def public_dataclasses() -> dict[str, type]:
    """Return all dataclasses that ``bridge`` and its packages export."""
    found = {}
    for package in [
        "bridge",
        *(f"bridge.{module.name}" for module in iter_modules(bridge.__path__) if module.ispkg),
    ]:
        module = import_module(package)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if isinstance(value, type) and dataclasses.is_dataclass(value):
                found[f"{package}.{name}"] = value
    return found


def test_every_public_dataclass_of_bridge_is_a_result_and_does_not_dump_its_fields():
    classes = public_dataclasses()
    assert len(classes) >= 20
    for name, kind in classes.items():
        if name not in OTHERS:
            assert issubclass(kind, Result), name
            assert kind.__repr__ is Result.__repr__, f"{name} needs repr=False"


def comparison() -> bridge.Comparison:
    return bridge.compare(
        [1.0, 2.0], [[1.1, 0.9, 1.0], [2.0, 2.2, 2.4]], names=["first", "second"]
    )


def two_points() -> dict[str, np.ndarray]:
    t = np.linspace(0, 40, 200)
    curves = theory.two_point.trajectory(t, 0.1, 0.05, 0.05, 3.0, 2.0, 1.0, 0.5)
    return dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))


def analysis() -> Analysis:
    numbers = table_of(
        "numbers", "Numbers", "", (1, 2), (("n", lambda n: n), ("m", lambda n: n + 1.0))
    )
    measured = tuple(one.of("a.rate", one.names[0]) for one in comparison())
    return Analysis(
        {}, (), (numbers,), measured, findings=("It holds.",), doubts=(Doubt("a", "too few"),)
    )


@cache
def results() -> dict[str, object]:
    """Return a result of every kind that overrides something, and of two that do not."""
    data = two_points()
    fit = bridge.two_point.fit(data, dx2=1.0, target2=0.5)
    seen = bridge.two_point.fit(
        {name: values[:100] for name, values in data.items()}, dx2=1.0, target2=0.5
    )
    forecast = seen.forecast(data["t"][100:])
    x = np.geomspace(1, 100, 6)
    volumes = np.random.default_rng(0).normal(size=(4, 30))
    return {
        "fit": fit,
        "forecast": forecast,
        "score": forecast.score(data),
        "scaling": bridge.scaling.fit(x, 3 * x**-0.5 * (1 + 0.01 * np.sin(x)), 0.02 * np.ones(6)),
        "comparison": comparison(),
        "single comparison": bridge.compare(1.0, 1.1, error=0.2),
        "power": bridge.power(comparison()),
        "analysis": analysis(),
        "analysis without comparisons": dataclasses.replace(analysis(), measured=()),
        "association": bridge.geometry.association(volumes, np.exp(-volumes)),
    }


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    ["fit", "forecast", "score", "scaling", "comparison", "single comparison", "power", "analysis",
     "analysis without comparisons", "association"],
)  # fmt: skip
def test_a_result_speaks(name):
    result = results()[name]
    assert 1 <= len(repr(result).splitlines()) <= 9
    assert max(map(len, repr(result).splitlines())) <= 100
    assert result.summary().splitlines()[0].startswith(repr(result).splitlines()[0])
    frame = result.to_dataframe()
    assert len(frame) >= 1
    axes = Figure().subplots()
    assert result.plot(axes) is axes
    assert axes.has_data()
    page = result._repr_html_()
    assert "<svg" in page
    assert not re.search(r"<script|<link|src=|url\(\s*['\"]?http", page)


def test_tables_hold_the_numbers():
    frame = comparison().to_dataframe()
    assert frame["name"].tolist() == ["first", "second"]
    np.testing.assert_allclose(frame["measured"], [1.0, 2.2])
    assert frame["verdict"].tolist() == list(comparison().verdict)
    fit = results()["fit"]
    assert fit.to_dataframe()["tau_h"].item() == fit.tau_h
    assert analysis().to_dataframe()["quantity"].tolist() == ["a.rate", "a.rate"]

    @dataclasses.dataclass(frozen=True, repr=False)
    class Mine(Result):
        n: np.ndarray
        values: np.ndarray
        interval: tuple[float, float]
        inner: object

    mine = Mine(np.arange(3), np.arange(6.0).reshape(3, 2), (1.0, 2.0), comparison())
    assert mine.to_dataframe().columns.tolist() == ["n", "values_0", "values_1"]
    assert mine.to_dataframe().attrs == {"interval_low": 1.0, "interval_high": 2.0}
    assert "inner: " in mine.summary()


def test_the_ledger_and_the_catalogue_say_what_they_hold():
    errata = theory.errata()
    assert isinstance(errata, Entries)
    assert isinstance(errata[:3], Entries)
    assert len(repr(errata)) < 1500
    assert repr(errata).splitlines()[0] == f"{len(errata)} entries of the ledger"
    table = errata.to_dataframe()
    assert list(table.label) == [entry.label for entry in errata]
    assert list(table.printed) == [entry.printed_latex for entry in errata]
    assert "<script" not in errata._repr_html_()
    assert len(repr(theory.catalogue())) < 1000
    assert "two_point: " in repr(theory.catalogue())
    # an entry by its label
    entry = next(entry for entry in errata if entry.key == ("zavatoneveth2023", "(7)"))
    assert theory.errata("zavatoneveth2023")["(7)"] is entry
    with pytest.raises(KeyError, match=r"no label '\(70\)'; did you mean .*\(7\)"):
        errata["(70)"]
    with pytest.raises(
        KeyError, match=r"several papers have the label '\(7\)': paccolat2021, zavatoneveth2023"
    ):
        errata["(7)"]

"""The page of all closed forms has each formula and family with its equation in print, and the search finds it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import theory
from bridge.search.find import Hit, Hits

pytest.importorskip("sphinx", reason="sphinx is not installed (extra `docs`)")
EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"
NAMES = (
    "two_point.final_distance", "collapse.linear_gain_bound", "geometry.volume_element.relu",
    "geometry.volume_element.erf",
)  # fmt: skip


@pytest.fixture
def page(monkeypatch):
    """The text of the page with a few forms and families, whose synonyms are planted."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    catalogue_page = importlib.import_module("catalogue_page")

    def planted(words):
        name = "geometry.volume_element" if words == "metric volume" else "vanrossem2024 (7)"
        kind = "family" if words == "metric volume" else "entry"
        return Hits([Hit(name=name, kind=kind, meaning="", call="")])

    monkeypatch.setattr(catalogue_page, "find", planted)
    catalogue = theory.catalogue()
    listed = {name: catalogue[name] for name in NAMES}
    families = {name: catalogue.families[name] for name in ("geometry.log_volume_element",)}
    family = catalogue.families["geometry.volume_element"]
    members = tuple(name.rpartition(".")[2] for name in NAMES if name.startswith(family.name))
    families[family.name] = type(family)(
        family.name, family.meaning, family.parameters, family.build, members
    )
    return "\n".join(catalogue_page.catalogue_page(listed, families))


def card(page: str, name: str) -> str:
    """Return the part of the page that belongs to one form or family."""
    return page.split(f'id="card-{name}"')[1].split("</div>")[0]


def test_a_form_has_its_formula_with_a_left_hand_side_and_its_equation_in_print(page):
    shown = card(page, "two_point.final_distance")
    assert ":ref:`two_point.final_distance <form-two_point.final_distance>`" in shown
    assert r"\mathrm{final\ distance} = " in shown
    assert "van Rossem and Saxe (2024), Eqs. (10), (11), (36)." in shown
    assert shown.index("<details>") < shown.index("A_{low}^{2} = ")


def test_a_family_has_its_activations_and_its_shortest_formula(page):
    shown = card(page, "geometry.volume_element")
    for label in ("relu", "erf"):
        assert f":ref:`{label} <form-geometry.volume_element.{label}>`" in shown
    assert "For relu:" in shown  # whose formula is shorter
    assert "closedform show geometry.volume_element --activation ACTIVATION" in shown
    assert "Eqs. (6), (C.13)" in shown
    assert "For erf:" in card(page, "geometry.log_volume_element")  # no member is listed


def test_the_search_knows_words_that_people_use(page):
    opened = re.search(r'id="card-geometry\.volume_element" data-words="([^"]*)"', page)
    assert opened
    assert opened[1] == "metric volume"
    assert 'id="formula-search"' in page


def test_a_formula_that_corrects_print_leads_to_the_erratum(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    corrections = importlib.import_module("formula_pages").corrections
    links = corrections(theory.catalogue()["geometry.scalar_curvature.erf"])
    assert links[0] == ":ref:`(7) <erratum-zavatoneveth2023-7>`"

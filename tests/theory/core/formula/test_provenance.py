"""Tests of sources and bibliographies."""

from __future__ import annotations

import pytest

from theory.core import Source, references

PAPERS = {
    "paccolat2021": "Compressing invariant manifolds in neural nets",
    "cheong2025": "Explaining Deep Neural Networks using Information Theory and Geometry",
    "zavatoneveth2023": "Neural networks learn to magnify areas near decision boundaries",
    "jacot2024": "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets",
    "vanrossem2024": "When Representations Align: Universality in Representation Learning Dynamics",
}


@pytest.mark.parametrize(("key", "title"), PAPERS.items())
def test_the_papers_are_in_the_bibliography(key, title):
    assert references()[key]["title"] == title
    assert {"author", "year", "kind"} <= set(references()[key])


def test_a_source_cites_its_authors():
    assert (
        str(Source("vanrossem2024", "eq. (10)", "arXiv v2"))
        == "van Rossem and Saxe (2024), eq. (10), arXiv v2"
    )
    assert Source("paccolat2021", "Section 3").citation == "Paccolat et al. (2021)"


def test_an_unknown_key_is_refused():
    with pytest.raises(ValueError, match=r"'saxe2014' is not in references\.bib"):
        Source("saxe2014", "eq. (1)")


def test_an_empty_locator_is_refused():
    with pytest.raises(ValueError, match="locator"):
        Source("vanrossem2024", "  ")

"""Tests of sources and bibliographies."""

from __future__ import annotations

import pytest

from theory.core import Source


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

"""A closed form says which misprinted equations it cites, from the ledger."""

import pytest

import theory
from theory.core.formula.provenance import Source
from theory.core.ledger import misprints
from theory.core.ledger.misprints import misprints_of
from theory.core.ledger.rulings import Ruling
from theory.ledger import LEDGERS

MISPRINTED = {
    "geometry.scalar_curvature.erf": "(7)",
    "geometry.scalar_curvature.monomial_2": "(C.23)",
    "two_point.identical_outputs_dh2": "(39)",
    "two_point.lazy_rate": "(43) w",
    "compression.equiprobable_stripe": "footnote 2",
    "compression.amplification": "(7)",
    "collapse.two_class_nc1": "Algorithm 1",
    "geometry.bayesian_volume_correction.monomial_2": "(E.15)",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MISPRINTED)
def test_a_form_says_where_it_differs_from_print(name):
    form = theory.catalogue()[name]
    paper, label, words = next(
        row for row in form.differs_from_print if row[1] == MISPRINTED[name]
    )
    assert theory.equations(paper)[label].verdict is Ruling.MISPRINT
    assert words
    shown = " ".join(str(form).split())
    assert f"differs from print: {label}" in shown
    assert f"Differs from print: {label}" in form._repr_html_()


@pytest.mark.slow
def test_every_cited_misprint_is_found():
    """A second route: entries with their computed verdicts, and the words of the sources as text."""
    wrong = [entry for entry in theory.equations() if entry.verdict is Ruling.MISPRINT]
    for name in theory.catalogue():
        form = theory.catalogue()[name]
        cited = {
            (entry.paper, entry.label)
            for entry in wrong
            for source in form.sources
            if entry.paper == source.key
            and (entry.label in source.locator or entry.closed_form == name)
        }
        assert cited <= {(paper, label) for paper, label, _ in form.differs_from_print}, name


def test_one_ledger_is_read_and_no_program(monkeypatch):
    read = []

    def recorded(package):
        read.append(package)
        return original(package)

    original = misprints.read
    misprints._misprinted.cache_clear()
    monkeypatch.setattr(misprints, "read", recorded)
    misprints_of(
        "own.form", [Source("paccolat2021", "footnote 2"), Source("paccolat2021", "Eq. (7)")]
    )
    assert read == [LEDGERS.targets["paccolat2021"]]
    misprints._misprinted.cache_clear()

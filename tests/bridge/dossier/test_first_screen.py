"""A dossier begins with its title and the table of expectations; each sentence stands in the part that has it."""

from torch import nn

from bridge.dossier.compose import _named
from bridge.dossier.expectation import Expectation, table
from bridge.report.page import Section, render
from bridge.results.analysis import Analysis


class Wrapped(nn.Module):
    """A model with the attribute by which a compiled one is known."""

    def __init__(self, own: nn.Module):
        super().__init__()
        self._orig_mod = own


class Measured:
    """A measured network, of which the name needs the model alone."""

    model = nn.Linear(3, 4)


def test_the_table_of_verdicts_comes_first_and_findings_are_in_their_parts():
    expected = Expectation("Classes lie apart", "NC1 0.2", "0.1 to 0.3", "shuffled: 9", "yes")
    first = Analysis(traces={}, pictures=(), tables=(table([expected]),), findings=("All right.",))
    second = Analysis(traces={}, pictures=(), findings=("NC1 is small.",))
    sections = [Section("network", "What?", first), Section("collapse", "How?", second)]
    html = render("Dossier of Linear, 16 parameters", "made", sections, ())
    summary, *parts = html.split("</section>")
    assert "<h1>Dossier of Linear, 16 parameters</h1>" in summary
    assert "Expectations and verdicts" in summary
    assert html.count("Expectations and verdicts") == 1
    assert "All right." not in summary
    assert "All right." in parts[0]
    assert "NC1 is small." in parts[1]
    assert html.count("NC1 is small.") == 1


def test_a_page_without_such_a_table_begins_with_the_findings():
    part = Section("study", "Why?", Analysis(traces={}, pictures=(), findings=("It holds.",)))
    summary, *rest = render("t", "made", [part], ()).split("</section>")
    assert "It holds." in summary
    assert not any("It holds." in text for text in rest)


def test_the_title_has_the_class_of_a_model_whatever_wraps_it():
    model = nn.Linear(3, 4)
    for given in (model, Wrapped(model), {0: nn.Tanh(), 100: model}):
        assert _named(given, Measured()) == "Linear, 16 parameters"

"""Tests of the HTML page of a report."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from bridge.report import formulas, page
from bridge.results import analyses
from bridge.results.analysis import Table
from closedform.measured import Measured
from theory.core.ledger.measurement import Measurement

VOID = {"meta", "wbr", "br", "hr", "img", "link", "input"}
NASTY = '<script>alert("1")</script> & <img src=http://x.invalid/y>'


class Reader(HTMLParser):
    """Collects what a browser would fetch or run, ids, links and text; insists on balanced tags."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.fetched, self.links, self.ids, self.scripts = [], [], [], [], 0
        self.text = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.scripts += tag in ("script", "iframe", "object", "embed")
        self.scripts += any(name.startswith("on") for name in attributes)
        fetching = ("src", "srcset", "data", "action", "poster")
        self.fetched += [attributes[name] for name in fetching if name in attributes]
        if (
            tag in ("link", "image", "use")
            and "href" in attributes
            and not attributes["href"].startswith("#")
        ):
            self.fetched.append(attributes["href"])
        if tag == "a":
            self.links.append(attributes["href"])
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if "style" in attributes:
            assert "url(" not in attributes["style"].replace("url(#", "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


ENTRY = ("vanrossem2024", "(10)")
NUMBER = Measured("a.distance", NASTY, 2.0, 0.1, 7, predicted=1.0, relation=">")
MEASURED = Measurement("two-point-layer", "smoke", NUMBER, f"distance {NASTY}")


@pytest.fixture(scope="module")
def sections(trace_maker):
    traces = {
        "plain": trace_maker(),
        NASTY: trace_maker(tau_h=60.0, config={"width": 9, "note": NASTY}),
    }
    analysis = analyses.analyse("two-point-architectures", traces)
    layered = analyses.analyse("two-point-layer", {"layers": trace_maker(layers=(1, 2, 3, 4))})
    return (
        page.Section(
            "two-point-architectures", f"Is it so? {NASTY}", analysis, missing=("not yet",)
        ),
        page.Section(
            "two-point-layer", "Where?", layered, entries={("vanrossem2024", "(10)"): MEASURED}
        ),
    )


@pytest.fixture(scope="module")
def theory():
    return formulas.check(["two_point.final_distance"])


@pytest.fixture(scope="module")
def html(sections, theory):
    return page.render(f"A title {NASTY}", "made now", sections, theory)


def test_nothing_is_fetched_and_nothing_runs(html):
    found = Reader(html)
    assert found.fetched == []
    assert found.scripts == 0
    css = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    assert "@import" not in css
    assert "url(" not in css
    assert "@font-face" not in css


def test_every_link_leads_somewhere_in_the_page(html):
    found = Reader(html)
    assert {
        "#summary",
        "#two-point-architectures",
        "#two-point-layer",
        "#theory",
        "#reading",
    } <= set(found.links)
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)


def test_what_users_name_is_escaped(html):
    assert "<script>alert" not in html
    assert "<img src=http" not in html
    assert NASTY in "".join(Reader(html).text)


def test_every_configuration_has_its_row_and_its_panel(html, sections):
    for section in sections:
        for each in section.analysis.results:
            assert page.number(each.fit.r_squared) in html
    text = "".join(Reader(html).text)
    assert "plain" in text
    assert "not yet" in text
    assert (
        html.count('<svg class="figure"')
        == sum(len(each.analysis.pictures) for each in sections)
        == 3
    )


def test_formulas_are_drawn_and_their_verdicts_shown(html, theory):
    assert '<svg class="formula"' in html
    assert theory[0].holds
    for claim, verdict, _ in theory[0].verdicts:
        assert verdict == "HOLDS"
        assert claim in "".join(Reader(html).text)


def test_a_failing_step_is_not_hidden(sections, theory):
    claim = theory[0].verdicts[0][0]
    broken = replace(theory[0], verdicts=((claim, "UNDECIDED", ""), *theory[0].verdicts[1:]))
    assert not broken.holds
    html = page.render("t", "m", sections[:1], (broken,))
    assert "not every step holds" in html
    assert ">every step holds<" not in html


def test_warnings_of_several_seeds_come_once(trace_maker):
    analysis = analyses.analyse("two-point", {"far": trace_maker(scale=0.7)})
    rows = analysis.doubts
    assert [row for row in rows if "as far apart" in row.text and row.seeds == "seeds 0, 1, 2"]
    assert len(rows) < sum(len(each.fit.warnings) for each in analysis.results)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (float("nan"), "–"), (3, "3"), (0.28, "0.2800"), (1234.5678, "1235"), (-2.5e-7, "−2.500×10⁻⁷"),
     (6.02e23, "6.020×10²³"), (0.0, "0.000")],
)  # fmt: skip
def test_numbers_as_a_reader_expects_them(value, shown):
    assert page.number(value) == shown


@pytest.mark.parametrize(
    ("value", "error", "shown"),
    [(1301.4, 12.3, "1301 ± 12"), (23.81, 0.456, "23.81 ± 0.46"), (1301.4, 123.0, "1300 ± 120"), (5.0, None, "5.000"),
     (None, 1.0, "–"), (-0.00084, 0.00044, "−0.00084 ± 0.00044"), (5.0, float("inf"), "5.000")],
)  # fmt: skip
def test_a_value_ends_where_its_error_ends(value, error, shown):
    assert page.with_error(value, error) == shown


def test_columns_of_words_are_set_as_text_and_long_ones_are_wrapped():
    words, long = "x" * page.LONGEST_CELL, "x" * (page.LONGEST_CELL + 1)
    table = Table("t", "", "", ("a", "b", "c"), ((1.0, words, long), (2.0, 3.0, "x")))
    assert page.column_classes(table) == ["", "text", "text wrap"]


def test_entries_of_the_ledger_are_shown_with_their_verdict(html):
    assert html.count("Entries of the ledger") == 1
    row = html[html.index("vanrossem2024 (10)") :]
    row = row[: row.index("</tr>")]
    assert "supported" in row
    assert "&gt; 1" in row
    assert "2.0" in row
    assert "<span>7</span>" in row

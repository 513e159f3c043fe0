"""Labels, names and attributes from outside, through every exit of a report: terminal, figures, page, tables."""

import json
import re

import pandas as pd
import pytest
import xarray as xr

import bridge
from bridge.plots import style
from bridge.report import write
from bridge.report.page import Section, render
from bridge.results import analyses, folder
from closedform.untrusted_files import UnreadableFileError

HOSTILE = {  # text -> how it is shown
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "a\x1b]0;title\x07b": r"a\x1b]0;title\x07b",
    r"$\frac{$": r"$\frac{$",
    "costs $5 or $6": "costs $5 or $6",
    "a\0b": r"a\x00b",
    "a\udc80b": r"a\udc80b",
    "a\u202eb": r"a\u202eb",
    "a\nb\x9b": r"a\nb\x9b",
    "<script>alert(1)</script>": "<script>alert(1)</script>",
    "=1+1": "=1+1",
}
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]")


@pytest.fixture(scope="module")
def mine(trace):
    """A trace of a user's own experiment, of which a report gives an overview."""
    return trace.isel(seed=[0]).assign_attrs(experiment="mine")


def study(directory, trace, labels):
    """Write a folder with one trace, a.nc, and a study with these labels of names of files."""
    (directory / "traces").mkdir(parents=True)
    trace.to_netcdf(directory / "traces" / "a.nc", engine="h5netcdf")
    record = {
        "study": "mine",
        "question": "Why?\x1b[2J",
        "scale": "smoke",
        "changed": {},
        "plans": {},
    }
    (directory / "study-mine.json").write_text(json.dumps(record | {"runs": labels}))


def test_every_file_of_a_report_shows_hostile_labels_in_visible_letters(tmp_path, mine):
    study(tmp_path, mine, dict.fromkeys(HOSTILE, "a.nc"))
    written = write.write(tmp_path, write.sections(tmp_path), ())
    page = written.page.read_text("utf-8")
    tables = [path.read_text("utf-8") for path in written.tables]
    assert not any(OBEYED.search(text) for text in (page, *tables))
    assert "<script" not in page
    cells = {
        row[0]
        for section in written.sections
        for table in section.analysis.tables
        for row in table.cells
    }
    assert cells == set(HOSTILE.values())


@pytest.mark.slow
def test_hostile_names_and_attributes_of_a_trace_reach_page_and_figure(tmp_path, mine):
    few = mine["w"].isel(step=slice(0, 5))
    variables = {text: few.assign_attrs(units=text, long_name=text) for text in HOSTILE}
    attributes = dict.fromkeys(("experiment", "device", "commit"), "".join(HOSTILE))
    analysis = analyses.overview({"first": xr.Dataset(variables, attrs=attributes)})
    page = render("title", "made", [Section("s", "q", analysis)], ())
    assert not OBEYED.search(page)
    assert "<script" not in page
    titles = [axes.get_title(loc="left") for axes in analysis.pictures[0].figure.axes]
    assert titles[: len(HOSTILE)] == [text.replace("$", r"\$") for text in HOSTILE.values()]
    assert not OBEYED.search(analysis.summary().replace("\n", ""))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", [*HOSTILE, "x" * 50_000, "$x$", "\\$", "$", "a $b$ and $c"])
def test_a_figure_shows_names_from_outside_letter_by_letter(text):
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot([0, 1], label=f"{text}, layer 1")
        axes[0, 0].set(title=rf"{text}: $\tau_h$", xlabel=text.split("f")[0])
        style.legend(figure)
    style.make_literal(figure, [text])
    assert style.svg(figure).count("<svg") == 1
    title = axes[0, 0].get_title()
    assert title.endswith(r": $\tau_h$") or "letters)" in title or text == "$"
    assert not OBEYED.search(title.replace("\n", ""))


def test_the_same_texts_as_seeds_of_a_table_reach_the_fit(trace):
    columns = (
        trace.isel(seed=0, layer=0, step=slice(0, None, 10))[["dh2", "dy2", "w"]]
        .to_dataframe()
        .reset_index()
    )
    names = list(HOSTILE)
    seeds = ["".join(names), names[5]]
    table = pd.concat([columns.assign(seed=seed) for seed in seeds])[
        ["step", "seed", "dh2", "dy2", "w"]
    ]
    fit = bridge.two_point.fit(table, dx2=1.0, target2=0.5)
    assert not OBEYED.search(fit.summary().replace("\n", ""))
    assert not OBEYED.search(repr(fit).replace("\n", ""))
    assert fit.plot().get_figure() is not None


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({"x" * 50_000: "a.nc"}, r"a label: got x{40}… \(50,000 letters\), needs at most 200"),
        ({" ": "a.nc"}, r"a label: got ' ', needs text"),
        ({"\x1b": "a.nc", r"\x1b": "a.nc"}, r"two labels that are shown as '\\\\x1b'"),
        ({"first": "a\0.nc"}, r"got 'a\\x00\.nc' for the label 'first', needs a file name"),
        ({"first": 300 * "a"}, r"for the label 'first', needs a file name"),
        ({"first": "../a.nc"}, r"for the label 'first', needs a file name"),
    ],
)
def test_a_label_or_name_that_cannot_be_used_is_refused_with_file_and_label(
    tmp_path, mine, runs, message
):
    study(tmp_path, mine, runs)
    with pytest.raises(UnreadableFileError, match=rf"study-mine\.json: got .*{message}"):
        folder.studies(tmp_path)

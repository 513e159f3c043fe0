"""Tests that records hold what the analysis found, that figures are judged by records alone, and that they go stale."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module

import pytest

from bridge.cli import main
from bridge.cli.figures import pictured, repetitions
from bridge.plots import style
from bridge.results import analyses, figure_table, judging, record, recording
from bridge.results.analyses import FIGURES
from bridge.results.printed_figure import PrintedFigure
from bridge.results.quantity import QUANTITIES, quantities
from closedform.measured import Measured
from closedform.verdicts import BLUNT, SMALLER
from empirics.experiments import STUDIES

STUDY = "leaky-resnet-bottleneck"
LABEL = "default"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the traces of one study, shortened."""
    out = tmp_path_factory.mktemp("runs")
    command = f"run {STUDY} --scale smoke --adam 20 --polishing 20 --out {out}"
    assert main(command.split()) == 0
    return out


@pytest.fixture(scope="module")
def own_records(runs, tmp_path_factory):
    """A folder with the records of these traces, made by the command."""
    place = tmp_path_factory.mktemp("records")
    with pytest.MonkeyPatch.context() as patch:
        for module in (record, recording):
            patch.setattr(module, "home_of", lambda study: place / "results")
        patch.setattr(recording.record_study, "__defaults__", (None, place / "docs"))
        patch.setattr(style, "RESOLUTION", 40)  # WebP takes a second at the usual one
        assert main(["record", str(runs)]) == 0
    return place


@pytest.fixture
def home(own_records, monkeypatch):
    """These records in the place of those of the package."""
    monkeypatch.setattr(record, "home_of", lambda study: own_records / "results")
    return own_records


def test_a_record_is_what_the_analysis_found(home, runs):
    from bridge.results import folder

    (listed,) = folder.studies(runs)
    traces, _ = folder.load(runs, listed)
    analysis = analyses.analyse(STUDY, traces)
    result = record.load(STUDY)["smoke"]
    assert result.is_current
    assert result.changed == {"adam": 20, "polishing": 20}
    assert result.missing == ()
    assert result.findings == analysis.findings
    assert len(result.doubts) == len(analysis.doubts)
    assert result.versions == json.loads(next(iter(traces.values())).attrs["versions"])
    assert {path.stem for path in home.glob(f"docs/{STUDY}-smoke/*.webp")} == set(result.pictures)
    assert result.measured == analysis.numbers
    assert result.measured


def test_some_of_the_seeds_of_a_record_give_it_their_pictures(
    home, runs, tmp_path, monkeypatch, capsys
):
    options = {"adam": 20, "polishing": 20, "seeds": 9}
    hashes = record.present(STUDY, "smoke", options)
    whole = replace(
        record.load(STUDY)["smoke"], changed=options, configurations=hashes, pictures={}
    )
    record.write(whole, tmp_path / "results")
    for module in (record, recording):
        monkeypatch.setattr(module, "home_of", lambda study: tmp_path / "results")
    monkeypatch.setattr(recording.record_study, "__defaults__", (None, tmp_path / "docs"))
    monkeypatch.setattr(style, "RESOLUTION", 40)
    assert main(["record", str(runs)]) == 0
    assert "findings stay, since they are of more seeds" in capsys.readouterr().out
    now = record.load(STUDY)["smoke"]
    assert now == replace(whole, pictures=now.pictures, share="2 of 9 seeds")
    drawn = {path.stem for path in tmp_path.glob(f"docs/{STUDY}-smoke/*.webp")}
    assert drawn == set(now.pictures)


def run_of(scale, first_seed=0, pictures=("figure-01b",)):
    """Return the record of a run without numbers."""
    changed = {"first_seed": first_seed} if first_seed else {}
    captions = dict.fromkeys(pictures, "A caption.")
    return record.Record(STUDY, scale, changed, {}, (), {}, "cpu", 1.0, (), (), (), captions)


@pytest.fixture
def four_runs(tmp_path, monkeypatch):
    """A folder with records of four runs of a study: two of laptop size, of which that on fresh seeds decides a row."""
    runs = [run_of("smoke"), run_of("laptop"), run_of("laptop", 1000), run_of("paper")]
    for run in runs:
        record.write(run, tmp_path / "records")
        (tmp_path / run.name).mkdir()
        (tmp_path / run.name / "figure-01b.webp").touch()
    monkeypatch.setattr(record, "home_of", lambda study: tmp_path / "records")
    rows = [
        PrintedFigure("1b", "", STUDY, "It falls.", "resnet.slope"),
        PrintedFigure("2", "", STUDY),
    ]
    decided = {"1b": runs[2], "2": runs[0]}
    monkeypatch.setattr(recording, "figures_of", lambda study: rows)
    monkeypatch.setattr(
        recording,
        "standing",
        lambda figure: figure_table.Standing(decided[figure.label], "agrees"),
    )
    return tmp_path


def test_pictures_are_kept_of_the_largest_run_and_of_those_that_decide(four_runs):
    unkept = replace(run_of("laptop"), share="2 of 3 seeds")
    record.write(unkept, four_runs / "records")
    recording.discard_pictures(STUDY, four_runs / "records", four_runs)
    assert record.load(STUDY)["laptop"] == replace(unkept, pictures={}, share="")
    kept = {run.name for run in record.every(STUDY) if run.pictures}
    assert kept == {path.parent.name for path in four_runs.glob("*/*.webp")}
    assert kept == {f"{STUDY}-laptop-fresh", f"{STUDY}-paper"}


def test_a_run_that_decides_nothing_beside_a_larger_one_is_not_drawn(four_runs, runs, monkeypatch):
    from bridge.results import folder

    monkeypatch.setattr(recording, "home_of", record.home_of)
    (listed,) = folder.studies(runs)
    kept, paths = recording.record_study(runs, listed, pictures=four_runs)
    assert not kept.pictures
    assert [path.name for path in paths] == [f"{STUDY}-smoke.json"]
    assert not list((four_runs / kept.name).iterdir())


def test_a_row_has_the_picture_of_the_run_that_decides_or_of_the_largest_with_its_name(four_runs):
    figure = PrintedFigure("1b", "", STUDY)
    assert figure_table.picture_of(figure, run_of("laptop", 1000)) == (
        f"{STUDY}-laptop-fresh/figure-01b.webp",
        "",
    )
    record.write(run_of("paper", 1000, pictures=()), four_runs / "records")
    assert figure_table.picture_of(figure, run_of("paper", 1000)) == (
        f"{STUDY}-paper/figure-01b.webp",
        "another run: paper, seeds from 0",
    )
    some = replace(run_of("laptop", 1000), share="2 of 3 seeds")
    record.write(some, four_runs / "records")
    assert figure_table.picture_of(figure, some)[1] == "2 of 3 seeds"


def test_results_on_fresh_seeds_alone_are_current_at_their_scale_and_first_where_there_are_no_others(
    monkeypatch,
):
    own, fresh = (
        record.Record(STUDY, scale, changed, {}, (), {}, "cpu", 1.0, (), (), (), {})
        for scale, changed in (("laptop", {}), ("paper", {"first_seed": 1000}))
    )
    found = {False: {"laptop": own}, True: {"paper": fresh}}
    monkeypatch.setattr(record, "load", lambda name, fresh=False: found[fresh])
    assert record.current(STUDY) == {"laptop": own, "paper": fresh}
    assert record.first(STUDY) == {"laptop": own}
    found[False] = {}
    assert record.first(STUDY) == {"paper": fresh}


def test_a_record_is_stale_when_the_study_changes(home, monkeypatch):
    result = record.load(STUDY)["smoke"]
    (digits,) = result.configurations.values()
    assert not replace(result, changed={"adam": 20, "polishing": 21}).is_current
    assert not replace(result, changed={}).is_current
    assert not replace(result, changed={"no_such_option": 1}).is_current
    assert not replace(result, configurations={"another label": digits}).is_current
    assert not replace(result, study="no-such-study").is_current
    figure = PrintedFigure("1b", "", STUDY)
    assert figure_table.row("jacot2024", figure)["scales"] == ["smoke"]
    monkeypatch.setattr(record.Record, "is_current", False)
    assert figure_table.row("jacot2024", figure)["verdict"] == figure_table.STALE


def test_traces_of_other_configurations_are_refused(runs):
    from bridge.results import folder

    (listed,) = folder.studies(runs)
    traces, _ = folder.load(runs, listed)
    analysis = analyses.analyse(STUDY, traces)
    with pytest.raises(
        ValueError, match=f"traces of {STUDY}: got {LABEL} with other configurations"
    ):
        recording.of_study(replace(listed, changed={}), traces, analysis)


AMPLIFICATION = "compression-amplification"
NUMBERS = (
    Measured("c.exponent", "stripe, d = 5", 0.49, 0.01, 40, 0.5, resolution=0.05),
    Measured("c.exponent", "stripe, d = 10", 0.60, 0.01, 40, 0.5, resolution=0.05),
    Measured("c.exponent", "cylinder", 0.50, 0.01, 40, 0.5, resolution=0.05),
    Measured("c.accuracy", "f₊ on CIFAR-10", 0.70, 0.01, 3),
    Measured("c.loss", "f₊ on CIFAR-10", 0.02),
    Measured(
        "c.length", "logistic", 3.0, 1e-7, 40, 2.0, resolution=0.05, prediction_error=0.1234574
    ),
)
ACCURACY = {"study": AMPLIFICATION, "quantity": "c.accuracy"}
EXPONENT = {"study": AMPLIFICATION, "quantity": "c.exponent"}
LOSS = {"study": AMPLIFICATION, "quantity": "c.loss"}
LENGTH = {"study": AMPLIFICATION, "quantity": "c.length"}


@pytest.fixture
def recorded(monkeypatch):
    """Return a function that puts numbers at a scale in the place of the records."""

    def put(numbers=NUMBERS, scale="laptop", **partial):
        scales = {scale: (numbers, ())} | {
            name: (few, ("cylinder",)) for name, few in partial.items()
        }
        results = {
            name: record.Record(
                AMPLIFICATION, name, {}, {}, missing, {}, "cpu", 1.0, some, (), (), {}
            )
            for name, (some, missing) in scales.items()
        }
        monkeypatch.setattr(
            record,
            "load",
            lambda name, fresh=False: results if name == AMPLIFICATION and not fresh else {},
        )

    return put


def row(**fields):
    return figure_table.row("paccolat2021", PrintedFigure("5", "", **fields))


@pytest.mark.parametrize(
    ("fields", "ours", "verdict"),
    [
        (EXPONENT | {"configurations": "cylinder"}, 0.5, "agrees"),
        (EXPONENT | {"configurations": "stripe"}, [0.49, 0.6], "disagrees"),
        (EXPONENT | {"configurations": "str"}, None, judging.DRAWN),
        (EXPONENT | {"configurations": ("cylinder", "stripe, d = 5")}, [0.49, 0.5], "agrees"),
        (EXPONENT | {"configurations": "stripe, d = 10", "relation": ">"}, 0.6, "agrees"),
        (
            EXPONENT | {"quantity": ("c.exponent", "c.length")},
            [0.49, 0.6, 0.5, 3.0],
            "disagrees",
        ),
        (ACCURACY | {"value": 0.753}, 0.7, "disagrees"),
        (ACCURACY | {"value": 0.71}, 0.7, "agrees"),
        (ACCURACY | {"value": 0.753, "reason": "less data"}, 0.7, SMALLER),
        (ACCURACY | {"value": 0.65, "relation": ">"}, 0.7, "agrees"),
        (ACCURACY | {"value": 0.69, "relation": ">"}, 0.7, "too blunt to say"),
        (ACCURACY | {"value": 0.65, "relation": "<"}, 0.7, "disagrees"),
        (ACCURACY | {"value": 0.0, "resolution": 0.1}, 0.7, "disagrees"),
        (ACCURACY | {"value": 0.72, "resolution": 0.2}, 0.7, "agrees"),
        (ACCURACY | {"value": 0.72, "resolution": 0.01}, 0.7, "too blunt to say"),
        (ACCURACY, 0.7, judging.UNKNOWN),
        (ACCURACY | {"relation": ">"}, 0.7, judging.UNKNOWN),
        (LOSS | {"value": 0.02}, 0.02, "agrees"),
        (LOSS | {"value": 0.03}, 0.02, judging.UNKNOWN),
        (LOSS | {"value": 0.01, "relation": ">"}, 0.02, judging.UNKNOWN),
        (LENGTH, 3.0, "disagrees"),
        (LENGTH | {"relation": "<"}, 3.0, judging.BEYOND),
        (LENGTH | {"quantity": "c.len"}, None, judging.DRAWN),
        (LENGTH | {"quantity": ""}, None, judging.DRAWN),
        ({"reason": "why"}, None, figure_table.NO_COMMAND),
        ({"study": "compression-time"}, None, figure_table.NOT_RUN),
    ],
)
def test_verdicts_follow_from_records(recorded, fields, ours, verdict):
    recorded()
    shown = row(**fields)
    assert shown["ours"] == ours
    assert shown["verdict"] == verdict
    assert shown["reason"] == fields.get("reason", "")


def test_an_undecided_row_says_what_would_decide_it(recorded):
    blunt = Measured("c.exponent", "one", 0.55, 0.02, 4, 0.5, resolution=0.05)
    recorded((blunt, replace(blunt, quantity="c.side", relation=">")))
    # the limits times the errors: 0.051 for five, 0.043 for six
    for quantity in ("c.exponent", "c.side"):
        (one,) = row(study=AMPLIFICATION, quantity=quantity)["measured"]
        assert one["needs"].startswith("a fresh run of 6 instead of 4")
    recorded()
    assert {one["needs"] for one in row(**EXPONENT)["measured"]} == {""}


@pytest.mark.parametrize(
    ("scale", "shown"), [("laptop", "less data; slower"), ("paper", "slower")]
)
def test_a_cause_is_shown_at_every_scale_and_a_reason_below_the_paper_s(recorded, scale, shown):
    recorded(scale=scale)
    why = ACCURACY | {"reason": "less data", "cause": "slower"}
    assert row(value=0.753, **why)["reason"] == shown
    assert row(value=0.71, **why)["reason"] == ""


def test_a_stated_number_is_not_compared_with_the_smallest_scale(recorded):
    recorded(scale="smoke")
    assert row(value=0.753, **ACCURACY)["verdict"] == judging.DRAWN
    assert row(configurations="cylinder", **EXPONENT)["verdict"] == "agrees"


@pytest.mark.parametrize(
    ("configurations", "scale"),
    [
        ("stripe, d = 5", "paper"),
        (("stripe, d = 5", "stripe, d = 10"), "paper"),
        (("stripe, d = 5", "cylinder"), "laptop"),
        ("", "laptop"),
    ],
)
def test_a_run_of_some_configurations_counts_for_figures_that_name_them(
    recorded, configurations, scale
):
    recorded(paper=NUMBERS[:2])
    assert row(configurations=configurations, **EXPONENT)["scale"] == scale


@pytest.mark.slow
def test_the_command_lists_every_figure(capsys):
    assert main(["figures", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["paper"], row["figure"]) for row in rows] == [
        (p, f.label) for p in FIGURES for f in FIGURES[p]
    ]
    assert {"paper", "figure", "command", "scales", "stated", "ours", "error", "verdict"} <= set(
        rows[0]
    )
    for row in rows:
        assert row["verdict"]
        assert (row["ours"] is None) == (row["error"] is None) == (row["measured"] == [])
        assert all((one["verdict"] == BLUNT) == bool(one["needs"]) for one in row["measured"])
    assert main(["figures", "jacot2024"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1a (limit): no verdict (the sentence does not say it)" in shown
    assert main(["figures", "jacot2024", "1c"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "it still varies much less than its components" in shown
    assert "closedform run leaky-resnet-bottleneck" in shown
    assert main(["figures", "jacot"]) == 2
    assert "did you mean jacot2024" in capsys.readouterr().err


def test_every_record_of_the_package_is_of_a_study():
    paths = [
        path for wing in analyses.ANALYSES.folders() for path in (wing / "records").glob("*.json")
    ]
    assert len(paths) > 100
    for path in paths:
        study, _, scale = path.stem.removesuffix("-fresh").rpartition("-")
        assert study in STUDIES
        assert path.parent == record.home_of(study)
        assert record.load(study, fresh=path.stem.endswith("-fresh"))[scale].study == study


# Quantities that are shown and recorded, and that no figure and no entry of the ledger names.
EXTRA = {
    "collapse": """
        NC1 LOG_NC1 LOG_NC1_EQUAL LOG_TRACE_RATIO LOG_NC1_EQUAL_RISE LOG_TRACE_RATIO_RISE BEND
        SUFFICIENCY_FIRST MINIMALITY_FIRST MINIMALITY_LAST
    """,
    "compression": """
        AMPLIFICATION RATIO EXPONENT_WITH_OFFSET OFFSET EXPONENT_END TIME_OFFSET TEST_ERROR FROZEN_ERROR
        TIME MEAN_AMPLIFICATION MEAN_LARGEST FITTED BETA_WITH_OFFSET INITIAL_DIMENSION INPUT_DIMENSION
        INFORMATION PROJECTED KERNEL_ERROR NETWORK_ERROR
    """,
    "geometry": """
        EXTRAPOLATED RATE COEFFICIENT BEFORE AFTER SLOPE SHARE_VOLUME SHARE_CURVATURE SHARE_PREDICTION
        GAIN_PREDICTION CONTRAST BULGE FINAL_BULGE FIRST_PEAK NEARNESS UNTRAINED SAME SPHERE_BEYOND FIRST_ORDER
    """,
    "leaky_resnet": """
        VARIATION SLACK GROWTH_FACTOR RESIDUAL COST_BEYOND PATH_LENGTH MOMENTUM_NORM WEIGHT_FROM_MOMENTA
        TRAIN_COST ADVANTAGE EVENNESS LONGEST
    """,
    "two_point": """
        TAU_MEAN DISTANCE_FORECAST SHAPE
    """,
}


@pytest.mark.parametrize("paper", FIGURES)
def test_what_figures_name_is_measured_and_what_is_measured_is_named(paper):
    """By identifier, in all records: a quantity renamed in one place is found here."""
    module = import_module(f"papers.{paper}.quantities")
    (subject,) = (name for name, target in QUANTITIES.targets.items() if target == module.__name__)
    known = set(quantities(subject))
    extra = {getattr(module, name) for name in EXTRA[subject].split()}
    named: set[str] = set()
    recorded: set[str] = set()
    for figure in FIGURES[paper]:
        results = record.load(figure.study) if figure.study else {}
        results = [
            *results.values(),
            *(record.load(figure.study, fresh=True).values() if figure.study else ()),
        ]
        measured = {one.quantity for result in results for one in result.measured}
        assert not results or set(figure.quantities) <= measured, f"{paper} {figure.label}"
        named, recorded = named | set(figure.quantities), recorded | measured
    assert recorded <= named | extra, "measured, and neither named by a figure nor listed as extra"
    assert not named & extra
    assert named | extra == known


@pytest.mark.parametrize(
    ("n", "shown"), [(20.0, "20"), (15.744, "20, error as of 15.7"), (200, "20, error as of 200")]
)
def test_the_repetitions_of_a_number_are_shown_beside_those_of_its_error(n, shown):
    assert repetitions({"n": n, "counted": 20}) == shown


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("", "a-study-laptop/figure.webp"),
        ("5 of 50 seeds", "a-study-laptop/figure.webp (of 5 of 50 seeds)"),
    ],
)
def test_a_picture_that_is_not_of_the_run_that_decides_says_so(what, shown):
    assert pictured({"picture": "a-study-laptop/figure.webp", "pictured": what}) == shown
    assert pictured({"picture": None, "pictured": ""}) == ""

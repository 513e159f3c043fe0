"""Tests of the command line: its commands, their output, and one line of error for bad input."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from bridge.cli import main

FINAL = "two_point.final_distance"
POINT = {
    "dh2_0": "0.3",
    "dy2_0": "0.2",
    "tau_h": "2",
    "tau_y": "3",
    "dx2": "0.7",
    "target2": "1.3",
}
VALUES = [f"{name}={value}" for name, value in POINT.items()]


def final_distance(dh2_0, dy2_0, tau_h, tau_y, dx2, target2):
    """Eq. (10) as printed."""
    high = dh2_0 - tau_y / tau_h * dx2 * dy2_0 / dh2_0
    return high / 2 + (high**2 / 4 + tau_y / tau_h * dx2 * target2) ** 0.5


def fails(capsys, *arguments):
    """The one line that a bad command leaves on stderr."""
    status = main(arguments)
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert err.startswith("closedform: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.fixture
def table(tmp_path):
    """Two points on the way from (dh2, dy2, w) = (0.04, 0.01, ...) by Euler's method with tau_h = 30, tau_y = 20."""
    a, b, rows = 0.2, 0.5, []
    for t in range(400):
        dh2, dy = a * a, a * b
        rows.append((t, dh2, dy**2, dy**2 - dy))
        for _ in range(20):
            a, b = a - 0.05 * b * (a * b - 1) / 60, b - 0.05 * a * (a * b - 1) / 40
    path = tmp_path / "mine.csv"
    np.savetxt(path, rows, delimiter=",", header="t,dh2,dy2,w", comments="")
    return path


def test_list_names_every_closed_form_and_each_family_once(capsys):
    import theory

    catalogue = theory.catalogue()
    members = {name for family in catalogue.families.values() for name in family.member_names}
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(
        {*catalogue, *catalogue.families} - members
    )
    assert "geometry.deep_volume_element --activation ACTIVATION --depth DEPTH" in lines
    assert main(["list", "final_distance", "--meanings"]) == 0
    assert theory.catalogue()[FINAL].meaning in (shown := capsys.readouterr().out)
    assert "escape_time" not in shown


@pytest.mark.parametrize(
    "words", [["--activation", "tanh", "--depth", "2"], ["--activation=tanh", "--depth=2"]]
)
def test_a_family_with_its_parameters_is_its_member(capsys, words):
    import theory
    from theory import activations

    member = theory.catalogue()["geometry.volume_element"](activation=activations.TANH, depth=2)
    assert main(["show", "geometry.volume_element", *words, "--latex"]) == 0
    assert capsys.readouterr().out.strip() == member.latex
    values = {"d": "2", "r": "1/2", "sigma": "1", "zeta": "0.1"}
    assert (
        main(["eval", "geometry.volume_element", *words, *(f"{k}={v}" for k, v in values.items())])
        == 0
    )
    assert float(capsys.readouterr().out) == pytest.approx(
        member(d=2, r=0.5, sigma=1, zeta=0.1), rel=1e-15
    )


def test_a_family_by_an_expression_and_by_the_name_of_a_member(capsys):
    assert (
        main(["show", "geometry.scalar_curvature", "--activation", "erf(z/sqrt(2))", "--latex"])
        == 0
    )
    assert main(["show", "geometry.scalar_curvature.erf", "--latex"]) == 0
    first, second = capsys.readouterr().out.split("\n", 1)
    assert first == second.strip()


def test_a_family_says_what_it_takes(capsys):
    assert main(["show", "geometry.scalar_curvature"]) == 0
    assert "activation: an activation of theory.activations" in " ".join(
        capsys.readouterr().out.split()
    )
    assert "needs activation; usage: geometry.scalar_curvature --activation" in fails(
        capsys, "eval", "geometry.scalar_curvature", "d=2"
    )
    assert "did you mean activation?" in fails(
        capsys, "show", "geometry.scalar_curvature", "--activatio", "tanh"
    )
    assert "did you mean tanh?" in fails(capsys, "show", "geometry.scalar_curvature.tan")
    assert "got --depth, needs none" in fails(capsys, "show", FINAL, "--depth", "3")
    assert "needs a value" in fails(capsys, "show", "geometry.scalar_curvature", "--activation")
    assert "no option '--ltx'; did you mean --latex" in fails(capsys, "show", FINAL, "--ltx")
    negative = ["eval", "geometry.scalar_curvature", "--activation", "gelu", "--depth=-3", "d=2"]
    assert "depth: got -3, needs an integer from 1 to 100000" in fails(capsys, *negative)
    assert "--depth: got two values" in fails(
        capsys, "show", "geometry.scalar_curvature", "--depth=1", "--depth=2"
    )


def test_ratios_and_expressions_are_values(capsys):
    point = ["dh2_0=0.02", "dy2_0=1e-3", "tau_h=440", "tau_y=66", "dx2=sqrt(1)"]
    assert main(["eval", FINAL, *point, "target2=1/2"]) == 0
    assert main(["eval", FINAL, *point, "target2=0.5"]) == 0
    first, second = capsys.readouterr().out.split()
    assert first == second


def test_show_adds_the_derivation(capsys, monkeypatch):
    import theory

    steps = theory.catalogue()[FINAL].steps
    monkeypatch.setenv("COLUMNS", "72")
    assert main(["show", FINAL, "--steps"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 72
    in_one_line = " ".join(shown.split())
    assert all(f" {n}. {step.claim} " in in_one_line for n, step in enumerate(steps, 1))
    assert "\n      uses closed form: two_point.w_rate" in shown
    assert "\n           closed form: two_point.conserved_quantity" in shown
    assert "  because: w = 0 stops the representations" in shown
    assert main(["show", FINAL, "--steps", "--latex"]) == 0
    assert capsys.readouterr().out.count("\n% ") == len(steps) - 1
    # a family has no steps of its own
    assert main(["show", "geometry.volume_element", "--steps"]) == 2


def test_show_draws_the_way_from_the_premises(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["show", FINAL, "--tree"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[0].startswith(FINAL)
    assert any("closed form: two_point.conserved_quantity" in line for line in shown)
    assert any("assumption: dh does not rotate (Eq. 19)" in line for line in shown)
    assert any("definition: gradient flow, Eq. (6)" in line for line in shown)


def test_eval_in_float64(capsys):
    assert main(["eval", FINAL, *VALUES]) == 0
    expected = final_distance(**{name: float(value) for name, value in POINT.items()})
    assert float(capsys.readouterr().out) == pytest.approx(expected, rel=1e-14)


def test_eval_to_forty_digits_takes_values_as_exact_decimals(capsys):
    import mpmath

    assert main(["eval", FINAL, *VALUES, "--digits", "40"]) == 0
    printed = capsys.readouterr().out.strip()
    with mpmath.workdps(60):
        expected = final_distance(**{name: mpmath.mpf(value) for name, value in POINT.items()})
        assert abs(mpmath.mpf(printed) - expected) < mpmath.mpf(10) ** -39 * expected
        # a float would be another number
        assert abs(mpmath.mpf(0.3) - mpmath.mpf("0.3")) > mpmath.mpf(10) ** -18


@pytest.mark.parametrize(
    "names", [["two_point.w_rate"], ["two_point.w_rate", "two_point.dh2_rate"]]
)
def test_check_says_every_verdict(capsys, names):
    assert main(["check", *names]) == 0
    out = capsys.readouterr().out
    for name in names:
        assert name in out
    assert "HOLDS" in out
    assert f"in {len(names)} closed form{'s' if len(names) > 1 else ''} (" in out


def test_check_fails_when_a_step_does_not_hold(capsys, monkeypatch):
    from theory.core import Step
    from theory.core.proof.verdict import Decision, Verdict

    monkeypatch.setattr(Step, "decide", lambda step: Decision(Verdict.UNDECIDED, "no luck"))
    monkeypatch.setenv("CLOSEDFORM_CACHE", "off")
    assert main(["check", FINAL]) == 1
    out = capsys.readouterr().out
    assert "UNDECIDED" in out
    assert f"not all of {FINAL}" in out


def test_experiments_and_their_options(capsys):
    from empirics.experiments import STUDIES

    assert main(["experiments"]) == 0
    out = capsys.readouterr().out
    for name, study in STUDIES.items():
        assert name in out
        assert study.question in " ".join(out.split())
    assert main(["run", "two-point", "--options"]) == 0
    out = capsys.readouterr().out
    assert "--learning-rate" in out
    assert "leaky_relu" in out


@pytest.mark.slow
def test_run_then_report(capsys, tmp_path, monkeypatch):
    from bridge.report import write
    from empirics.experiments.two_point import Config
    from papers.vanrossem2024.studies.fitted import RESULTS

    monkeypatch.setattr(write, "theory_of", lambda made: RESULTS)  # the others take seconds

    out = str(tmp_path / "runs")
    command = "run two-point --width 16 --depth=4 --epochs 500 --seeds 2 --learning-rate 0.03"
    command = f"{command} --out {out}".split()
    assert main(command) == 0
    printed, progress = capsys.readouterr()
    (path,) = (tmp_path / "runs" / "traces").glob("*.nc")
    assert str(path) in printed
    assert f"closedform report {out}" in printed
    assert "4×16" in progress
    written = path.stat().st_mtime_ns
    assert main(command) == 0
    assert "exists already" in capsys.readouterr().err
    assert path.stat().st_mtime_ns == written
    assert main([*command, "--fresh"]) == 0
    assert path.stat().st_mtime_ns > written

    assert main(["report", out]) == 0
    assert str(tmp_path / "runs" / "report.html") in capsys.readouterr().out
    html = (tmp_path / "runs" / "report.html").read_text(encoding="utf-8")
    assert path.stem in html
    rows = (tmp_path / "runs" / "fits.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2
    assert rows[0].startswith(r"study,configuration,layer,seeds,$\tau_h$,$\tau_h$ error")
    assert list((tmp_path / "runs" / "figures").glob("*.png"))

    import xarray as xr

    with xr.open_dataset(path) as trace:
        config = Config.from_json(trace.attrs["config"])
    assert (config.width, config.depth, config.epochs, config.seeds) == (16, 4, 500, 2)


def test_run_a_study_and_resume_what_was_cut_off(capsys, tmp_path):
    command = f"run two-point-adam --scale smoke --epochs 60 --out {tmp_path}".split()
    assert main(command) == 0
    record = json.loads((tmp_path / "study-two-point-adam.json").read_text(encoding="utf-8"))
    files = sorted(tmp_path.glob("traces/*.nc"))
    assert sorted(record["runs"].values()) == [each.name for each in files]
    times = {each: each.stat().st_mtime_ns for each in files[1:]}
    files[0].unlink()
    capsys.readouterr()
    assert main(command) == 0
    assert sorted(tmp_path.glob("traces/*.nc")) == files
    assert {each: each.stat().st_mtime_ns for each in files[1:]} == times


def test_only_some_runs_of_a_study(monkeypatch, tmp_path):
    """The list of the study is whole, so that a report names what is missing."""
    from bridge.cli import runs, training
    from empirics.experiments import STUDIES

    trained = []
    monkeypatch.setattr(
        training, "train", lambda directory, configs, **how: trained.extend(configs) or []
    )
    monkeypatch.setattr(runs, "_finish", lambda *_: None)
    labels = list(STUDIES["collapse-controls"].configs("smoke"))
    command = f"run collapse-controls --scale smoke --out {tmp_path}".split()
    assert len(labels) > 1
    assert main([*command, "--only", labels[-1]]) == 0
    assert trained == labels[-1:]
    record = json.loads((tmp_path / "study-collapse-controls.json").read_text(encoding="utf-8"))
    assert list(record["runs"]) == labels


def test_fit_a_table(capsys, table, tmp_path):
    picture = tmp_path / "fit.png"
    command = f"fit two-point {table} --dx2 1 --target2 1 --plot {picture}"
    assert main(command.split()) == 0
    out = capsys.readouterr().out
    from bridge import two_point

    fit = two_point.fit(str(table), dx2=1.0, target2=1.0)
    # Euler's error with 20 steps an epoch is far below
    assert fit.tau_h == pytest.approx(30, rel=0.01)
    assert fit.tau_y == pytest.approx(20, rel=0.01)
    assert "tau_h" in out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_help_and_version(capsys):
    assert main([]) == 0
    assert main(["--help"]) == 0
    assert main(["eval", "--help"]) == 0
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    assert "demo" in out
    assert "key=value" in out


BAD = {
    "no such command": (["lisst"], "did you mean list"),
    "command unlike any": (["xyzzy"], "list, show"),
    "flag before command": (["--digits", "3"], "No such option"),
    "unknown flag": (["list", "--long"], "--long"),
    "abbreviated flag": (["list", "--mean"], "--mean"),
    "too many": (["show", FINAL, "more"], "more"),
    "too few": (["show"], "NAME"),
    "no such form": (["show", "two_point.final_distanse"], f"did you mean {FINAL}"),
    "eval no such form": (["eval", "nothing_like_it"], "no closed form"),
    "eval nothing": (["eval", FINAL], "needs dh2_0=..."),
    "eval one missing": (["eval", FINAL, *VALUES[1:]], "needs dh2_0=..."),
    "eval unknown argument": (["eval", FINAL, *VALUES, "tau_z=1"], "did you mean tau_[hy]"),
    "eval twice": (["eval", FINAL, *VALUES, "tau_h=1"], "tau_h: got two values"),
    "eval no equals": (["eval", FINAL, "0.3"], "needs key=value"),
    "eval no number": (["eval", FINAL, "dh2_0=abc", *VALUES[1:]], "dh2_0: got 'abc'"),
    "eval nan": (["eval", FINAL, "dh2_0=nan", *VALUES[1:]], "finite"),
    "eval infinite": (["eval", FINAL, "dh2_0=inf", *VALUES[1:]], "finite"),
    "eval negative": (["eval", FINAL, "dh2_0=-1", *VALUES[1:]], "dh2_0"),
    "eval negative digits": (["eval", FINAL, *VALUES, "--digits", "-3"], "--digits"),
    "eval no digits": (["eval", FINAL, *VALUES, "--digits", "0"], "at least 1"),
    "eval half digits": (["eval", FINAL, *VALUES, "--digits", "2.5"], "an integer"),
    "check unknown": (["check", "two_pint"], "did you mean two_point"),
    "errata unknown": (["errata", "vanrossem2042"], "did you mean vanrossem2024"),
    "run nothing": (["run"], "EXPERIMENT"),
    "run unknown": (["run", "two-points"], "did you mean two-point"),
    "run unknown scale": (["run", "two-point-adam", "--scale", "huge"], "smoke"),
    "run only an unknown run": (["run", "two-point-adam", "--only", "zzz"], "--only"),
    "run only of a single run": (["run", "two-point", "--only", "a"], "--only"),
    "run scale of a single run": (["run", "two-point", "--scale", "smoke"], "--scale"),
    "run unknown option": (["run", "two-point", "--widht", "3"], "did you mean --width"),
    "run option without value": (["run", "two-point", "--width"], "--width: got nothing"),
    "run value twice": (
        ["run", "two-point", "--width", "3", "--width", "3"],
        "needs different values",
    ),
    "run sweep of a study": (
        ["run", "two-point-adam", "--width", "3", "--width", "4"],
        "needs one, since it is a study",
    ),
    "run width of words": (["run", "two-point", "--width", "wide"], "--width.*an integer"),
    "run no width": (["run", "two-point", "--width", "0"], "width"),
    "run negative rate": (["run", "two-point", "--learning-rate", "-1"], "learning_rate"),
    "run rate nan": (["run", "two-point", "--learning-rate", "nan"], "learning_rate"),
    "run unknown activation": (["run", "two-point", "--activation", "rellu"], "did you mean relu"),
    "run too many seeds": (
        ["run", "two-point", "--seeds", "9" * 11],
        "seeds: got .*from 1 to 1000000$",
    ),
    "run too many epochs": (
        ["run", "two-point", "--epochs", "1" + 30 * "0"],
        "epochs: got .*to 1000000000$",
    ),
    "run too late a seed": (
        ["run", "two-point", "--first-seed", "1" + 30 * "0"],
        "first_seed: got .*from 0 to",
    ),
    "run too high a rate": (
        ["run", "two-point", "--learning-rate", "1e300"],
        r"learning_rate: got .*1e\+200\]",
    ),
    "run what ends the process": (
        ["run", "two-point", "--activation", "sys:exit"],
        "activation.*SystemExit",
    ),
    "run no such module": (
        ["run", "two-point-adam", "--architecture", "nowhere:A"],
        "architecture.*ModuleNotFound",
    ),
    "run unknown device": (["run", "two-point", "--device", "toaster"], "device"),
    "run layers of words": (["run", "two-point", "--layers", "a,b"], "--layers"),
    "run layer too deep": (["run", "two-point", "--depth", "3", "--layers", "4"], "layers"),
    "fit unknown subject": (["fit", "twopoint", "x.csv"], "did you mean two-point"),
    "fit no such file": (
        ["fit", "two-point", "nowhere.csv", "--dx2", "1", "--target2", "1"],
        "nowhere.csv",
    ),
    "fit dx2 of words": (["fit", "two-point", "x.csv", "--dx2", "one"], "--dx2"),
    "report nowhere": (["report", "nowhere"], "got 'nowhere', needs a folder"),
    "dossier": (["dossier", "model.pt"], "Python script"),
    "demo scale": (["demo", "--scale", "big"], "smoke"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_line(capsys, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    arguments, expected = BAD[case]
    line = fails(capsys, *arguments)
    assert re.search(expected, line)
    # a refused command leaves nothing behind
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_an_interruption_is_said_in_words(capsys, monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bridge.cli.formulas.run_list.callback", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err == "closedform: interrupted; give the same command again\n"


def test_memory_that_runs_out_is_one_line(monkeypatch, capsys):
    def exhausted(**_):
        raise RuntimeError(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"
        )

    monkeypatch.setattr("bridge.cli.formulas.run_list.callback", exhausted)
    assert main(["list"]) == 2
    said = "closedform: memory ran out; choose smaller sizes or fewer seeds\n"
    assert capsys.readouterr().err == said


def test_bad_tables_are_one_clear_line(capsys, table, tmp_path):
    assert "dx2" in fails(capsys, "fit", "two-point", str(table))
    assert "dx2" in fails(capsys, "fit", "two-point", str(table), "--dx2=-1", "--target2", "1")
    text = table.read_text(encoding="utf-8")
    bad = tmp_path / "bad.csv"
    for change, expected in (
        (lambda: text.replace("dy2", "dyy"), "dy2"),
        (lambda: text.replace("\n", "\nnan,", 1), "bad.csv|t|column"),
        (lambda: "", "bad.csv"),
        (lambda: "\n".join(text.splitlines()[:4]), "8|few|points"),
    ):
        bad.write_text(change())
        assert re.search(
            expected, fails(capsys, "fit", "two-point", str(bad), "--dx2", "1", "--target2", "1")
        )


def test_a_dossier_needs_a_script(capsys, tmp_path):
    for name, expected in (
        ("net.txt", "needs a Python script"),
        ("net.py", "without inputs, needs"),
    ):
        (tmp_path / name).write_text("model = None\n", encoding="utf-8")
        assert expected in fails(capsys, "dossier", str(tmp_path / name))


def test_a_defect_of_ours_keeps_its_traceback(monkeypatch):
    for container, error in (([], IndexError), ({}, KeyError)):
        monkeypatch.setattr(
            "bridge.cli.formulas.find", lambda *_, container=container, **__: container[1]
        )
        with pytest.raises(error):
            main(["eval", FINAL])

    def defective(**_):
        raise RuntimeError("a defect")

    monkeypatch.setattr("bridge.cli.formulas.run_list.callback", defective)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["list"])


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (["list"], ["numpy", "sympy", "torch", "xarray", "matplotlib", "jinja2"]),
        (["errata"], ["sympy", "torch", "xarray", "matplotlib"]),
    ],
)
def test_commands_that_start_fast_import_nothing_heavy(words, heavy):
    """Half a second is the promise; here the imports are counted instead of a clock that others share."""
    code = (
        f"import sys; from bridge.cli import main; main({words}); "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_output_into_a_closed_pipe_is_quiet():
    code = "import sys; from bridge.cli import main; sys.exit(main(['list']))"
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{code}" | true; echo "${{PIPESTATUS[0]}}"'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.split()[-1] == "0"

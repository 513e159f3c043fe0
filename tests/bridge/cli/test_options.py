"""Tests of the options of the command line for dataclasses and functions."""

from dataclasses import dataclass, field
from typing import Literal

import pytest

from bridge.cli import main, options
from empirics.experiments import STUDIES


@dataclass(frozen=True)
class Config:
    name: str = "a"
    count: int = 3
    rate: float = 0.5
    kind: Literal["one", "two"] = "one"
    layers: tuple[int, ...] | None = None
    scales: tuple[float, ...] = field(default_factory=lambda: (1.0, 2.0))
    flag: bool = False
    learning_rate: float = 0.1


def test_values_take_the_kind_of_their_field():
    given = [
        "--name",
        "x",
        "--count=7",
        "--rate",
        "1e-3",
        "--kind",
        "two",
        "--layers",
        "1,2,3",
        "--flag",
        "yes",
    ]
    assert options.parse(Config, given) == {
        "name": "x", "count": 7, "rate": 1e-3, "kind": "two", "layers": (1, 2, 3), "flag": True,
    }  # fmt: skip
    assert options.parse(Config, ["--layers", "none", "--learning-rate", "2"]) == {
        "layers": None,
        "learning_rate": 2.0,
    }
    assert options.parse(Config, ["--scales", "0.5"]) == {"scales": (0.5,)}
    assert options.parse(Config, ["--rate", "-1"]) == {"rate": -1.0}
    assert options.parse(Config, []) == {}


def curve(file: str, *, rate: float | None = None, layer: int = 1) -> None:
    """A function whose keyword-only arguments are options."""


def test_a_function_has_options_and_arguments_without_a_name():
    assert options.parse(curve, ["a.csv", "--rate", "2"]) == {"file": "a.csv", "rate": 2.0}
    assert options.parse(curve, ["--layer=3", "a.csv"]) == {"file": "a.csv", "layer": 3}
    assert [option for option, _, _ in options.listed(curve)] == ["--rate", "--layer"]
    for given, message in (([], "FILE: got nothing"), (["a.csv", "b.csv"], "no option 'b.csv'")):
        with pytest.raises(ValueError, match=message):
            options.parse(curve, given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--cuont", "3"], "did you mean --count"),
        (["--count"], "needs a value"),
        (["--count", "3.5"], "an integer"),
        (["--rate", "fast"], "a number"),
        (["--kind", "tow"], "did you mean two"),
        (["--layers", "1,x"], "an integer"),
        (["--flag", "perhaps"], "true or false"),
        (["--count", "1", "--count", "2"], "got two values"),
        (["count", "1"], "no option 'count'"),
    ],
)
def test_what_does_not_fit_is_named(given, message):
    with pytest.raises(ValueError, match=message):
        options.parse(Config, given)


def test_every_option_is_listed_with_its_kind_and_default():
    rows = {option: (kind, default) for option, kind, default in options.listed(Config)}
    assert rows["--kind"] == ("one | two", "one")
    assert rows["--scales"] == ("a number, several with commas", "1.0,2.0")
    assert rows["--layers"] == ("an integer, several with commas or none", "None")
    assert rows["--learning-rate"] == ("a number", "0.1")


@dataclass(frozen=True)
class Documented(Config):
    """A class whose docstring says what its fields mean.

    Attributes:
        count: number of :class:`package.Thing`, which is said in
            two lines.
        rate: the ``rate``.

    Other: words.
    """

    target: float = 1.0


@dataclass(frozen=True)
class Heir(Documented):
    """Its own field only.

    Attributes:
        target: what is aimed at.
        rate: another rate.
    """


class Unusual:
    """A class of a user, whose docstring is not quite in Google style.

    Attributes:
            deep: an entry with twice the indentation.
        first, second: two at once, which is said in
            two lines.
        third: one.
        fourth, fifth: two at once, whose second line is
            not that of the third.
    """


def test_entries_that_are_not_read_change_no_other():
    assert options.meanings(Unusual) == {"third": "one."}


def test_the_options_are_shown_with_their_meaning_at_the_width_of_the_terminal(
    monkeypatch, capsys
):
    assert options.meanings(Heir) == {
        "count": "number of package.Thing, which is said in two lines.",
        "rate": "another rate.",
        "target": "what is aimed at.",
    }
    assert options.meanings(Documented)["rate"] == "the rate."
    monkeypatch.setenv("COLUMNS", "60")
    options.show(Heir)
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 60
    at = shown.index("  --count             an integer (default: 3)")
    assert shown[at + 1] == f"{'':22}number of package.Thing, which is said"
    assert "  --kind              one | two (default: one)" in shown


def test_a_study_shows_the_values_of_its_configurations(capsys):
    options.show(Config, [Config(count=count, rate=2.0) for count in (8, 9, 8)])
    shown = capsys.readouterr().out.splitlines()
    assert "  --count             an integer (default: 8 or 9)" in shown
    assert "  --rate              a number (default: 2)" in shown
    options.show(Config, [Config(count=count) for count in range(9)])
    assert "(default: 0 or 1 or 2 or 3 or ...)" in capsys.readouterr().out


def test_an_option_that_makes_configurations_of_a_study_equal_is_refused(tmp_path, capsys):
    command = "run leaky-resnet-adaptive --scale smoke --seeds 1 --mesh irregular"
    assert main(f"{command} --out {tmp_path}".split()) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "closedform: mesh: makes configurations of leaky-resnet-adaptive equal ("
    )
    assert "(equidistant = irregular = adaptive)" in said
    assert not list(tmp_path.iterdir())
    for study in STUDIES.values():
        configs = study.configs("smoke")
        # theory and samples, not networks
        if not all(hasattr(config, "first_seed") for config in configs.values()):
            continue
        assert list(study.configs("smoke", {"first_seed": 3})) == list(configs)


def test_the_report_names_the_network_that_ran_and_the_options_that_were_given(
    tmp_path, monkeypatch
):
    # its derivations have tests of their own
    monkeypatch.setattr("bridge.report.write.theory_of", lambda made: ())
    monkeypatch.setattr(
        "bridge.plots.style._save", lambda figure, **options: b'<svg viewBox="0 0 1 1"></svg>'
    )
    sizes = "--widths 5,10,20 --epochs 2 --grid 4 --seeds 1 --points 8"
    command = f"run geometry-sinusoid --scale smoke {sizes} --out {tmp_path}"
    assert main(command.split()) == 0
    assert main(["report", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 → 5 → 10 → 20 → 2" in page
    assert "2 → 20 → 2" not in page
    assert "Scale: smoke, with --widths 5,10,20 --epochs 2" in page


def test_options_that_are_given_several_times_are_combined():
    found = options.parse_each(
        Config, ["--flag", "yes", "--count=3", "--count", "4", "--rate=5", "--rate=6"]
    )
    assert [(each["count"], each["rate"]) for each in found] == [(3, 5), (3, 6), (4, 5), (4, 6)]
    assert all(each["flag"] for each in found)
    assert options.parse_each(Config, []) == [{}]
    with pytest.raises(ValueError, match="needs different values of an option"):
        options.parse_each(Config, ["--count", "3", "--count=3"])

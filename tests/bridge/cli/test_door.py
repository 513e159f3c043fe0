"""One door: the verbs of ``import closedform`` find what people ask for, and are those of the command line."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import closedform as cf
from bridge.cli import main
from bridge.cli.command import loaded
from bridge.search import things
from theory.core.proof import store

# what is typed -> a name that has to be among the first six
WORDS = {
    "ricci": "geometry.scalar_curvature",
    "curvature": "geometry.scalar_curvature",
    "fixed point": "theory.two_point.fixed_points",
    "fixed": "theory.two_point.fixed_points",
    "attractor": "theory.compression.attractors",
    "beta": "compression.learning_curve_exponent",
    "exponent": "compression.learning_curve_exponent",
    "learning rate": "two_point.dh2_rate",
    "time constant": "two_point.constant_encoder_rate",
    "geodesic": "theory.leaky_resnet.linear_geodesic",
    "bottleneck": "theory.leaky_resnet.rank_bounds",
    "neural collapse": "empirics.measure.neural_collapse",
    "NC1": "collapse.simplex_nc1",
    "relu": "compression.tangent_kernel",
    "bound": "theory.leaky_resnet.rank_bounds",
    "hamiltonian": "leaky_resnet.mode_hamiltonian",
    "metric volume": "theory.geometry.volume_element",
    "tangent kernel": "compression.tangent_kernel",
    "amplification": "compression.amplification",
    "escape time": "two_point.escape_time",
    "2301.11375": "empirics.measure.scalar_curvature",
    "Eq. (10)": "two_point.final_distance",
}
SAME = ("find", "show", "errata", "check", "fit")  # as a verb and as a command
OF_THE_SHELL = {"in_json", "as_bibtex", "steps", "tree", "latex", "code", "ledger", "fresh", "no_cache", "processes",
                "record", "text", "plot", "lists_options"}  # fmt: skip
OTHER_NAMES = {"column": "column", "time_column": "time"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", WORDS)
def test_a_natural_word_finds_what_is_meant(words):
    assert WORDS[words] in [hit["name"] for hit in cf.find(words)[:6]]


def test_what_takes_long_once_is_said(monkeypatch, capsys):
    monkeypatch.setattr(
        things, "_read", lambda with_claims: iter([things.Thing("a.b", "form", "", "")])
    )
    with store.using(read=False, write=False):
        assert [hit["name"] for hit in cf.find("b")] == ["a.b"]
    assert "reading the names" in capsys.readouterr().err


def test_what_nothing_fits_is_refused_and_a_hit_says_how_it_is_called():
    with pytest.raises(ValueError, match="no thing that fits 'xyzzy'"):
        cf.find("xyzzy")
    (hit, *_) = cf.find("two_point.final_distance")
    assert set(hit) == {"name", "kind", "meaning", "call"}
    assert eval(hit["call"], {"theory": __import__("theory")}) is not None


def test_show_gives_the_form_of_a_name_or_what_fits():
    assert cf.show("two_point.final_distance").name == "two_point.final_distance"
    assert cf.show("geometry.scalar_curvature", activation="erf").name.endswith("erf")
    assert "geometry.scalar_curvature" in repr(cf.show("ricci"))


@pytest.mark.parametrize("paper", ["zavatoneveth2023", "2301.11375", "arXiv:2301.11375v4"])
@pytest.mark.parametrize("label", ["(7)", "7", "Eq. (7)", "eq 7"])
def test_an_erratum_is_named_as_people_name_it(paper, label):
    (entry,) = cf.errata(paper, label)
    assert (entry.paper, entry.label) == ("zavatoneveth2023", "(7)")
    for part in ("printed", "corrected", "witness"):
        assert part in repr(cf.errata(paper, label))


def test_an_unknown_label_suggests_others():
    with pytest.raises(ValueError, match=r"no label '\(77\)'.*did you mean"):
        cf.errata("zavatoneveth2023", "(77)")


@pytest.mark.parametrize(
    "words", [["list", "beta"], ["show", "ricci"], ["find", "escape", "time"]]
)
def test_commands_fall_back_to_what_fits(words, capsys):
    assert main(words) == 0
    assert "(form)" in capsys.readouterr().out


def test_words_that_fit_one_form_show_it(capsys):
    words = ["isotropic", "equal"]
    assert cf.show(" ".join(words)).name == "collapse.simplex_nc1"
    assert main(["show", *words]) == 0
    assert capsys.readouterr().out.startswith("collapse.simplex_nc1\n")
    assert main(["show", "collapse.simplex_nc1", "equal"]) == 2
    assert "unknown argument 'equal'" in capsys.readouterr().err


def test_a_misspelled_name_is_corrected_and_not_searched(capsys):
    assert main(["show", "two_point.fina_distance"]) == 2
    assert "did you mean two_point.final_distance" in capsys.readouterr().err


@pytest.mark.parametrize("name", SAME)
def test_a_verb_has_the_arguments_of_its_command(name):
    command = loaded(name)
    options = {parameter.name for parameter in command.params} - OF_THE_SHELL
    options = {OTHER_NAMES.get(option, option) for option in options}
    parameters = inspect.signature(getattr(cf, name)).parameters.values()
    named = {p.name for p in parameters if p.kind is not p.VAR_KEYWORD} - {
        "file"
    }  # a further word
    assert options == named


def test_type_checkers_and_completion_see_every_verb():
    stub = Path(cf.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    declared = dict(re.findall(r"from ([\w.]+) import (?:\w+) as (\w+)", stub))
    assert set(declared.values()) | {"check", "errata", "fit", "show"} == set(cf.VERBS)
    for verb, target in cf.VERBS.items():
        module, _, attribute = target.partition(":")
        home = module if attribute else module.rpartition(".")[0]
        assert f"from {home} import {verb} as {verb}" in stub
        assert verb in dir(cf)


def test_importing_the_door_imports_nothing():
    code = "import closedform as cf, sys; print({'theory', 'bridge', 'torch', 'sympy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_fit_takes_rows_and_names_of_columns():
    from theory.two_point import trajectory

    times = range(0, 120, 5)
    curves = trajectory(list(times), 0.1, 0.01, -0.05, 20.0, 10.0, 1.0, 0.5)
    rows = [
        {"_step": t, "probe/a": a, "dy2": b, "w": c}
        for t, a, b, c in zip(times, *curves, strict=True)
    ]
    fit = cf.fit("two-point", rows, column={"dh2": "probe/a"}, dx2=1, target2=0.5)
    assert fit.tau_h == pytest.approx(20, rel=1e-4)
    with pytest.raises(ValueError, match="no fit 'two_pint'"):
        cf.fit("two_pint", rows)

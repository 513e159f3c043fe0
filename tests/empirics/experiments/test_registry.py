"""Tests that subjects are discovered, in the package and in plugins, and that studies keep their configurations."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys

import pytest

from closedform.guests import GuestError
from closedform.subjects import subjects
from empirics import experiments
from empirics.experiments.registry import FLOOR
from empirics.runs.config import content_hash
from empirics.runs.study import SCALES, Study

# First eight digits of the hash of the labelled hashes of all configurations of a study at a scale. A change here
# orphans every trace that was stored before.
HASHES = {
    "collapse-layers": "5f0dbc21 d1b9f884 20e047fb",
    "collapse-layers-released": "5dc4749f 279755ba 35fbaa54",
    "collapse-channels": "5f0dbc21 50e686f0 c11958b0",
    "collapse-channels-released": "89f7c906 6803dcec acdfc1f8",
    "collapse-random-labels": "6e7b978f ad387e2d ed48610a",
    "collapse-controls": "79c9ac6e 61740eef 6d697ed8",
    "collapse-information": "d4cf3927 9bebb0f4 7da47d73",
    "collapse-information-released": "df67f9db 09e5723d 1607dd59",
    "compression-amplification": "91423b75 4798d280 8e9325dd",
    "compression-time": "bcd7d186 ed43fed9 93a8b80c",
    "compression-crossover": "a9948d4b d8f40b9c 93a8b80c",
    "compression-neurons": "72adf217 372b5bcc 7dcd3e34",
    "compression-learning-curves": "1c94a0b9 f58e3944 dad48e16",
    "compression-learning-curves-flow": "8697b1d3 db04fc0c d168ca5e",
    "compression-kernel-components": "262a397d 44041b3c 827297c7",
    "compression-initial-kernels-released": "76f3908a 66d5084a e777575d",
    "compression-kernel-learning": "78200e7d 76f861ec c290486b",
    "finite-width-fluctuations": "31c1996d a01376c8 945a6522",
    "finite-width-two-inputs": "4f2b4cb5 203f5714 36be9603",
    "geometry-random-networks": "af1147d1 bd2c54dd 176343a1",
    "geometry-monomials": "730c4dd2 b45afcd6 5f7b81f3",
    "geometry-symmetric-units": "e6f21c7b e6f21c7b e6f21c7b",
    "geometry-bayesian": "240a09ad 7340186a 2850b14c",
    "geometry-xor": "923eb197 8fa4e340 067abe1e",
    "geometry-sinusoid": "abef90d1 ab5f9b3d 114515aa",
    "geometry-xor-released": "801b1b27 4364dbb2 0d45659c",
    "geometry-sinusoid-released": "638d2584 005bac86 2761804f",
    "geometry-mnist": "2ee817e4 c7efc1a5 77b24b9d",
    "geometry-mnist-released": "36382ff6 dd20fa7b db566bed",
    "geometry-mnist-no-decay-released": "06d88db2 3c47f994 0bf39d84",
    "geometry-resnet": "8fab7d60 fcc028e8 bfa73e1c",
    "geometry-resnet-released": "c81229ff 8c6304c5 90e6ca67",
    "geometry-self-supervised": "d40933b0 76ddc364 ec31cb42",
    "leaky-resnet-bottleneck": "47a99e7f d99282bc 55a8778d",
    "leaky-resnet-codes": "fe508ffd 8af0f1f6 418cb228",
    "leaky-resnet-ranks": "ec151153 cf731eb9 3302e7df",
    "leaky-resnet-depths": "64145228 5e1eba3c 11a7140f",
    "leaky-resnet-continuation": "2841763c 58de304b d8ea3002",
    "leaky-resnet-meshes": "6050b314 dbaefdd5 967beacd",
    "leaky-resnet-adaptive": "af53dd34 d40eaf75 922f5608",
    "leaky-resnet-geodesics": "c94d1c2a 244ba9b7 a6dc00c0",
    "two-point-architectures": "f82f2d71 8044e0ec 5a99a9a9",
    "two-point-initial-weights": "703d38d0 b153bd74 9f4404b4",
    "two-point-layer": "bf6d3931 048cb952 09a3f801",
    "two-point-alternatives": "bf6d3931 048cb952 09a3f801",
    "two-point-adam": "6e66cd1b cac89b8b 6ef489cd",
    "two-point-final-distances-released": "de6ebaec 824fc364 9c43fe8e",
    "two-point-final-distances": "7691bd94 b1932647 c5ac29ae",
    "two-point-random-weights": "75ddca8a 1d65a61e 48b9ca33",
    "two-point-xor": "01262e90 5cdf5b67 cfa758d8",
    "two-point-blobs": "892cdf3c 6131564b eb2541e1",
    "two-point-blobs-released": "da9443f6 21196047 12e1eaed",
    "two-point-mnist-structure": "f8a7acf3 716f302f 0f4c86fb",
    "two-point-mnist-pairs": "0f06ecd0 81d7e351 c4aa526d",
    "two-point-mnist-linearity": "000073ba 559536cf 8d77b78d",
}

# The same digits of the configuration with which an experiment runs where nothing is given.
DEFAULTS = {
    "collapse": "daab0871",
    "collapse.imbalanced": "907d3c70",
    "compression": "edbd4e8d",
    "compression.kernel_components": "11f7c262",
    "compression.learning_curves": "f1326f49",
    "finite_width": "e7cd2ce8",
    "geometry.bayesian": "390e3ede",
    "geometry.mnist": "99daa119",
    "geometry.random_networks": "7b252ba0",
    "geometry.resnet": "5cc2ca58",
    "geometry.self_supervised": "3875226a",
    "geometry.symmetric_units": "fc728448",
    "geometry.trained": "9adc82b9",
    "leaky_resnet": "5f44cb81",
    "leaky_resnet.geodesics": "ffd133d9",
    "two_point": "c2ab1a2d",
    "two_point.final_distances": "c6ca22a7",
    "two_point.many_points": "f5ab8ae9",
}


def digest(study: Study, scale: str) -> str:
    """Digits that change with any label or field of any configuration."""
    lines = [f"{label} {content_hash(config)}" for label, config in study.configs(scale).items()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def test_configurations_stay_what_they_are():
    assert {
        name: tuple(digest(study, scale) for scale in SCALES)
        for name, study in experiments.STUDIES.items()
    } == {name: tuple(digits.split()) for name, digits in HASHES.items()}
    configs = {name: experiments.EXPERIMENTS[name].Config() for name in experiments.EXPERIMENTS}
    assert {name: content_hash(config)[:8] for name, config in configs.items()} == DEFAULTS


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", experiments.STUDIES)
def test_a_study_asks_a_question_and_its_labels_and_texts_say_what_its_configurations_are(name):
    study = experiments.STUDIES[name]
    assert study.name == name
    assert study.question.endswith("?")
    labels = [label for scale in SCALES for label in study.configs(scale)]
    assert all(any(word in label for label in labels) for word in study.named.values())
    for scale in SCALES:
        for label, config in study.configs(scale).items():
            assert study.label(config) in label
            assert type(config) is experiments.EXPERIMENTS[config.experiment].Config
            assert type(config).from_json(config.to_json()) == config
            assert "/" not in config.to_json()  # no path of a machine
            assert str(config)
    with pytest.raises(ValueError, match="scale: got 'huge', needs one of smoke, laptop, paper"):
        study.configs("huge")


def test_every_experiment_has_its_name():
    for name in experiments.EXPERIMENTS:
        assert experiments.EXPERIMENTS[name].Config.experiment == name


# What all configurations of the studies whose names begin so have at the scale of the paper, as printed there.
PRINTED = {
    "collapse": {"train_size": 10_000, "epochs": 50, "stop_loss": 0.02, "learning_rate": 2e-3},
    "geometry-resnet": {"depth": 34, "width": 64, "batch_size": 1024, "learning_rate": 0.01},
    "geometry-self": {"depth": 34, "width": 64, "batch_size": 1024, "learning_rate": 0.01},
    "leaky-resnet-[^g]": {"width": 100, "points": 1000},
    "two-point-(layer|alternatives)": {"seeds": 20},
    "two-point-(architectures|initial-weights|adam)": {"seeds": 50},
}


@pytest.mark.parametrize("names", PRINTED)
def test_settings_at_the_scale_of_the_paper_are_those_printed(names):
    studies = [study for name, study in experiments.STUDIES.items() if re.match(names, name)]
    assert studies
    for study in studies:
        for config in study.configs("paper").values():
            assert {field: getattr(config, field) for field in PRINTED[names]} == PRINTED[names]


def test_stub_names_every_subject():
    assert {subject.name for subject in subjects(FLOOR)} <= set(dir(experiments))


def test_unknown_names():
    with pytest.raises(KeyError, match=r"no experiment 'two'; there are .*two_point"):
        experiments.EXPERIMENTS["two"]
    with pytest.raises(KeyError, match=r"no study 'two'; there are .*two-point-layer"):
        experiments.STUDIES["two"]
    assert "two" not in experiments.STUDIES


def test_studies_are_collected_without_numpy_and_configured_without_torch():
    """Commands list studies and tell which records are stale where only the light core is installed."""
    code = (
        "import sys; sys.modules |= dict.fromkeys(('torch', 'xarray', 'jaxtyping', 'tqdm'))\n"
        "from empirics.experiments import STUDIES; from empirics.runs.config import content_hash\n"
        "print(len(STUDIES), 'numpy' in sys.modules)\n"
        "for study in STUDIES.values(): print(*map(content_hash, study.configs('smoke').values()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    studies = experiments.STUDIES.values()
    configs = [config for study in studies for config in study.configs("smoke").values()]
    collected, hashes = done.stdout.split("\n", 1)
    assert collected == f"{len(studies)} False"
    assert hashes.split() == [content_hash(config) for config in configs]


STUDY = """
from empirics.runs.study import Study
ONE = Study("their-study", "Is there one?", lambda scale: {})
Config = run = None
"""


def test_a_guest_is_found(guests):
    announced = (
        "STUDIES = {'their-study': 'theirs.study:ONE'}\nEXPERIMENTS = {'theirs': 'theirs.study'}"
    )
    before = list(experiments.STUDIES)
    guests("their", "theirs", {"empirics.py": announced, "study.py": STUDY})
    assert experiments.STUDIES["their-study"].question == "Is there one?"
    assert experiments.EXPERIMENTS["theirs"].run is None
    assert list(experiments.STUDIES) == [*before, "their-study"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"empirics.py": "import absent_package"}, r"dist-of-theirs: its subject 'their' raises .*absent_package"),
        ({"empirics.py": "STUDIES = {'two-point-layer': 'theirs.study:ONE'}"},
         r"the study 'two-point-layer' is announced twice: by .*two_point and by the distribution dist-of-theirs"),
    ],
)  # fmt: skip
def test_a_broken_guest_or_one_that_takes_a_name_is_left_out(guests, files, words):
    before = list(experiments.STUDIES)
    guests("their", "theirs", files)
    with pytest.warns(RuntimeWarning, match=words):
        assert list(experiments.STUDIES) == before
    assert experiments.STUDIES["two-point-layer"].name == "two-point-layer"


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (
            "import sys\nsys.exit(7)",
            r"its study 'their-study' raises SystemExit: 7 \(.*study\.py, line 2\)",
        ),
        ("ONE = 1", r"got int, needs the attribute 'name' \(.*study\.py\)"),
        ("TWO = 1", "no attribute 'ONE'"),
        (STUDY.replace("{})", "1 / 0)"), r"ZeroDivisionError.*study\.py, line 3"),
    ],
)
def test_a_study_that_cannot_be_read_names_file_and_line_and_is_left_out_of_lists(
    guests, study, words
):
    guests(
        "their",
        "theirs",
        {"empirics.py": "STUDIES = {'their-study': 'theirs.study:ONE'}", "study.py": study},
    )
    with pytest.warns(RuntimeWarning, match=words):
        listed = dict(
            experiments.STUDIES.each(lambda name: len(experiments.STUDIES[name].configs("smoke")))
        )
    assert list(listed) == [name for name in experiments.STUDIES if name != "their-study"]
    if "1 / 0" not in study:
        with pytest.raises(GuestError, match=words):
            experiments.STUDIES["their-study"]

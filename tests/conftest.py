"""Settings of all tests (float64, fixed seeds, one thread, no window, no progress bar), proofs and folder of data."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shutil
import sys
import tempfile
import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import numpy as np
import pytest

os.environ["TQDM_DISABLE"] = "1"  # read when tqdm is imported
os.environ["MPLBACKEND"] = "Agg"  # read when matplotlib is imported
os.environ["SYMPY_CACHE_SIZE"] = "50000"  # read when sympy is imported; as the command line has it
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# The examples are the same every time. There is no deadline, since machines differ and first calls compile. There are
# 40 and not 100 of them, which takes 8 s less of all tests; `tests/fuzz` tries more, and others each time.
hypothesis.settings.register_profile(
    "closedform", deadline=None, derandomize=True, max_examples=40
)
hypothesis.settings.load_profile("closedform")

ROOT = Path(__file__).resolve().parent.parent

gc.set_threshold(50_000, 20, 20)  # computer algebra makes many objects and hardly any garbage


def pytest_configure(config: pytest.Config) -> None:
    """Give all processes of this run one store of proofs, which is empty at first: each is made anew, but only once.

    ``CLOSEDFORM_CACHE=off`` runs the tests without a store. They never use the user's own. Where an earlier step of the
    same run has made proofs, as the pages in ``.ci/run``, ``PROOFS_OF_THIS_RUN`` is their folder.
    """
    if hasattr(config, "workerinput") or os.environ.get("CLOSEDFORM_CACHE") == "off":
        return
    if shared := os.environ.get("PROOFS_OF_THIS_RUN"):
        os.environ["CLOSEDFORM_CACHE"] = shared
        return
    folder = os.environ["CLOSEDFORM_CACHE"] = tempfile.mkdtemp(prefix="closedform-proofs-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave everything out of a second collection at the end, since pytest has just collected all garbage."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Leave what is imported and collected, which lives until the end, out of all later collections of garbage.

    In a run of all tests, every second process imports the files from the last one on, so that each of two compiles
    only half of them. What cannot be imported is said when it is collected.
    """
    gc.disable()
    is_second = os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:] in {*"13579"}
    try:
        if is_second and session.config.args == session.config.getini("testpaths"):
            for path in sorted((ROOT / "tests").rglob("test_*.py"), reverse=True):
                with contextlib.suppress(Exception, pytest.skip.Exception):
                    importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that the mutants' runs need: an error in one formula is to meet all its tests."""
    parser.addoption(
        "--every-case",
        action="store_true",
        help="fast tests have all cases of those that are sampled",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Make slow tests of what ``sampled(n)`` leaves out: of its fast cases in a file the fast suite has every n-th."""
    passed: Counter[tuple[Path, str]] = Counter()
    for item in items if not config.getoption("every_case") else []:
        sampled = item.get_closest_marker("sampled")
        if sampled is None or item.get_closest_marker("slow"):
            continue
        test = item.path, item.originalname
        if passed[test] % sampled.args[0]:
            item.add_marker(pytest.mark.slow)
        passed[test] += 1


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Return a fixed seed that differs between tests and parameters: the checksum of the test's name."""
    return zlib.crc32(request.node.nodeid.encode())


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """Return numpy's random generator with this test's seed."""
    return np.random.default_rng(seed)


@pytest.fixture
def torch():
    """Yield torch with float64 as default, one thread and the seed 0, and restore its settings afterwards."""
    module = pytest.importorskip("torch", reason="torch is not installed (extra `empirics`)")
    dtype, threads = module.get_default_dtype(), module.get_num_threads()
    module.set_default_dtype(module.float64)
    module.set_num_threads(1)
    module.manual_seed(0)
    yield module
    module.set_default_dtype(dtype)
    module.set_num_threads(threads)


@pytest.fixture
def torch_generator(torch, seed: int):
    """Return torch's random generator on the CPU with this test's seed."""
    return torch.Generator().manual_seed(seed)


@pytest.fixture(scope="session")
def recorded_rows() -> tuple[Mapping[str, Any], ...]:
    """Return the rows of the figures of all papers, which take a second to judge, to be read and not changed."""
    from bridge.results import figure_table

    return tuple(figure_table.rows())


@pytest.fixture(scope="session")
def data_directory() -> Path:
    """Return the folder of public data sets; skip the test if it does not exist."""
    directory = Path(os.environ.get("CLOSEDFORM_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip(
            "no data sets: set CLOSEDFORM_DATA to the folder with fashion-mnist/, mnist/, cifar-10-12k/"
        )
    return directory


@pytest.fixture
def read_images(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """A function that lets configurations read images of public data sets; it skips the test if these are not here."""
    from empirics.data.loading import READERS

    def find(*configs: Any) -> None:
        if any(
            isinstance(value, str) and value in READERS
            for config in configs
            for value in vars(config).values()
        ):
            monkeypatch.setenv(
                "CLOSEDFORM_DATA", os.fspath(request.getfixturevalue("data_directory"))
            )

    return find


@pytest.fixture
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, read_images):
    """A function that returns the traces of configurations, each of which is trained once, for all tests of a run.

    The processes of the run share a folder, in which the store lets only one of them train a configuration. Given
    another folder, the function puts the files there, too, where a command finds them.
    """
    from empirics.sweep import store

    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if hasattr(request.config, "workerinput") else base) / "traces"

    def traces(configs: Iterable[Any], folder: Path | None = None) -> list[Any]:
        configs = list(configs)
        read_images(*configs)
        with warnings.catch_warnings():  # up to 2e-5, after three layers
            warnings.filterwarnings("ignore", "scalar_curvature. so much cancels", RuntimeWarning)
            found = [
                store.run_or_load(c, shared, progress=False, on_divergence="mark") for c in configs
            ]
        for config in configs if folder else ():
            path = store.path_of(config, folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                os.link(store.path_of(config, shared), path)
        return found

    return traces


@pytest.fixture
def guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A way to install a distribution with a subject: name of the subject, package, and text of each of its files.

    The folder of the distributions is ``guests.folder``. Subjects are found anew, and forgotten afterwards.
    """
    from closedform import subjects
    from theory import collection
    from theory.core.formula import provenance

    folder = tmp_path / "guests"
    packages = set()

    def forget() -> None:
        for remembered in (subjects._guests, subjects.subjects, subjects.announced):
            remembered.cache_clear()
        collection.catalogue.cache_clear()
        provenance.references.cache_clear()
        importlib.invalidate_caches()
        for module in [module for module in sys.modules if module.partition(".")[0] in packages]:
            del sys.modules[module]

    def install(name: str, package: str, files: Mapping[str, str]) -> None:
        metadata = folder / f"{package}-1.0.dist-info"
        for path, text in (
            *(
                (folder / package / file, text)
                for file, text in {"__init__.py": "", **files}.items()
            ),
            (
                metadata / "METADATA",
                f"Metadata-Version: 2.1\nName: dist-of-{package}\nVersion: 1.0\n",
            ),
            (metadata / "entry_points.txt", f"[closedform.subjects]\n{name} = {package}\n"),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        packages.add(package)
        forget()

    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    install.folder = folder
    forget()
    yield install
    monkeypatch.undo()
    forget()


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch):
    """A way to put entries of the paper paccolat2021, or a module that has them, in the place of all ledgers."""
    from closedform import registry, subjects
    from theory import ledger_check

    announced = registry.announced

    def plant(*entries, module: str = "a_planted_ledger") -> None:
        if entries:
            made = ModuleType(module)
            made.EQUATIONS = entries
            monkeypatch.setitem(sys.modules, module, made)
        ledgers = {"paccolat2021": (module, subjects.Subject("planted", sys, "a test"))}
        monkeypatch.setattr(
            registry,
            "announced",
            lambda floor, name: ledgers if name == "LEDGERS" else announced(floor, name),
        )
        ledger_check._entries.cache_clear()

    yield plant
    ledger_check._entries.cache_clear()


@pytest.fixture(autouse=True)
def close_figures():
    """Close all figures after each test (matplotlib warns at twenty figures, and warnings are errors)."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")

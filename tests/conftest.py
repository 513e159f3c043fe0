"""Settings of all tests (float64, fixed seeds, one thread, no window, no progress bar), proofs and folder of data."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import numpy as np
import pytest

os.environ["TQDM_DISABLE"] = "1"  # read when tqdm is imported
os.environ["MPLBACKEND"] = "Agg"  # read when matplotlib is imported
os.environ["SYMPY_CACHE_SIZE"] = "50000"  # read when sympy is imported; as the command line has it
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# The examples are the same every time. There is no deadline, since machines differ and first calls compile.
hypothesis.settings.register_profile("closedform", deadline=None, derandomize=True)
hypothesis.settings.load_profile("closedform")

ROOT = Path(__file__).resolve().parent.parent

gc.set_threshold(50_000, 20, 20)  # computer algebra makes many objects and hardly any garbage


def pytest_configure(config: pytest.Config) -> None:
    """Give all processes of this run one store of proofs, which is empty at first: each is made anew, but only once.

    ``CLOSEDFORM_CACHE=off`` runs the tests without a store. They never use the user's own.
    """
    if hasattr(config, "workerinput") or os.environ.get("CLOSEDFORM_CACHE") == "off":
        return
    folder = os.environ["CLOSEDFORM_CACHE"] = tempfile.mkdtemp(prefix="closedform-proofs-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave what is imported and collected, which lives until the end, out of all later collections of garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


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
def data_directory() -> Path:
    """Return the folder of public data sets; skip the test if it does not exist."""
    directory = Path(os.environ.get("CLOSEDFORM_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip("no data sets: set CLOSEDFORM_DATA to the folder with fashion-mnist/, mnist/, cifar-10-12k/")
    return directory


@pytest.fixture(autouse=True)
def close_figures():
    """Close all figures after each test (matplotlib warns at twenty figures, and warnings are errors)."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")

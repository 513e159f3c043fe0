"""What every test may rely on: float64, fixed seeds, one thread, no window, no progress bar, and where the data lie."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path

import hypothesis
import numpy as np
import pytest

os.environ["TQDM_DISABLE"] = "1"  # read when tqdm is imported
os.environ["MPLBACKEND"] = "Agg"  # so is matplotlib's
os.environ["CLOSEDFORM_CACHE"] = "off"  # every verdict is found, none remembered; also by the processes of the tests
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# The same examples every time, and no deadline: machines differ, and first calls compile.
hypothesis.settings.register_profile("closedform", deadline=None, derandomize=True)
hypothesis.settings.load_profile("closedform")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A fixed seed, different for every test and every parameter: the checksum of the test's name."""
    return zlib.crc32(request.node.nodeid.encode())


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """numpy's generator with this test's seed."""
    return np.random.default_rng(seed)


@pytest.fixture
def torch():
    """torch, in float64, on one thread, with this test's seed where a test does not set its own; undone afterwards."""
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
    """torch's CPU generator with this test's seed."""
    return torch.Generator().manual_seed(seed)


@pytest.fixture(scope="session")
def data_directory() -> Path:
    """The folder of public data sets; a test that needs it is skipped, with the reason, where it is absent."""
    directory = Path(os.environ.get("CLOSEDFORM_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip("no data sets: set CLOSEDFORM_DATA to the folder that holds fashion-mnist/, mnist/, cifar-10-12k/")
    return directory


@pytest.fixture(autouse=True)
def close_figures():
    """No figure outlives its test (matplotlib warns at twenty, and warnings are errors)."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")

"""A driver for `make portable`, which runs the fast tests under several instruction sets and numbers of threads.

    python tests/portable/run.py [--settings NAME ...] [--] [TEST ...]

The order in which a processor adds numbers depends on its vector units, and so do the last bits of most results. No
test may depend on them. Libraries choose their instructions at run time, and each has its own switch. Switches for
instruction sets of the same generation are set together, so that the default runs use each value of each switch at
least once. The driver prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROBE = """
import numpy, scipy.linalg, threadpoolctl, torch
square = torch.ones(32, 32, dtype=torch.float64)
square @ square  # MKL says under MKL_VERBOSE which code it takes
blas = {one.get("architecture") for one in threadpoolctl.threadpool_info() if one["internal_api"] == "openblas"}
found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found")
print(f"PROBE torch {torch.backends.cpu.get_cpu_capability()}, OpenBLAS {'/'.join(sorted(filter(None, blas)))}, "
      f"numpy {found[-1] if found else 'baseline'}, {torch.get_num_threads()} thread(s)")
"""


@dataclass(frozen=True)
class Setting:
    """One run: environment variables, threads, and the newest of numpy's dispatched features that stays on."""

    environment: dict[str, str]
    threads: int = 1
    numpy: str | None = None


SETTINGS = {
    "oldest": Setting(
        {"MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ATEN_CPU_CAPABILITY": "default", "OPENBLAS_CORETYPE": "Nehalem",
         "ONEDNN_MAX_CPU_ISA": "SSE41"},
        numpy="baseline",
    ),
    "avx2": Setting(
        {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "OPENBLAS_CORETYPE": "Haswell",
         "ONEDNN_MAX_CPU_ISA": "AVX2"},
        numpy="X86_V3",
    ),
    "avx512": Setting(
        {"MKL_ENABLE_INSTRUCTIONS": "AVX512", "ATEN_CPU_CAPABILITY": "avx512", "OPENBLAS_CORETYPE": "SkylakeX",
         "ONEDNN_MAX_CPU_ISA": "AVX512_CORE"},
    ),
    "compatible": Setting({"MKL_CBWR": "COMPATIBLE", "ATEN_CPU_CAPABILITY": "avx2", "OPENBLAS_CORETYPE": "Nehalem"}),
    "reproducible-avx2": Setting(
        {"MKL_CBWR": "AVX2", "ATEN_CPU_CAPABILITY": "default", "OPENBLAS_CORETYPE": "SkylakeX"}, numpy="X86_V3"
    ),
    "two-threads": Setting({"MKL_ENABLE_INSTRUCTIONS": "AVX512"}, threads=2),
    "own": Setting({}),
}  # fmt: skip
DEFAULT = [name for name in SETTINGS if name != "own"]  # which is what `make test` runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--settings", nargs="*", choices=SETTINGS, metavar="NAME", help=", ".join(SETTINGS)
    )
    parser.add_argument(
        "tests", nargs="*", help="what pytest is to run; everything where not given"
    )
    arguments = parser.parse_args()
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        shim = intel_path(Path(folder))
        for name in arguments.settings or DEFAULT:
            environment = environment_of(SETTINGS[name], shim if name != "own" else None)
            effect = probed(environment)
            print(f"{name}: {effect}", flush=True)
            report = Path(folder) / f"{name}.xml"
            began = time.monotonic()
            code = suite(environment, SETTINGS[name].threads, report, arguments.tests)
            passed, wrong = counted(report)
            failed |= code != 0 or wrong > 0 or passed == 0
            rows.append(
                f"| {name} | {passed} | {wrong} | {time.monotonic() - began:.0f} | {effect} |"
            )
    print(
        "\n| setting | passed | failed | seconds | in effect |\n|---|---|---|---|---|",
        *rows,
        sep="\n",
    )
    return int(failed)


def intel_path(folder: Path) -> Path | None:
    """The library that makes MKL heed its switches on this processor; None where it does so anyway or cannot be had."""
    try:
        vendor = next(
            line
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("vendor_id")
        )
    except (OSError, StopIteration):
        print(
            "No x86 processor under Linux: the switches of MKL and of OpenBLAS may have no effect."
        )
        return None
    if "GenuineIntel" in vendor:
        return None
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        print(
            "The processor is not Intel's and there is no C compiler (cc): MKL_ENABLE_INSTRUCTIONS and MKL_CBWR=AVX2 "
            "have no effect."
        )
        return None
    library = folder / "libintelpath.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, HERE / "intel_path.c"], check=True
    )
    print(
        "The processor is not Intel's: a small library is preloaded, with which MKL's switches have their effect."
    )
    return library


def has_avx512() -> bool:
    """Whether the processor has the AVX-512 instructions that OpenBLAS uses under the name of SkylakeX."""
    try:
        return "avx512vl" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def environment_of(setting: Setting, shim: Path | None) -> dict[str, str]:
    """The environment of a run: this one, less all switches, with those of the setting."""
    switches = {name for one in SETTINGS.values() for name in one.environment} | {
        "NPY_DISABLE_CPU_FEATURES"
    }
    environment = {name: value for name, value in os.environ.items() if name not in switches}
    environment |= setting.environment | {
        f"{library}_NUM_THREADS": str(setting.threads) for library in ("OMP", "OPENBLAS", "MKL")
    }
    if environment.get("OPENBLAS_CORETYPE") == "SkylakeX" and not has_avx512():
        # OpenBLAS obeys where MKL and torch fall back, and the process dies of an illegal instruction
        del environment["OPENBLAS_CORETYPE"]
    # on a busy machine, threads that spin while they wait take its cores
    environment["OMP_WAIT_POLICY"] = "PASSIVE"
    if setting.numpy is not None:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(beyond(setting.numpy))
    if shim is not None:
        environment["LD_PRELOAD"] = " ".join(
            filter(None, [str(shim), os.environ.get("LD_PRELOAD")])
        )
    return environment


def beyond(newest: str) -> list[str]:
    """The features that numpy dispatches to on this processor and that are newer than ``newest``."""
    code = (
        "from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as there\n"
        "print(*(name for name in names if there[name]))"
    )
    clean = {
        name: value for name, value in os.environ.items() if name != "NPY_DISABLE_CPU_FEATURES"
    }
    names = subprocess.run(
        [sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True
    )
    dispatched = names.stdout.split()
    return dispatched[dispatched.index(newest) + 1 :] if newest in dispatched else dispatched


def probed(environment: dict[str, str]) -> str:
    """What the libraries say that they use in this environment."""
    told = subprocess.run(
        [sys.executable, "-c", PROBE],
        env=environment | {"MKL_VERBOSE": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    used = next(
        (line.removeprefix("PROBE ") for line in told if line.startswith("PROBE ")), "unknown"
    )
    mkl = next((line for line in told if line.startswith("MKL_VERBOSE oneMKL")), "")
    codes = ("AVX-512", "AVX2", "SSE4.2", "SSE2")
    code = next((name for name in codes if name in mkl), "generic") if mkl else "absent"
    return f"MKL {code}, {used}"


def suite(environment: dict[str, str], threads: int, report: Path, tests: list[str]) -> int:
    """Run the tests, print what failed, and return pytest's code."""
    processes = max(1, int(environment.get("TEST_PROCESSES", "2")) // threads)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--junitxml={report}",
    ]
    command += ["-n", str(processes), "--dist", "worksteal"] if processes > 1 else []
    done = subprocess.run(
        [*command, *tests], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    print(
        *(line for line in lines if line.startswith(("FAILED", "ERROR"))),
        *lines[-1:],
        sep="\n",
        flush=True,
    )
    if done.returncode not in (0, 1):
        print(done.stdout[-4000:], done.stderr[-4000:], flush=True)
    return done.returncode


def counted(report: Path) -> tuple[int, int]:
    """Passed tests and failed ones."""
    if not report.exists():
        return 0, 0
    suites = list(ElementTree.parse(report).iter("testsuite"))
    total, failures, errors, skipped = (
        sum(int(one.get(name, "0")) for one in suites)
        for name in ("tests", "failures", "errors", "skipped")
    )
    return total - failures - errors - skipped, failures + errors


if __name__ == "__main__":
    sys.exit(main())

"""Duration of proofs: all closed forms built and checked, for the first time and again from the store of proofs.

Times are processor seconds of one thread, so that other processes affect them little; each part runs in a new process.
There is no comparison, since we know of no other program that checks formulas.

    python benchmarks/proofs.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

SLOWEST = 10

PARTS = {
    "import sympy": "import sympy",
    "import theory, list the names": "import theory; list(theory.catalogue())",
    "build all closed forms": "import theory; list(theory.catalogue().values())",
    "volume and curvature of 18 activations": """
from theory import activations as a, geometry as g
acts = [a.ERF, a.GELU, a.SIN, a.COS, a.EXP, a.GAUSSIAN, a.RELU, a.LEAKY_RELU(.1), a.relu_power(2), a.relu_power(3),
        a.monomial(2), a.monomial(3), a.hermite(3), a.polynomial([1, 2, 3, 4]), a.TANH, a.SIGMOID, a.SOFTPLUS, a.SWISH]
for act in acts:
    g.volume_element(act), g.scalar_curvature(act)
""",
    "check all, nothing stored": "CHECK",
    "check all, everything stored": "CHECK",
    "build all and check each step, everything stored": """
import theory
assert all(v.name == "HOLDS" for form in theory.catalogue().values() for v in form.check().values())
""",
}
CHECK = """
import time, theory
from theory.form_check import check_all
last = time.process_time()
for name in theory.catalogue():
    (checked,) = check_all([name], 1)
    assert checked.holds, checked
    seconds[name], last = time.process_time() - last, time.process_time()
"""


def measured(code: str, cache: str) -> dict[str, float]:
    """Return the processor seconds of a new process (key ``""``) and of the closed forms that it checks one by one."""
    program = (
        f"import json, time; seconds = {{}}\n{CHECK if code == 'CHECK' else code}\n"
        "print(json.dumps(seconds | {'': time.process_time()}))"
    )
    environment = {**os.environ, "CLOSEDFORM_CACHE": cache, "OMP_NUM_THREADS": "1"}
    process = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    seconds: dict[str, float] = json.loads(process.stdout)
    return seconds


def main() -> None:
    """Print both tables."""
    cold: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name, code in PARTS.items():
            seconds = measured(code, cache)
            cold = cold or {form: duration for form, duration in seconds.items() if form}
            print(f"{name:<52}{seconds['']:8.2f} s")
    print(f"\nthe {SLOWEST} slowest of {len(cold)}, built and checked, nothing stored")
    for form in sorted(cold, key=cold.__getitem__, reverse=True)[:SLOWEST]:
        print(f"{form:<52}{cold[form]:8.2f} s")


if __name__ == "__main__":
    main()

"""Computations of programs in JavaScript by Node.js, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence

import pytest

from bridge.explorer import arithmetic as javascript

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="Node.js is not installed: no `node` on the path"
)
_RUN = """
const results = {};
for (const [name, points] of Object.entries(POINTS)) {
  results[name] = points.map((point) => {
    try {
      const value = PROGRAMS[name](...point.map((x) => closedform.real(...[x].flat())));
      return [value.high, value.low, value.error].map((part) => (Number.isFinite(part) ? part : String(part)));
    } catch (problem) {
      return `${problem.constructor.name}: ${problem.message}`;
    }
  });
}
console.log(JSON.stringify(results));
"""


def computed(
    programs: Mapping[str, str], points: Mapping[str, Sequence[Sequence[float | Sequence[float]]]]
) -> dict[str, list[list[float] | str]]:
    """Return for each program and point [high, low, error], or the name and message of an error.

    Args:
        programs: code of functions of the library, by name.
        points: for each program its points; an argument is a number, or a list high, low, error.
    """
    listed = ",\n".join(
        f"{json.dumps(name)}: ({code})(closedform)" for name, code in programs.items()
    )
    script = f"{javascript.library()}\nconst PROGRAMS = {{ {listed} }};\nconst POINTS = {json.dumps(points)};\n{_RUN}"
    ran = subprocess.run(
        [NODE], input=script, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout, parse_int=float)  # JavaScript writes 1e20 as an integer, rounded

"""Pages in headless Chromium, for tests."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# A window is at least 500 pixels wide, a frame in it has any width.
_FRAME = """<!doctype html><meta charset="utf-8">
<iframe src="page.html" style="width:{width}px;height:1200px;border:0"></iframe>
<pre id="report"></pre>
<script>addEventListener("message", (event) => {{ document.querySelector("pre").textContent = event.data; }});</script>
"""
_REPORT = """
<script>
addEventListener("load", () => setTimeout(() => {{
  let report;
  try {{ report = (() => {{ {look} }})(); }}
  catch (problem) {{ report = {{ problem: String(problem.stack) }}; }}
  parent.postMessage(JSON.stringify(report), "*");
}}, {after}));
</script>
"""


def seen(
    html: str,
    look: str,
    folder: Path,
    *,
    width: int = 1400,
    is_dark: bool = False,
    after: int = 3000,
) -> object:
    """Load a page, run code on it, and return what the code returns.

    Args:
        html: the page.
        look: body of a function in JavaScript that returns what JSON can express.
        folder: a folder for the page and the browser's profile.
        width: width of the page in pixels.
        is_dark: whether the reader prefers dark colours.
        after: milliseconds between the loading of the page and the call of the code, in the page's time.
    """
    (folder / "page.html").write_text(
        html.replace("</body>", _REPORT.format(look=look, after=after) + "</body>"),
        encoding="utf-8",
    )
    frame = folder / "frame.html"
    frame.write_text(_FRAME.format(width=width), encoding="utf-8")
    options = [
        *QUIET,
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width + 100},1400",
    ]
    options += ["--blink-settings=preferredColorScheme=0"] if is_dark else []
    command = [
        CHROMIUM,
        *options,
        f"--virtual-time-budget={4 * after}",
        "--dump-dom",
        frame.as_uri(),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    report = re.search(r'<pre id="report">(.+?)</pre>', ran.stdout, re.DOTALL)
    assert report, (ran.returncode, ran.stderr[-2000:])
    result = json.loads(unescape(report[1]))
    assert not (isinstance(result, dict) and "problem" in result), result
    return result

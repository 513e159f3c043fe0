"""Splits the text of a paper into its displays, captions, footnotes and sentences, where the text is at hand."""

import re
from pathlib import Path

TEXTS = Path(__file__).resolve().parents[4] / "shared" / "papers"
ABBREVIATIONS = ("Eq.", "Eqs.", "Fig.", "Figs.", "i.e.", "e.g.", "et al.", "v.s.", "cf.", "resp.", "App.", "Sec.", "Thm.")
_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z\\$(*-])")


def text_of(name):
    """The text that was read, or None where it is not at hand."""
    path = TEXTS / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def displays(text):
    """Displayed formulas, between two dollar signs each."""
    return [match[1] for match in re.finditer(r"\$\$(.*?)\$\$", text, flags=re.DOTALL)]


def sentences(text):
    """Sentences of the running text, captions and footnotes, without displays; in their order."""
    running = re.sub(r"\$\$.*?\$\$", " \n\n", text, flags=re.DOTALL)
    found = []
    for paragraph in re.split(r"\n\s*\n", running):
        start = 0
        flat = " ".join(paragraph.split())
        for match in _END.finditer(flat):
            if not flat[start : match.start()].endswith(ABBREVIATIONS):
                found.append(flat[start : match.start()])
                start = match.end()
        found.append(flat[start:])
    return [sentence for sentence in found if re.search(r"[A-Za-z]{2}", sentence)]

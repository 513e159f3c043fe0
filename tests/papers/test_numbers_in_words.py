"""Numbers in evidence and consequences are shown in the entry, used by programs, printed in the paper, or computed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import theory
from tests.papers.test_coverage import READ, TEXTS
from theory.collapse.relabellings import relabelling_counts
from theory.ledger_records import recorded

WINGS = Path(__file__).resolve().parents[2] / "papers"
NUMBER = re.compile(r"(?<![\w.^/(])\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?(?![\w)]|\.\d)")
PLAIN = re.compile(r"\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
# what is no number but a place in a paper
PLACE = re.compile(
    r"(?:Eqs?\.|Equations?|Sections?|Appendix|Figures?|Tables?|Algorithm|Theorem|Propositions?|[Ll]ines?|[Ff]ootnote|Lemma)"
    r"\s+[\w.()]+(?:\s*(?:,|and|to|or)\s*[\w.()]+)*|\([A-G]?\.?\d+\)|\b[A-G]\.\d+(?:\.\d+)*"
)
SMALLEST = 10  # whole numbers below stand in words as well


def shared_bits() -> float:
    """What the digits of 650 indices say of each other: the sum of their entropies less that of all, in bits."""
    counts = [relabelling_counts(650, 10, digit) for digit in range(3)]
    shares = [count[count > 0] / 650 for count in counts]
    return sum(-share @ np.log2(share) for share in shares) - np.log2(650)


COMPUTED = {
    ("cheong2025", "0.07"): shared_bits,
    ("cheong2025", "0.866"): lambda: np.sqrt(3) / 2,
    ("cheong2025", "650"): lambda: 650,
    ("cheong2025", "100000"): lambda: 10 * 10_000,
    ("vanrossem2024", "0.159"): lambda: norm.cdf(-1),
    ("zavatoneveth2023", "4.9e-324"): lambda: np.nextafter(0.0, 1.0),
    ("zavatoneveth2023", "1.2e-38"): lambda: np.finfo(np.float32).tiny,
    ("zavatoneveth2023", "1.4e-45"): lambda: np.finfo(np.float32).smallest_subnormal,
}
# read in other works, or taken from a calculation that no program of the wing repeats
OTHERS = {
    ("cheong2025", "0.99"),
    ("paccolat2021", "60000"),
    ("paccolat2021", "50000"),
    ("vanrossem2024", "1300"),
    ("zavatoneveth2023", "1e-320"),
}


def numbers(words: str) -> Iterator[str]:
    """The numbers in a text that are decimals, powers of ten or not small."""
    for match in NUMBER.findall(PLACE.sub(" ", words)):
        number = match.replace(",", "")
        if not number.isdigit() or int(number) >= SMALLEST:
            yield number


def known(text: str) -> set[str]:
    return {number.replace("_", "").replace(",", "") for number in PLAIN.findall(text)}


def is_rounded(number: str, others: set[str]) -> bool:
    digits = len(number.partition(".")[2])
    return any(abs(float(other) - float(number)) <= 0.5 * 10**-digits for other in others)


def unexplained(paper: str) -> set[str]:
    """Numbers in words of a ledger that neither the entry, nor a program, nor the paper has."""
    text = (TEXTS / READ[paper][0]).read_text(encoding="utf-8")
    programs = "".join(path.read_text() for path in (WINGS / paper / "ledger").glob("*.py"))
    everywhere = known(text) | known(programs)
    checked = {entry.label: entry for entry in recorded(paper) or ()}
    found = set()
    for entry in theory.equations(paper):
        kept = checked.get(entry.label)
        shown = [entry.printed, entry.corrected, entry.condition, entry.measurement]
        own = known(" ".join(map(str, [*shown, kept and (kept.witness, kept.measurement)])))
        for number in (*numbers(entry.evidence or ""), *numbers(entry.consequence or "")):
            if number not in everywhere | own and not is_rounded(number, own):
                found.add(number)
    return found


@pytest.mark.parametrize("paper", READ)
def test_numbers_in_words_come_from_somewhere(paper):
    if not (TEXTS / READ[paper][0]).is_file():
        pytest.skip(f"the text of {paper} is not at hand")
    explained = {number for key, number in COMPUTED.keys() | OTHERS if key == paper}
    assert unexplained(paper) == explained


@pytest.mark.parametrize(("paper", "number"), COMPUTED)
def test_numbers_that_are_computed(paper, number):
    value = float(COMPUTED[paper, number]())
    digits = len(number.partition("e")[0].replace(".", "").strip("0"))
    assert float(f"{value:.{digits}g}") == float(f"{float(number):.{digits}g}")


def test_a_planted_number_is_noticed():
    assert list(numbers("As Section 3.2 and Eq. (7) say, 12,345 networks lose 0.271.")) == [
        "12345",
        "0.271",
    ]
    assert not is_rounded("0.271", {"0.27349"})
    assert is_rounded("0.273", {"0.27349"})

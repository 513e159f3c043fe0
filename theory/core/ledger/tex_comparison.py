r"""What a ledger prints, compared with the TeX of its paper, glyph by glyph in their order.

Only the order of terms in a sum, and of factors that are numbers, is free, as :mod:`theory.core.ledger.tex_reading`
reads both: we print :math:`\frac{h \sqrt{d}}{2}` where the paper has :math:`h\sqrt{d}/2`. Another letter, digit,
accent, index, relation, sign or bracket, and exchanged arguments or scripts, are differences.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.ledger.comparison import Comparison, Difference
from theory.core.ledger.equation import Equation
from theory.core.ledger.printed import relations
from theory.core.ledger.source import Passage
from theory.core.ledger.tex_reading import Reader
from theory.core.ledger.tex_tokens import LAYOUT, WORD, Tokens, head, tokens
from theory.core.ledger.typesetting import typeset

NEAR = 0.35  # of the glyphs of a formula may differ; beyond it is another formula
_NEAREST = 5  # formulas with the most glyphs in common that are read
_NOT_COUNTED = re.compile(r"\\frac|[()\[\]{},.;:/*^_+1]")
_FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]"
    r"|\\begin\{(split|aligned|align\*?|equation\*?|cases|gathered)\}(.+?)\\end\{\4\}",
    re.DOTALL,
)
_RELATION = re.compile(
    r"(?<![<>=!\\:])(:?=|\\approx|\\sim|\\simeq|\\leq?|\\geq?|\\to|\\rightarrow|\\propto|<|>)(?![a-zA-Z])"
)


class _Notation(NamedTuple):
    """What of the letters of an entry its formulas are read with: see :class:`Reader` and ``tokens``."""

    functions: frozenset[str]
    matrices: frozenset[str]
    letters: tuple[tuple[str, ...], ...]

    def sequence(self, latex: str) -> Tokens:
        """Return the glyphs of a formula in their order; one that is nested too deeply to be read stays as it is."""
        parts = tokens(latex, self.letters)
        try:
            return Reader(parts, self.functions, self.matrices).sequence()
        except RecursionError:
            return tuple(parts)


def compared(entries: Iterable[Equation], passages: Iterable[Passage], text: str) -> Comparison:
    """Return how the printed formulas of a ledger compare with the TeX in the passages of its paper.

    Args:
        entries: the entries of the ledger; sentences and algorithms are not compared.
        passages: its passages, in order.
        text: the text of the paper, with TeX between dollar signs or in environments.
    """
    regions = _regions(passages, " ".join(text.split()))
    formulas: dict[str, dict[str, Counter[str]]] = {}
    equal, without, differing = [], [], list[Difference]()
    for entry in entries:
        if not isinstance(entry.printed, sp.Basic):
            continue
        for region in regions.get(entry.label, ()):
            if region not in formulas:
                formulas[region] = {formula: _counted(formula) for formula in _formulas(region)}
        known = {
            f: g for region in regions.get(entry.label, ()) for f, g in formulas[region].items()
        }
        notation = _notation(entry.printed, entry.letters)
        pairs = [_with_nearest(ours, known, notation) for ours in _printed(entry)]
        if any(theirs is None for _, theirs in pairs):
            without.append(entry.label)
        elif all(ours == theirs for ours, theirs in pairs):
            equal.append(entry.label)
        else:
            different = [(ours, theirs) for ours, theirs in pairs if theirs and ours != theirs]
            differing += [Difference(entry.label, *_different(*pair)) for pair in different]
    return Comparison(tuple(equal), tuple(differing), tuple(without))


def _counted(latex: str) -> Counter[str]:
    """Return how often each glyph is in a formula, by which similar ones are found; brackets do not count."""
    return Counter(part for part in tokens(latex) if not _NOT_COUNTED.fullmatch(part))


def _notation(statement: sp.Basic, letters: Mapping[str, str]) -> _Notation:
    """Return the first glyphs of functions and of matrices, and letters of several glyphs."""
    functions, matrices, long = set[str](), set[str](), set[Tokens]()
    for node in statement.atoms(sp.Symbol, AppliedUndef, sp.MatrixSymbol):
        name = node.func.__name__ if isinstance(node, AppliedUndef) else str(node)
        shown = letters.get(name, "") or typeset(node, letters)
        letter = tuple(tokens(shown.replace("#", "")))
        begin = tuple(takewhile(str.isalpha, letter))
        if len(begin) > 1:
            long.add(begin)
        first = "".join(begin) or head(letter)
        if first.strip("\\").isalpha() and ("(" in letter or "[" in letter):
            functions.add(first)
        if isinstance(node, sp.MatrixSymbol):
            matrices.add(first)
    longest = tuple(sorted(long, key=len, reverse=True))
    return _Notation(frozenset(functions), frozenset(matrices), longest)


def _printed(entry: Equation) -> Iterator[str]:
    try:
        parts = relations(entry.printed)
    except TypeError:
        parts = (entry.printed,)
    for part in parts:
        said = part.args[1] if isinstance(part, sp.Implies) else part
        yield typeset(said, entry.letters)


def _with_nearest(
    ours: str, known: dict[str, Counter[str]], notation: _Notation
) -> tuple[Tokens, Tokens | None]:
    """Return the glyphs of a formula, and those of the formula of the paper that is most like it, if one is near."""
    counted, written = _counted(ours), notation.sequence(ours)
    distances = {
        formula: ((counted - theirs) + (theirs - counted)).total()
        for formula, theirs in known.items()
    }
    near = [
        f
        for f in sorted(distances, key=distances.__getitem__)
        if distances[f] <= NEAR * counted.total()
    ]
    read = [notation.sequence(formula) for formula in near[:_NEAREST]]
    return written, max(read, key=lambda theirs: _matched(written, theirs).ratio(), default=None)


def _matched(ours: Tokens, theirs: Tokens) -> SequenceMatcher[str]:
    return SequenceMatcher(None, ours, theirs, autojunk=False)


def _different(ours: Tokens, theirs: Tokens) -> tuple[str, str]:
    """Return the pieces that only ours has, and those that only theirs has, with dots for what both have between."""
    blocks = [block for block in _matched(ours, theirs).get_opcodes() if block[0] != "equal"]
    pieces = [(ours[i:j], theirs[k:m]) for _, i, j, k, m in blocks]
    only = (
        " ... ".join(" ".join(piece) for piece in side if piece)
        for side in zip(*pieces, strict=True)
    )
    first, second = (shown.replace(WORD, "") for shown in only)
    return first, second


def _regions(passages: Iterable[Passage], line: str) -> dict[str, tuple[str, ...]]:
    """Return by the label of each entry the text of its passages, each up to the next one."""
    passages, starts, position = list(passages), [], 0
    for passage in passages:
        start = line.find(passage.begins, position)
        position = start + 1 if start >= 0 else position
        starts.append(position)
    regions: dict[str, tuple[str, ...]] = {}
    for passage, start, end in zip(passages, starts, [*starts[1:], len(line)], strict=True):
        for label in passage.entries:
            regions[label] = (*regions.get(label, ()), line[start:end])
    return regions


def _formulas(text: str) -> Iterator[str]:
    """Yield formulas of a text: whole ones, their lines, and each pair of sides of a chain of relations."""
    for match in _FORMULA.finditer(text):
        whole = next(group for group in match.group(1, 2, 3, 5) if group)
        yield whole
        first = ""
        for row in _rows(whole):
            for part in {row, *re.split(r"\\q?quad|,\s", row)}:
                sides = _sides(part)
                if sides[0].strip(" &{}"):
                    first = sides[0]
                else:
                    sides[0] = first
                yield part
                for begin in range(0, len(sides), 2):
                    for end in range(begin + 2, len(sides), 2):
                        signs = dict.fromkeys(sides[begin + 1 : end : 2])
                        yield from (f"{sides[begin]} {sign} {sides[end]}" for sign in signs)


def _sides(part: str) -> list[str]:
    """Return the sides of a chain of relations and the relations between them, not those in indices and exponents."""
    sides, begin = list[str](), 0
    for sign in _RELATION.finditer(part):
        if part.count("{", 0, sign.start()) == part.count("}", 0, sign.start()):
            sides += part[begin : sign.start()], sign.group(1)
            begin = sign.end()
    return [*sides, part[begin:]]


def _rows(whole: str) -> list[str]:
    """Return the lines of a formula; one that goes on without a relation belongs to the line before."""
    rows: list[str] = []
    for line in re.split(r"\\\\", LAYOUT.sub(" ", whole)):
        goes_on = bool(rows) and re.match(r"\s*&?\s*[-+]", line) and not _RELATION.search(line)
        if goes_on:
            rows[-1] += line
        else:
            rows.append(line)
    return rows

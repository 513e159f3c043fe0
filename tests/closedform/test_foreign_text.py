"""Text from outside is shown in letters that can be seen, or refused by name."""

import io
import sys
import unicodedata

import pytest

from closedform.foreign_text import LONGEST, VisibleStream, label, visible


def test_nothing_that_a_terminal_obeys_or_utf_8_cannot_write_is_left():
    letters = map(chr, range(sys.maxunicode + 1))
    unseen = [
        letter for letter in letters if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
    ]
    turning = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN")
    joiners = "\u200c\u200d"
    unseen += [
        letter
        for letter in map(chr, range(0x3000))
        if unicodedata.bidirectional(letter) in turning
    ]
    shown = {letter: visible(letter) for letter in unseen if letter not in joiners}
    assert [
        letter for letter, text in shown.items() if not (text.isascii() and text.isprintable())
    ] == []
    assert len(set(shown.values())) == len(shown)


@pytest.mark.parametrize(
    "text", ["", "größe", "学習率", "👩\u200d🔬", "τ = 2 → 3", "100 % of $5\\n", "e\u0301"]
)
def test_what_can_be_seen_stays(text):
    assert visible(text) == text


def test_a_long_text_says_how_long_it_was():
    assert visible("ab\x1b" * 2, most=3) == "ab\\x1b… (6 letters)"
    assert visible("a\tb\nc\r", lines=True) == "a\tb\nc\\r"


def test_labels_that_name_nothing_are_refused_by_name():
    assert label("runs: a label", "a\0b") == "a\\x00b"
    for text, got in [
        (LONGEST * "x" + "y", "201 letters"),
        (" \n", "needs text"),
        ("", "needs text"),
        (3, "needs text"),
    ]:
        with pytest.raises(ValueError, match=rf"^runs: a label: got .*{got}"):
            label("runs: a label", text)


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_the_colours_of_commands_and_nothing_else_that_it_obeys():
    text = "\x1b[32mgood\x1b[0m \x1b]0;title\x07 \x1b[2J \x9b31m \r\n"
    for stream, colour in [
        (Terminal(), ("\x1b[32m", "\x1b[0m")),
        (io.StringIO(), ("\\x1b[32m", "\\x1b[0m")),
    ]:
        assert VisibleStream(stream).write(text) == len(text)
        written = f"{colour[0]}good{colour[1]} \\x1b]0;title\\x07 \\x1b[2J \\x9b31m \\r\n"
        assert stream.getvalue() == written

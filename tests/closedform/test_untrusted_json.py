"""Tests that JSON of any origin gives a plain value of the expected kind, or a ValueError."""

from __future__ import annotations

import pytest

from closedform.untrusted_files import MOST_LEVELS, decoded

TOO_DEEP = r"config: got JSON with more than 100 levels, which no file of ours has"


def nested(levels, opening="[", closing="]"):
    return opening * levels + closing * levels


def test_what_is_meant_is_read():
    assert decoded("config", '{"a": [1, null]}') == {"a": [1, None]}
    assert decoded("config", b'["\xc3\xa9"]', list) == ["é"]
    assert decoded("config", "0.5", object) == 0.5
    assert decoded("config", nested(MOST_LEVELS), list)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (nested(MOST_LEVELS + 1), TOO_DEEP),
        (nested(MOST_LEVELS + 1, '{"a":', "}").replace(":}", ":1}"), TOO_DEEP),
        (nested(500), TOO_DEEP),  # which Python reads
        ("[" * 100_000, TOO_DEEP),  # where it raises RecursionError
        ('{"a":' * 100_000, TOO_DEEP),
        ("[]", "config: got JSON of the kind list, needs an object"),
        ("5", "config: got JSON of the kind int, needs an object"),
        ("", r"config: got Expecting value.*, needs JSON"),
        (b"\xff\xfe\xfd", "config: got .*, needs JSON"),
        ("1" * 5000, "config: got .*, needs JSON"),
        (5, "config: got int, needs JSON text"),
        (None, "config: got NoneType, needs JSON text"),
    ],
)
def test_anything_else_is_refused_by_name(text, message):
    with pytest.raises(ValueError, match=message):
        decoded("config", text)

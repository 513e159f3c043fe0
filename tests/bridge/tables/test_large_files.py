"""Tables of text with more columns, longer lines or more bytes than anybody fits are refused at once."""

import pytest

import bridge
from bridge.tables import reader
from bridge.tables.text_table import MOST_COLUMNS
from closedform.untrusted_files import UnreadableFileError


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",".join(f"c{i}" for i in range(20_000)) + "\n" + 20_000 * "1,", "20,001 columns"),
        (
            "t,dh2\n1,2\n" + 20_000 * "1;",
            "1 field in line 3, where the header has 2, separated by commas",
        ),
        (" ".join(f"column_{i}" for i in range(30_000)) + "\n", "a line of 378,889 characters"),
        ("t,dh2\n" + 2**24 * "1,2\n", "got more than 67,108,864 bytes"),
        ('t,dh2\n"1,2\n' + 10 * "3,4\n", "needs a readable table with a header line"),
        ("", "needs a readable table with a header line"),
    ],
    ids=["columns", "row", "line", "bytes", "quote", "empty"],
)
def test_a_table_that_is_too_large_is_refused(tmp_path, text, message):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(
        UnreadableFileError, match=rf"table\.csv: got .*{message}|table\.csv: {message}"
    ):
        bridge.two_point.fit(path)


def test_a_message_names_some_columns_only(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(",".join(f"c{i}" for i in range(200)) + "\n" + 200 * "1," + "\n")
    with pytest.raises(ValueError, match=r"'c49', 150 more, needs a time column"):
        bridge.two_point.fit(path)


@pytest.mark.slow
def test_the_largest_table_is_read(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(",".join(f"c{i}" for i in range(MOST_COLUMNS)) + "\n")
    assert len(reader.load(path).columns) == MOST_COLUMNS

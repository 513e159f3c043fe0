"""Records of verdicts are shown only where they are those of the ledger, and whole."""

import dataclasses
import json

import pytest

from theory import ledger_records
from theory.core.proof.store import using
from theory.ledger_records import record, recorded

PAPER = "paccolat2021"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A copy of the records of a paper, which is read in their place."""
    copied = tmp_path / "verdicts.json"
    copied.write_bytes(ledger_records._path(PAPER).read_bytes())
    monkeypatch.setattr(ledger_records, "_path", lambda paper: copied)
    return copied


def test_records_are_read_unless_the_store_is_not(file):
    assert recorded(PAPER)
    with using(read=False):
        assert recorded(PAPER) is None


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"digest": 3}', b'{"digest": "0", "entries": 3}', b'{"entries": []}'],
)  # fmt: skip
def test_a_damaged_file_is_no_record(file, content):
    file.write_bytes(content)
    assert recorded(PAPER) is None


def test_a_missing_file_is_no_record(file):
    file.unlink()
    assert recorded(PAPER) is None


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "CONFIRMED"},
        {"verdict": ["MISPRINT"]},
        {"label": "(99)"},
        {"priority": "first"},
        {"witness": {"at": 3}},
        {"corrected": [["formula", "α = 2", r"\alpha = 2"]]},
    ],
)
def test_a_changed_entry_voids_the_record(file, change):
    records = json.loads(file.read_bytes())
    records["entries"][0] |= change
    file.write_text(json.dumps(records), encoding="utf-8")
    assert recorded(PAPER) is None


def test_an_entry_that_was_taken_out_voids_the_record(file):
    records = json.loads(file.read_bytes())
    del records["entries"][0]
    file.write_text(json.dumps(records), encoding="utf-8")
    assert recorded(PAPER) is None


@pytest.mark.parametrize("entries", [3, [3], [{"paper": PAPER}], [{"witness": {"at": 3}}]])
def test_entries_of_another_form_are_no_record_even_with_their_digest(file, entries):
    records = {"digest": ledger_records.digest(PAPER, entries), "entries": entries}
    file.write_text(json.dumps(records), encoding="utf-8")
    assert recorded(PAPER) is None


def test_a_part_of_a_ledger_is_not_recorded(file):
    """Errata would otherwise show the named entries as if they were all."""
    before, entries = file.read_bytes(), recorded(PAPER)
    with pytest.raises(ValueError, match=rf"entries: got 1 of \d+ of {PAPER}, needs all"):
        record(entries[:1])
    with pytest.raises(ValueError, match="needs verdicts that are as declared"):
        record([dataclasses.replace(entries[0], verdict="OPEN")])
    assert file.read_bytes() == before

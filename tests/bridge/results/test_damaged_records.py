"""Records with a flipped bit are read, or refused with their name; nothing else happens."""

import pytest

from bridge.results import record
from closedform.untrusted_files import UnreadableFileError


@pytest.mark.parametrize("flips", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_flipped_bits(flips, tmp_path, rng):
    source = record.home_of("collapse-layers") / "collapse-layers-laptop-fresh.json"
    content, path = source.read_bytes(), tmp_path / source.name
    refused = []
    for _ in range(flips):
        changed = bytearray(content)
        changed[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        try:
            record.load("collapse-layers", tmp_path, fresh=True)
        except UnreadableFileError as error:
            refused.append(str(error))
    print(f"\n{len(refused)} of {flips} damaged records refused")
    assert refused
    assert all(str(path) in message for message in refused)

"""Hashes are the same whoever computes them."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from companion.values.hashing import sha1, sha256


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_agrees_with_hashlib(one: bytes, two: bytes) -> None:
    for new, name in ((sha1, "sha1"), (sha256, "sha256")):
        digest = new()
        digest.update(one)
        digest.update(two)

        assert digest.hexdigest() == hashlib.new(name, one + two).hexdigest()

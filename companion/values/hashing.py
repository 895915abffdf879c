"""SHA-1 and SHA-256 without OpenSSL: `hashlib` loads it, which costs a cold capture more than its
own work.

Where something else has loaded it already, as every night does, its faster code is used.
"""

import sys

from companion.annotations import Any

_WORTH_IT = 4 << 20  # bytes


def sha1() -> Any:
    """Return an empty SHA-1 hash object (git's names for blobs; nothing here is a signature)."""
    if "hashlib" in sys.modules:
        return sys.modules["hashlib"].sha1(usedforsecurity=False)
    try:
        from _sha1 import sha1 as new  # type: ignore[import-not-found]
    except ImportError:  # a Python built without its own hashes
        from hashlib import sha1 as new
    return new(usedforsecurity=False)


def sha256() -> Any:
    """Return an empty SHA-256 hash object."""
    if "hashlib" in sys.modules:
        return sys.modules["hashlib"].sha256(usedforsecurity=False)
    module = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    try:
        new = __import__(module).sha256
    except ImportError:
        from hashlib import sha256 as new
    return new(usedforsecurity=False)


def prepare(size: int) -> None:
    """Load OpenSSL's hashes where *size* bytes are worth it: they are three times as fast."""
    if size >= _WORTH_IT:
        import hashlib  # noqa: F401 - the functions above find it in sys.modules

"""Privacy: secrets are found before anything is stored, and erased words stay out.

The words and tests that the rules for secrets share stand here: a cold capture loads this package
anyway, and one more module would cost it.
"""

from collections.abc import Iterator

# kinds of secrets that two rules can find
AWS_SECRET = "AWS secret access key"
PASSWORD = "password"
# A bare "key" is a word like any other: one of these before it makes it a secret's name.
KEY_OWNERS = (
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "signing",
    "account",
    "master",
    "client",
    "service",
    "app",
    "consumer",
    "fernet",
    "session",
    "shared",
    "storage",
    "application",
    "deploy",
    "admin",
    "server",
)


def mixed(value: str) -> bool:
    """Return whether *value* has both letters and digits."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def places(text: str, needle: str) -> Iterator[int]:
    """Yield where *needle* stands in *text*."""
    start = text.find(needle)
    while start >= 0:
        yield start
        start = text.find(needle, start + len(needle))

"""Counted things in words, alike wherever a person reads them: on the terminal, in commits, in
reasons; and names as they are compared.
"""

from functools import lru_cache


def many(count: int, noun: str) -> str:
    """Return ``1 page``, ``2 pages``, ``1,000 entries``."""
    plural = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


@lru_cache(maxsize=4096)
def comparable_name(name: str) -> str:
    """Return a name as it is compared: the same page of the web is one source, whatever is asked of
    it.
    """
    folded = " ".join(name.casefold().split())
    for scheme in ("https://", "http://"):
        if folded.startswith(scheme):
            return (
                folded.removeprefix(scheme)
                .removeprefix("www.")
                .split("#")[0]
                .split("?")[0]
                .rstrip("/")
            )
    return folded

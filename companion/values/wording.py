"""Counted things in words, alike wherever a person reads them: on the terminal, in commits, in
reasons.
"""


def many(count: int, noun: str) -> str:
    """Return ``1 page``, ``2 pages``, ``1,000 entries``."""
    plural = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"

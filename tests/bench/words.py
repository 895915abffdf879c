"""Words that the benches pass over when they compare values."""

LITTLE_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "and",
        "or",
        "is",
        "was",
        "his",
        "her",
        "their",
        "my",
        "with",
        "from",
        "by",
        "as",
        "about",
        "around",
    ]
)

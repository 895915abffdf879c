"""Words that the benches pass over: when they compare values, and when they rank plainly."""

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

#: of the plain ranking that searches are held against: the usual English list, contractions parted
STOP_WORDS = frozenset(
    word
    for line in (
        "a about above after again against all am an and any are as at be because been before",
        "being below between both but by can could d did do does doing down during each few for",
        "from further had has have having he her here hers herself him himself his how i if in",
        "into is it its itself just ll m me more most my myself no nor not now of off on once",
        "only or other our ours ourselves out over own re s same she should so some such t than",
        "that the their theirs them themselves then there these they this those through to too",
        "under until up ve very was we were what when where which while who whom why will with",
        "would you your yours yourself yourselves",
    )
    for word in line.split()
)

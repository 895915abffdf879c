"""CON-12 broken: any change of a page lets in what contradicts one of its notes."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: it was let in for another note of the page"

within(
    {
        "companion.operations.consolidate.quarantine": """
        def place_again(judged, voices, friction):
            place, words = honest.place_again(judged, voices, friction)
            return place._replace(bucket="mid"), words
    """,
    }
)

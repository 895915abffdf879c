"""TRI-8 broken: every name is a voice, also one that only repeats what another told."""

from honest import within

BREAKS = "TRI-8"
EXPECTS = "TRI-8: a name that only repeats another is a voice"

within(
    {
        "companion.minority.wordings": """
        def credit_voices(notes, first, known):
            return sorted({one for note in notes for one in note.tellings})
    """,
    }
)

"""CON-15 broken: a voice counts by its newest telling, which may only repeat another's words."""

from honest import within

BREAKS = "CON-15"
EXPECTS = "CON-15: a repetition lowered the pressure"

within(
    {
        "companion.minority.wordings": """
        def credit_voices(notes, first, known):
            newest = {}
            for note in notes:
                origin = first.get(note.capture, note.first)
                for telling in note.tellings:
                    voice = voice_of(telling)
                    kept = newest.get(voice)
                    if kept is None or kept[0].seen_at < telling.seen_at:
                        newest[voice] = telling, origin
            credited = set()
            for telling, origin in newest.values():
                own = voice_of(telling) == voice_of(origin) or telling.source in known
                credited.add(telling if own else origin)
            return sorted(credited)
    """,
    }
)

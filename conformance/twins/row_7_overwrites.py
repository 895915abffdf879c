"""ROW-7 broken: the model knows better: what it contradicts gives way."""

from honest import within

BREAKS = "ROW-7"
EXPECTS = "ROW-7: the update has overwritten"

within(
    {
        "companion.maintenance.ask_new_model": """
        def _flag(id, found, verdict):
            gives_way = {"e": "decaying", "entry": id, "by": "", "reason": "the new model knows better"}
            return [*honest._flag(id, found, verdict), gives_way]
    """,
    }
)

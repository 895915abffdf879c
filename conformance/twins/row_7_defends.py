"""ROW-7 broken: no model may question what much rests on."""

from honest import within

BREAKS = "ROW-7"
EXPECTS = "ROW-7: the entry is defended against the update"

within(
    {
        "companion.maintenance.ask_new_model": """
        def _load_bearing(run):
            held = {id for (id,) in run.db.execute("SELECT entry FROM protected")}
            return [id for id in honest._load_bearing(run) if id not in held]
    """,
    }
)

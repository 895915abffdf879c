"""CON-3 broken: a branch is named after the folder in which the wiki lies."""

from honest import within

BREAKS = "CON-3"
EXPECTS = "CON-3: the same snapshot gave two trees"

within(
    {
        "companion.minority.parties.incumbents": """
        import os


        def _slug(path):
            return f"{honest._slug(path)}-{os.path.basename(os.getcwd())}"
    """,
    }
)

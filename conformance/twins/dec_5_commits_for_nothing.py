"""DEC-5 broken: every run leaves a commit."""

from honest import within

BREAKS = "DEC-5"
EXPECTS = "DEC-5: nothing changed, and it was committed"

within(
    {
        "companion.operations.decay.run": """
        def decay(ws, **how):
            from companion.storage.git.command import run_git

            done = honest.decay(ws, **how)
            run_git(ws.place, "commit", "-q", "--allow-empty", "-m", "decay")
            return done
    """,
    }
)

"""ARC-5 broken: every night makes a commit, whether anything came in or not."""

from honest import within

BREAKS = "ARC-5"
EXPECTS = "ARC-5: a cycle without a new note writes"

within(
    {
        "companion.operations.consolidate.run": """
        import subprocess

        def consolidate(ws, *args, **options):
            done = honest.consolidate(ws, *args, **options)
            subprocess.run(
                ["git", "commit", "--allow-empty", "-qm", "slept"],
                cwd=ws.place.worktree,
                check=True,
            )
            return done
    """,
    }
)

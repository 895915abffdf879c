"""ARC-2 broken: a process stays behind that would hand messages on."""

from honest import within

BREAKS = "ARC-1 ARC-2"
EXPECTS = "ARC-2: a process goes on after the cycle"

within(
    {
        "companion.operations.consolidate.run": """
        import subprocess

        def consolidate(ws, *args, **options):
            quiet = subprocess.DEVNULL
            subprocess.Popen(
                ["sleep", "20"], stdin=quiet, stdout=quiet, stderr=quiet
            )
            return honest.consolidate(ws, *args, **options)
    """,
    }
)

"""SCH-3 broken: a run begins although another one holds the wiki."""

from honest import within

BREAKS = "SCH-3"
EXPECTS = "SCH-3: two runs overlapped"

within(
    {
        "companion.storage.files.lock": """
        def _claim(fd, record):
            os.pwrite(fd, record, 0)
    """,
    }
)

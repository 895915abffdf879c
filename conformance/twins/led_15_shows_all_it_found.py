"""LED-15 broken: whatever a question is, five passages are shown."""

from honest import within

BREAKS = "LED-15"
EXPECTS = "LED-15: k is not adaptive"

within(
    {
        "companion.answers.notes.passages": """
        def keep_related(fused, scores, *, most=MOST):
            return [(item, found_by) for item, _, found_by in fused][:most]
    """,
    }
)

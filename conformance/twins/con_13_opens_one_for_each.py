"""CON-13 broken: whatever contradicts gets a branch of its own, and nothing waits in the extended
buffer.
"""

from honest import within

BREAKS = "CON-13"
EXPECTS = "CON-13: not one branch for the cluster alone"

within(
    {
        "companion.minority.plan": """
        def _explain_extension(candidate, clustered, standing, replaced):
            return None
    """,
    }
)

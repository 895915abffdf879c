"""FED-2 broken: beside its signals a topic is told with how often its pages were opened."""

from honest import within

BREAKS = "FED-2"
EXPECTS = "FED-2: other things are told"

within(
    {
        "companion.federation.messages": """
        def describe_topic(title, places, signal):
            return {**honest.describe_topic(title, places, signal), "opened": 7}
    """,
    }
)

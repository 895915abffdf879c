"""FED-2 broken: formal authority is told as gravity."""

from honest import within

BREAKS = "FED-2"
EXPECTS = "FED-2: formal authority (is not told|counts as dependents)"

within(
    {
        "companion.federation.tell": """
        def list_topics(run):
            topics = []
            for topic in honest.list_topics(run):
                signal = topic.signal
                gravity = min(15, signal.gravity + 5 * signal.authority)
                topics.append(topic._replace(signal=signal._replace(gravity=gravity)))
            return topics
    """,
    }
)

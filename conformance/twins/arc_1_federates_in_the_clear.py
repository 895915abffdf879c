"""ARC-1 broken: a unit's calls are answered to anybody, and in the clear."""

from honest import within

BREAKS = "ARC-1"
EXPECTS = "ARC-1: federation is no gRPC"

within(
    {
        "companion.federation.transport": """
        def serve(unit, keys, relay, address, week):
            import grpc

            server = grpc.server(futures.ThreadPoolExecutor(max_workers=1))
            port = server.add_insecure_port(address)
            server.start()
            return server, port
    """,
    }
)

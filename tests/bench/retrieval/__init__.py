"""Search against plain BM25, on conversations that others published."""

"""The reader of a source: what the wiki shows of them, how deep they work, when they moved."""

"""The report: one HTML page about a wiki. `collect` reads, `figures` draw, `page` writes."""

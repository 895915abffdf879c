"""Read what stands beside the wiki: minority branches and quarantine."""

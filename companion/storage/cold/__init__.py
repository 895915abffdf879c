"""The cold tier: originals as they came in, containers as their parts, objects of cold memory."""

"""Containers at the door: split by byte ranges, without interpretation (CTX-2)."""

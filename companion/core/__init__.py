"""The pure core: no I/O, no clock, no randomness; returns plans whose every verdict carries its reason."""

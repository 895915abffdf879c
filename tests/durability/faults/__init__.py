"""Faults at every durable step of every verb: kills, refusing disks, power cuts, and mutants of the
protocol.

`python -m tests.durability.faults` runs it; tests/README.md says what it covers and how a new
operation joins.
"""

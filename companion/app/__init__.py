"""Gather, plan, act: one function per verb, called by the command line."""

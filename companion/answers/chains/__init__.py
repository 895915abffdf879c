"""Chains of claims that answer a question: the walk, what a step covers, and which chain fits."""

"""Gather an existing wiki: pages of one note go to the pages of their subjects and days."""

"""Overviews: pages by what they are, what one page is linked with, and what came in on a day."""

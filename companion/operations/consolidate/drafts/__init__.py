"""The texts of the pages that a night writes: pure, from a plan to Markdown."""

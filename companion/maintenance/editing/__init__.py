"""Pages in a person's own editor, and what they saved there taken in."""

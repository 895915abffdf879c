"""What a remote brings and gets: notes, pages, and the way back."""

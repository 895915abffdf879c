"""Which names of pages a note says, and whether they are those of others."""

"""Names of pages and branches: file names and slugs."""

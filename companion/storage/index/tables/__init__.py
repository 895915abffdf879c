"""One file a subject: its tables, and how events become rows."""

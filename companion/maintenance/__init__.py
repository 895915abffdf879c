"""Setting a wiki up and keeping it well."""

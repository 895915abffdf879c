"""Ask the judges of a night how captures stand to other texts."""

"""What authors write, as typed immutable objects."""

"""The screens. Only this room imports textual."""

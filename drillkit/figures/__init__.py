"""Figures: parameters -> a drawing in text and its numbers; no screen."""

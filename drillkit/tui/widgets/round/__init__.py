"""The parts of the screen of a running design round."""

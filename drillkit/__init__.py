"""drillkit: ten minutes a morning until your machine-learning-systems interview."""

__version__ = "0.1.0"

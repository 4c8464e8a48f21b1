"""What a formula accepts: checks that name the offending argument, and rounding up a count."""

from __future__ import annotations

import math

# A count worked out in floating point, such as 7 × 0.8 / 0.2, may land this far above its integer.
_NOISE = 1e-9


def positive(**values: float) -> None:
    """Raise `ValueError` for the first value that is not a finite number above zero."""
    for name, value in values.items():
        if not (0 < value < math.inf):
            raise ValueError(f"{name} must be a finite number above 0, not {value}")


def at_least(low: float, **values: float) -> None:
    """Raise `ValueError` for the first value that is not a finite number of at least `low`."""
    for name, value in values.items():
        if not (low <= value < math.inf):
            raise ValueError(f"{name} must be a finite number of at least {low}, not {value}")


def fraction(**values: float) -> None:
    """Raise `ValueError` for the first value outside 0 < value ≤ 1."""
    for name, value in values.items():
        if not (0 < value <= 1):
            raise ValueError(f"{name} must be a fraction above 0 and at most 1, not {value}")


def round_up(count: float) -> int:
    """Return the smallest whole number that is not below `count`.

    An excess of one part in 10⁹ is floating-point noise and is dropped, so 28.000000000000004
    gives 28. Raises `ValueError` when `count` is not finite.
    """
    if not math.isfinite(count):
        raise ValueError(f"a count must be finite, not {count}")
    nearest = round(count)
    if abs(count - nearest) <= _NOISE * max(1.0, abs(count)):
        return nearest
    return math.ceil(count)

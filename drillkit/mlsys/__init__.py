"""The field itself: formulas, presets and simulators of training at scale, each with its source.

Everything here is pure. Arguments and results are in SI base units (bytes, seconds, FLOPs, counts)
with the unit in the name; bandwidths are per direction; 1 GB is 10⁹ bytes and FLOP/s are dense
bf16. A call outside a formula's domain raises `ValueError` that names the argument.
"""

"""Accelerators, links and stores as their vendors rate them.

FLOP/s are dense bf16 (vendors often print the figure with 2:4 sparsity, twice as high). A link's
rate is per direction and per GPU, half of the aggregate that NVLink is sold by. Memory is decimal:
80 GB is 80 × 10⁹ bytes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A connection of one GPU: bytes per second in one direction, and seconds per message.

    `latency_s` (α) is an order of magnitude, not a datasheet figure.
    """

    name: str
    bytes_per_s: float
    latency_s: float
    source: str


@dataclass(frozen=True)
class Gpu:
    """An accelerator: dense bf16 FLOP/s, memory bandwidth and size, and its link inside a node."""

    name: str
    flops_per_s: float
    hbm_bytes_per_s: float
    memory_bytes: float
    nvlink: Link
    source: str

    @property
    def ridge_flops_per_byte(self) -> float:
        """Return the arithmetic intensity at which the two roofs meet, in FLOP per byte."""
        return self.flops_per_s / self.hbm_bytes_per_s


@dataclass(frozen=True)
class Store:
    """Where data and checkpoints live: sustained bytes per second for the whole job."""

    name: str
    bytes_per_s: float
    source: str


NVLINK_3 = Link(
    "NVLink 3", 300e9, 2e-6, "NVIDIA A100 datasheet: 600 GB/s in both directions together"
)
NVLINK_4 = Link(
    "NVLink 4", 450e9, 2e-6, "NVIDIA H100 datasheet: 900 GB/s in both directions together"
)
NVLINK_5 = Link(
    "NVLink 5", 900e9, 2e-6, "NVIDIA HGX B200 datasheet: 1.8 TB/s in both directions together"
)
INFINIBAND_HDR = Link("InfiniBand HDR", 25e9, 5e-6, "InfiniBand HDR: 200 Gb/s a 4x port")
INFINIBAND_NDR = Link("InfiniBand NDR", 50e9, 5e-6, "InfiniBand NDR: 400 Gb/s a 4x port")
INFINIBAND_XDR = Link("InfiniBand XDR", 100e9, 5e-6, "InfiniBand XDR: 800 Gb/s a 4x port")
PCIE_4 = Link("PCIe 4.0 x16", 32e9, 5e-6, "PCI-SIG: 16 GT/s × 16 lanes, before line coding")
PCIE_5 = Link("PCIe 5.0 x16", 64e9, 5e-6, "PCI-SIG: 32 GT/s × 16 lanes, before line coding")

A100 = Gpu(
    "A100 80GB SXM",
    312e12,
    2.04e12,
    80e9,
    NVLINK_3,
    "NVIDIA A100 datasheet: 312 TFLOP/s bf16, 2,039 GB/s, 80 GB",
)
H100 = Gpu(
    "H100 SXM",
    989e12,
    3.35e12,
    80e9,
    NVLINK_4,
    "NVIDIA H100 datasheet: 1,979 TFLOP/s bf16 with sparsity, 3.35 TB/s, 80 GB",
)
H200 = Gpu(
    "H200 SXM",
    989e12,
    4.8e12,
    141e9,
    NVLINK_4,
    "NVIDIA H200 datasheet: 1,979 TFLOP/s bf16 with sparsity, 4.8 TB/s, 141 GB",
)
B200 = Gpu(
    "B200 SXM",
    2.25e15,
    8e12,
    180e9,
    NVLINK_5,
    "NVIDIA DGX B200 datasheet, per GPU of 8: 4.5 PFLOP/s bf16 with sparsity, 8 TB/s, 180 GB",
)

NVME_4 = Store("NVMe PCIe 4.0 x4 drive", 7e9, "vendor datasheets: about 7 GB/s sequential read")
TECTONIC = Store(
    "Tectonic (Llama 3)", 2e12, "Llama 3 (arXiv:2407.21783), §3.3.1: 2 TB/s sustained, 7 TB/s peak"
)

GPUS = {"a100": A100, "h100": H100, "h200": H200, "b200": B200}
LINKS = {
    "nvlink-3": NVLINK_3,
    "nvlink-4": NVLINK_4,
    "nvlink-5": NVLINK_5,
    "infiniband-hdr": INFINIBAND_HDR,
    "infiniband-ndr": INFINIBAND_NDR,
    "infiniband-xdr": INFINIBAND_XDR,
    "pcie-4": PCIE_4,
    "pcie-5": PCIE_5,
}
STORES = {"nvme-4": NVME_4, "tectonic": TECTONIC}

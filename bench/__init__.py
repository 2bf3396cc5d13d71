"""Benchmarks that need data or other programs: each figure with its target and, if available, that of other systems."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

"""Reads and verifies the files of a model folder, with few imports: a command may need nothing else of this package."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelDamaged, ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

CARD = "model.json"


def read_json(file: str | Path) -> dict[str, Any]:
    """Reads a JSON object; raises ModelMissing or ModelDamaged."""
    try:
        with open(file, encoding="utf-8") as opened:
            fields = json.load(opened)
    except FileNotFoundError:
        raise ModelMissing(f"{os.path.dirname(file)} has no {os.path.basename(file)}") from None
    except OSError as error:
        raise ModelMissing(f"{file} cannot be read ({error.strerror})") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelDamaged(f"{file} is not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise ModelDamaged(f"{file} is not a JSON object")
    return fields


def verify_file(file: str | Path, expected: str) -> None:
    """Raises ModelDamaged if a file is missing or has another sha256; takes 10 ms for 12 MB."""
    if not os.path.isfile(file):
        raise ModelDamaged(f"{os.path.basename(file)} is missing from {os.path.dirname(file)}")
    if sha256(file) != expected:
        raise ModelDamaged(f"{file} has changed")


def sha256(file: str | Path) -> str:
    """Returns the hash of a file."""
    # Imported late, because the import takes longer than the first static vector.
    import hashlib

    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()

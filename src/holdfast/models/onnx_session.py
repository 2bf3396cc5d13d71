"""Runs ONNX graphs on this machine's CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelDamaged, ModelError
from holdfast.models.native_calls import NATIVE

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.models.protocols import Vectors


def open_session(file: str | Path, threads: int) -> Any:
    """Loads a graph; raises ModelDamaged."""
    with NATIVE:
        return _opened(file, threads)


def _opened(file: str | Path, threads: int) -> Any:
    onnxruntime = _onnxruntime()
    state = onnxruntime.capi.onnxruntime_pybind11_state
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Without this, waiting threads occupy a core each between two texts.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The default doubles the arena and keeps the memory that a rare long text needed once.
    growth = {"arena_extend_strategy": "kSameAsRequested"}
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=[("CPUExecutionProvider", growth)])
    except (state.Fail, state.InvalidGraph, state.InvalidProtobuf, state.NoSuchFile, state.NotImplemented) as error:
        raise ModelDamaged(f"{file} cannot be loaded ({_first_line(error)})") from error


def run(session: Any, output: str, feed: Mapping[str, Any], name: str) -> Any:
    """Runs a graph on one text; raises ModelError, which names the model."""
    with NATIVE:
        state = _onnxruntime().capi.onnxruntime_pybind11_state
        try:
            return session.run([output], feed)[0]
        except (state.Fail, state.InvalidArgument, state.RuntimeException) as error:
            raise ModelError(f"{name} failed on a text ({_first_line(error)})") from error


def unit(vectors: Vectors) -> Vectors:
    """Scales vectors to length one."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = vectors / np.maximum(lengths, 1e-12)
    return scaled


def _onnxruntime() -> Any:
    """Imports onnxruntime with its telemetry switched off. Every use of onnxruntime goes through here.

    Since version 1.30 onnxruntime writes a device id under ~/.cache/Microsoft and sends events to Microsoft. It reads
    the variable once, when it is first imported; `disable_telemetry_events()` comes too late and stops neither.

    Its native code imports parts of numpy without waiting for a thread that is importing numpy: both imports then fail.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import numpy  # noqa: F401 - waits until numpy is complete, whichever thread imports it
    import onnxruntime

    return onnxruntime


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]

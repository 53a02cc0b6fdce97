"""The bytes of the robot-policy convention, as ``openpi-client`` packs them.

msgpack, in which an array is ``{b"__ndarray__": True, b"data": bytes, b"dtype": "<f4", b"shape":
[h, w]}`` and a scalar of NumPy's ``{b"__npgeneric__": True, b"data": 1.0, b"dtype": "<f4"}``: keys
are bytes, not text. Nothing in it names a type of Python's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgpack
import numpy as np

from navproof.agents.wire import WireError

__all__ = ["pack_policy", "unpack_policy"]

_KINDS = "biuf"


def pack_policy(message: Mapping[str, Any]) -> bytes:
    """The bytes of a message, which may hold arrays."""
    packed: bytes = msgpack.packb(message, default=_described)
    return packed


def unpack_policy(data: bytes) -> dict[Any, Any]:
    """The message in the bytes, with arrays in it; a ``WireError`` where there is none."""
    try:
        message = msgpack.unpackb(data, object_hook=_array, strict_map_key=True)
    except WireError:
        raise
    except Exception as error:  # msgpack has a family of its own, and RecursionError
        raise WireError(f"it is not msgpack ({type(error).__name__})") from None
    if not isinstance(message, dict):
        raise WireError("it is not a map")
    return message


def _described(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _KINDS:
            raise WireError(f"arrays of type {value.dtype} do not travel")
        return {
            b"__ndarray__": True,
            b"data": np.ascontiguousarray(value).data.cast("B") if value.size else b"",
            b"dtype": value.dtype.str,
            b"shape": value.shape,
        }
    if isinstance(value, np.generic):
        return {b"__npgeneric__": True, b"data": value.item(), b"dtype": value.dtype.str}
    raise WireError(f"a {type(value).__name__} does not travel")


def _array(found: dict[Any, Any]) -> Any:
    """What a map stands for: an array, a scalar, or itself."""
    told = {key.decode() if isinstance(key, bytes) else key: held for key, held in found.items()}
    if "__ndarray__" not in told and "__npgeneric__" not in told:
        return found
    try:
        dtype = np.dtype(told["dtype"])
        if dtype.kind not in _KINDS:
            raise ValueError
        if "__npgeneric__" in told:
            if not isinstance(told["data"], bool | int | float):
                raise ValueError
            return dtype.type(told["data"])
        return np.frombuffer(told["data"], dtype).reshape(told["shape"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise WireError("an array is not described as one") from None

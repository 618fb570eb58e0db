"""Number formats, and the arrays that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._native import InputError

#: A scalar type for each format that NumPy or ml_dtypes has one for. TF32 is written as the FP32 that holds it.
_TYPES: dict[str, Any] = {
    "fp64": np.float64,
    "fp32": np.float32,
    "tf32": np.float32,
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "int32": np.int32,
    "int16": np.int16,
    "uint16": np.uint16,
    "int8": np.int8,
    "uint8": np.uint8,
    "int4": ml_dtypes.int4,
    "uint4": ml_dtypes.uint4,
}


@dataclass(frozen=True)
class Scales:
    """One scale, in the format `format`, for each `per` products that stand beside each other."""

    format: str
    per: int


@dataclass(frozen=True)
class Formats:
    """The formats of d = c + a·b by their names: ``"fp16"``, ``"e4m3"``, ``"int8"``, ... (docs/models.md).

    `c` is None for a unit that computes the products' sum alone.
    """

    a: str
    b: str
    c: str | None
    d: str
    sa: Scales | None = None
    sb: Scales | None = None

    @classmethod
    def of(cls, formats: FormatsLike) -> Formats:
        """From text (``"fp16,fp16,fp32,fp32"``: a, b, c, d; c may be ``none``), a mapping, or formats themselves.

        Raises InputError.
        """
        if isinstance(formats, Formats):
            return formats
        if isinstance(formats, str):
            return cls._from_native(_native.formats_of(formats))
        try:
            return cls(**formats)
        except TypeError as problem:
            raise InputError(f"formats: expected a, b, c, d and perhaps sa, sb: {problem}") from None

    @classmethod
    def _from_native(cls, native: _native.Formats) -> Formats:
        def scales(of: _native.ScaleFormat | None) -> Scales | None:
            return None if of is None else Scales(of.format, of.per)

        return cls(native.a, native.b, native.c, native.d, scales(native.sa), scales(native.sb))

    def _native(self) -> _native.Formats:
        def scales(of: Scales | None) -> _native.ScaleFormat | None:
            return None if of is None else _native.ScaleFormat(of.format, of.per)

        return _native.Formats(self.a, self.b, self.c, self.d, scales(self.sa), scales(self.sb))


#: What functions take for formats.
FormatsLike = Formats | str | Mapping[str, Any]


def dtype_of(format: str, *, patterns: bool = False) -> np.dtype[Any]:
    """The dtype of arrays in a format: NumPy's, ml_dtypes', or where there is none (``ue4m3``, ``b1``), or with
    `patterns`, the narrowest unsigned integer that holds a bit pattern. Raises InputError for an unknown name.
    """
    bits = _native.format_facts(format).bits
    if not patterns and format in _TYPES:
        own: np.dtype[Any] = np.dtype(_TYPES[format])
        return own
    return np.dtype(f"u{next(size for size in (1, 2, 4, 8) if 8 * size >= bits)}")


def to_patterns(values: NDArray[Any], format: str, what: str, patterns: bool) -> NDArray[np.uint64]:
    """The bit patterns of an array that has the format's dtype. Raises InputError, naming `what`, if it has not."""
    return np.ascontiguousarray(to_containers(values, format, what, patterns), dtype=np.uint64)


def to_containers(values: NDArray[Any], format: str, what: str, patterns: bool) -> NDArray[Any]:
    """The same, as unsigned integers of the array's own width: often the array itself, seen so."""
    expected = dtype_of(format, patterns=patterns)
    if patterns and values.dtype.kind == "u":
        return np.require(values, values.dtype.newbyteorder("="), ["C", "ALIGNED"])
    if values.dtype != expected:
        kind = "bit patterns, of an unsigned dtype as" if patterns else "dtype"
        raise InputError(f"{what}: expected {kind} {expected.name} ({format}), found {values.dtype.name}")
    container = np.dtype(f"u{expected.itemsize}")
    words: NDArray[Any] = np.require(values, expected, ["C", "ALIGNED"]).view(container)
    # Dtypes of less than a byte stand in one, whose other bits say nothing.
    bits = _native.format_facts(format).bits
    return words if bits == 8 * expected.itemsize else words & container.type(2**bits - 1)


def from_patterns(words: NDArray[np.uint64], format: str, patterns: bool) -> NDArray[Any]:
    """Bit patterns as an array of the format's dtype, of the same shape."""
    expected = dtype_of(format, patterns=patterns)
    if format == "int4" and not patterns:  # its byte has the sign in all upper bits
        words = (words ^ np.uint64(8)) - np.uint64(8)
    return words.astype(np.dtype(f"u{expected.itemsize}")).view(expected)


def as_array(values: ArrayLike, format: str, patterns: bool) -> NDArray[Any]:
    """Arrays as they are; numbers and lists of them as NumPy makes the format's dtype of them."""
    if hasattr(values, "dtype"):
        return np.asarray(values)
    return np.asarray(values, dtype=dtype_of(format, patterns=patterns))

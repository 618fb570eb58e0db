"""Inputs and observations as arrays of the formats' dtypes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._formats import Formats, FormatsLike, as_array, from_patterns, to_patterns
from ._native import InputError

if TYPE_CHECKING:
    from ._model import Model

#: Bit patterns of (a, b, c, sa, sb): uint64, unless they were asked for in the arrays' own width.
Words = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None, NDArray[Any] | None, NDArray[Any] | None]
#: How an array of a format becomes bit patterns: `to_patterns` or `to_containers`.
ToPatterns = Callable[[NDArray[Any], str, str, bool], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Observations:
    """Inputs of a unit of K products, and what it gave for them.

    Arrays of the formats' dtypes (`mmaprint.dtype_of`), or of unsigned bit patterns:
    `a` and `b` have the shape (n, k), `c` and `d` (n,), scales (n, ceil(k / per)). `c` is None where the unit has none.
    """

    a: ArrayLike
    b: ArrayLike
    c: ArrayLike | None
    d: ArrayLike
    sa: ArrayLike | None = None
    sb: ArrayLike | None = None

    def __len__(self) -> int:
        return int(np.asarray(self.d).shape[0])

    def __repr__(self) -> str:
        return f"<Observations: {len(self)} inputs, a of shape {np.asarray(self.a).shape}>"

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], *, k: int, formats: FormatsLike, patterns: bool = False
    ) -> Observations:
        """Reads recorded observations, JSON Lines as docs/models.md describes them.

        `k` is the number of products; `formats` are those of lines that do not tell theirs. Raises InputError: file,
        line, field, what was expected.
        """
        of = Formats.of(formats)
        return cls._from_words(_native.read_observed(os.fspath(path), k, of._native()), of, patterns)

    @classmethod
    def _from_words(cls, words: tuple[Any, ...], formats: Formats, patterns: bool) -> Observations:
        *inputs, d = words
        a, b, c, sa, sb = arrays(tuple(inputs), formats, patterns)
        return cls(a, b, c, from_patterns(d, formats.d, patterns), sa, sb)

    def _words(self, k: int, formats: Formats, patterns: bool) -> tuple[Words, NDArray[np.uint64]]:
        inputs = words_of(self.a, self.b, self.c, self.sa, self.sb, k, formats, patterns)
        return inputs, role_words(self.d, formats.d, "d", (inputs[0].shape[0],), patterns)


def role_words(
    values: ArrayLike, format: str, what: str, shape: tuple[int, ...], patterns: bool, to: ToPatterns = to_patterns
) -> NDArray[Any]:
    """The bit patterns of one role's array, which has to have the shape: uint64, or what `to` makes of them."""
    array = as_array(values, format, patterns)
    if array.shape != shape:
        raise InputError(f"{what}: expected an array of shape {shape}, found {array.shape}")
    return to(array, format, what, patterns)


def words_of(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None,
    sa: ArrayLike | None,
    sb: ArrayLike | None,
    k: int,
    formats: Formats,
    patterns: bool,
    to: ToPatterns = to_patterns,
) -> Words:
    """Bit patterns of n inputs. Raises InputError for other shapes, dtypes, or operands that the unit lacks."""
    first = as_array(a, formats.a, patterns)
    if first.ndim != 2 or first.shape[1] != k:
        raise InputError(f"a: expected an array of shape (n, {k}), found {first.shape}")
    n = first.shape[0]

    def optional(values: ArrayLike | None, format: str | None, what: str, shape: tuple[int, ...]) -> Any:
        if (values is None) != (format is None):
            raise InputError(f"{what}: expected {'none' if format is None else 'an array'}, as formats say")
        return None if values is None or format is None else role_words(values, format, what, shape, patterns, to)

    def scales(values: ArrayLike | None, what: str) -> Any:
        of = getattr(formats, what)
        blocks = 0 if of is None else -(-k // of.per)
        return optional(values, None if of is None else of.format, what, (n, blocks))

    return (
        role_words(first, formats.a, "a", (n, k), patterns, to),
        role_words(b, formats.b, "b", (n, k), patterns, to),
        optional(c, formats.c, "c", (n,)),
        scales(sa, "sa"),
        scales(sb, "sb"),
    )


def arrays(words: tuple[Any, ...], formats: Formats, patterns: bool) -> tuple[Any, ...]:
    """(a, b, c, sa, sb) in the formats' dtypes; None where the unit has no such operand."""
    names = (formats.a, formats.b, formats.c, *(None if s is None else s.format for s in (formats.sa, formats.sb)))
    return tuple(
        None if name is None else from_patterns(np.zeros(0, np.uint64) if w is None else w, name, patterns)
        for w, name in zip(words, names, strict=True)
    )


def observed_words(observed: Observations, model: Model, patterns: bool) -> tuple[Words, NDArray[np.uint64]]:
    """The bit patterns of observations of a model's shape."""
    return observed._words(model.k, model.formats, patterns)

"""Models: how a unit computes, or a hypothesis about it."""

from __future__ import annotations

import html
import json
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import role_words, words_of
from ._formats import Formats, as_array, from_patterns, to_containers
from ._native import InputError


class Model:
    """How a matrix-multiply unit computes d = c + a·b; a partial model states some features and leaves others free.

    Models are made by `from_file`, `from_json` and `catalogued`, and found by `mmaprint.identify`. Called on arrays,
    a model gives what the unit gives, bit by bit.
    """

    def __init__(self, native: _native.Model) -> None:
        """Not for users: see `from_file`, `from_json`, `catalogued`."""
        self._native = native
        self._formats = Formats._from_native(native.formats)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, an identification document, or a certificate directory. Raises InputError."""
        return cls(_native.Model.open(os.fspath(path)))

    @classmethod
    def from_json(cls, document: str | dict[str, Any]) -> Model:
        """From a model document or an identification document, as text or as what json.loads makes of it.

        Raises InputError.
        """
        return cls(_native.Model.from_json(document if isinstance(document, str) else json.dumps(document)))

    @classmethod
    def catalogued(cls, name: str) -> Model:
        """A catalogued unit's model: ``"a100#mma.m16n8k8.f32.f16.f16.f32"`` (`mmaprint.catalogue` lists the names).

        Raises InputError for an unknown name.
        """
        return cls(_native.Model.open(name if name.startswith("sim:") else "sim:" + name))

    @property
    def instruction(self) -> str:
        """What the unit's instruction is called."""
        return self._native.instruction

    @property
    def k(self) -> int:
        """Products of one result."""
        return self._native.k

    @property
    def formats(self) -> Formats:
        """The formats of a, b, c and d."""
        return self._formats

    @property
    def is_partial(self) -> bool:
        """It states some features and leaves the others free; it cannot be called then."""
        return self._native.is_partial

    @property
    def features(self) -> dict[str, Any]:
        """What a report says about the unit (docs/models.md#features); of a partial model what it states."""
        features: dict[str, Any] = json.loads(self._native.features_json())
        return features

    def to_json(self, *, indent: int | None = None) -> str:
        """The document ``mmaprint/model/1`` as text."""
        text = self._native.to_json()
        return text if indent is None else json.dumps(json.loads(text), indent=indent, ensure_ascii=False)

    def __call__(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike | None = None,
        *,
        sa: ArrayLike | None = None,
        sb: ArrayLike | None = None,
        patterns: bool = False,
    ) -> Any:
        """d for n inputs: `a` and `b` of shape (n, k), `c` of shape (n,) or one value for all; d has the shape (n,).

        `a` and `b` of shape (k,) are one input, and d is one value. Arrays have the formats' dtypes
        (`mmaprint.dtype_of`), d too; with `patterns` they are unsigned integers that hold bit patterns. `sa` and `sb`
        are scales, (n, ceil(k / per)), of units that have them. Raises InputError.
        """
        of = self._formats
        first = as_array(a, of.a, patterns)
        single = first.ndim == 1

        def rows(values: ArrayLike | None, format: str) -> Any:
            if values is None or not single:
                return values
            array = as_array(values, format, patterns)
            return array[np.newaxis] if array.ndim == 1 else array

        if c is not None and of.c is not None:
            addend = as_array(c, of.c, patterns)
            n = 1 if single else first.shape[0] if first.ndim > 0 else 0
            c = np.broadcast_to(addend, (n,)) if addend.ndim == 0 else addend
        operands = rows(first, of.a), rows(b, of.b), c
        scales = (rows(s, "" if f is None else f.format) for s, f in ((sa, of.sa), (sb, of.sb)))
        if of.sa is None and of.sb is None:
            *arrays, _, _ = words_of(*operands, *scales, self.k, of, patterns, to_containers)
            words = self._native.results_of_arrays(*arrays)
        else:
            words = self._native.results(words_of(*operands, *scales, self.k, of, patterns))
        d = from_patterns(words, of.d, patterns)
        return d[0] if single else d

    def __eq__(self, other: object) -> bool:
        return self._native.equals(other._native) if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._native.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        of = self._formats
        kind = "hypothesis about " if self.is_partial else ""
        return f"<mmaprint.Model: {kind}{self.instruction}, {of.a}·{of.b}{f' + {of.c}' if of.c else ''} → {of.d}, K = {self.k}>"

    def __str__(self) -> str:
        """The tree of adders, each one's datapath, the features."""
        return self._native.text()

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        return f"<pre>{html.escape(str(self))}</pre>"


def catalogue() -> list[str]:
    """The names of all catalogued models, as `Model.catalogued` takes them."""
    return [name.removeprefix("sim:") for name in _native.catalogued_names()]


def simulate(
    model: Model | str,
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    *,
    sa: ArrayLike | None = None,
    sb: ArrayLike | None = None,
    patterns: bool = False,
) -> Any:
    """What a model, or the catalogued one of a name, gives for n inputs: see `Model.__call__`."""
    return (Model.catalogued(model) if isinstance(model, str) else model)(a, b, c, sa=sa, sb=sb, patterns=patterns)


def gemm(
    model: Model | str,
    A: ArrayLike,
    B: ArrayLike,
    C: ArrayLike | None = None,
    *,
    patterns: bool = False,
) -> Any:
    """C + A·B as a model's unit multiplies matrices, or that of the catalogued one of a name, bit by bit.

    `A` has the shape (m, k), `B` (k, n), `C` (m, n), or is None, which is all +0 (and the only choice in a unit without
    c); the result is (m, n). Each element is a chain over k in index order: the unit adds the first K products to c, the
    next K to the d of that, and so on; where k is no multiple of K the last step has products +0·+0 at its end.

    Arrays have the formats' dtypes (`mmaprint.dtype_of`); with `patterns` they are unsigned integers that hold bit
    patterns. Raises InputError, also for a unit with scales, and for one that cannot go on from its own d (it has no c,
    or one of another format) where k is larger than K. All cores compute, without Python's lock.
    """
    unit = Model.catalogued(model) if isinstance(model, str) else model
    of = unit.formats
    first, second = as_array(A, of.a, patterns), as_array(B, of.b, patterns)
    if first.ndim != 2:
        raise InputError(f"A: expected an array of shape (m, k), found {first.shape}")
    if second.ndim != 2 or second.shape[0] != first.shape[1]:
        raise InputError(f"B: expected an array of shape ({first.shape[1]}, n), found {second.shape}")
    if C is not None and of.c is None:
        raise InputError("C: expected none, as formats say")
    m, n = first.shape[0], second.shape[1]
    d = unit._native.gemm(
        role_words(first, of.a, "A", first.shape, patterns),
        role_words(second, of.b, "B", second.shape, patterns),
        None if C is None or of.c is None else role_words(C, of.c, "C", (m, n), patterns),
    )
    return from_patterns(d.reshape(m, n), of.d, patterns)

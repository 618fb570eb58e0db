"""identify, check, distinguish: what is asked about units and models."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Observations, arrays, observed_words
from ._formats import Formats, FormatsLike, from_patterns, to_patterns
from ._model import Model
from ._native import DeviceError, InputError


class IdentificationVerdict(StrEnum):
    """How an identification ends."""

    UNIQUE = "unique"
    """One hypothesis is left."""
    EQUIVALENT = "equivalent"
    """Several are left, and are proved to agree on every input."""
    NONE = "none"
    """Nothing that is searched explains the unit."""
    UNKNOWN = "unknown"
    """A limit was reached; `reason` says which."""


class CheckVerdict(StrEnum):
    """How a check ends."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNKNOWN = "unknown"


class DistinctionVerdict(StrEnum):
    """How a comparison of two models ends."""

    DIFFERENT = "different"
    EQUIVALENT = "equivalent"
    """Proved: no input tells them apart."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Progress:
    """How far an identification has come."""

    hypotheses: float
    """That fit so far."""
    observations: int
    seconds: float
    """Since it began."""
    doing: str


class _Printed:
    """A result that is printed as the commands print it."""

    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True, eq=False, repr=False)
class Identification(_Printed):
    """What was found about a unit."""

    verdict: IdentificationVerdict
    model: Model | None
    """What remains: one model that stands for all that are left. Of `none` the one that explains most, if any."""
    reason: str
    """Why the verdict is unknown, or what is said besides of `none`; else empty."""
    observed: Observations
    """The inputs that told hypotheses apart, and the results."""
    conflict: list[int]
    """Of `none`: observations, from 0, that refute everything."""
    document: dict[str, Any]
    """The document ``mmaprint/identification/1`` (docs/commands.md)."""
    text: str
    """What the command prints."""

    def __repr__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"<mmaprint.Identification: {self.verdict}{why}, {len(self.observed)} observations, {self.model!r}>"


@dataclass(frozen=True)
class Refuting:
    """An observation that takes part in a refutation."""

    index: int
    """Among those that were checked, from 0."""
    predicted: Any
    """What the model gives, of d's dtype; of a partial model its nearest completion, or None."""


@dataclass(frozen=True, eq=False, repr=False)
class Check(_Printed):
    """Whether a model is consistent with observations."""

    verdict: CheckVerdict
    reason: str
    refuting: list[Refuting]
    """Of `inconsistent`: enough to refute the model, or all completions of a partial one."""
    smallest: bool
    """No fewer observations do."""
    contradictory: bool
    """The two of `refuting` have one input and different results."""
    disagreeing: int
    """Observations that the model (or `completion`) does not give."""
    completion: Model | None
    """Of a partial model: one that explains all, or of an inconsistent one the one that explains most."""
    document: dict[str, Any]
    """The document ``mmaprint/check/1`` (docs/commands.md); `line` counts observations from 1."""
    text: str

    def __repr__(self) -> str:
        return f"<mmaprint.Check: {self.verdict}, refuted by {len(self.refuting)} of the observations>"


@dataclass(frozen=True, eq=False)
class Witness:
    """A smallest input on which two models differ, of the formats' dtypes."""

    a: NDArray[Any]
    """(k,)"""
    b: NDArray[Any]
    """(k,)"""
    c: Any
    """One value; None where the units have none."""
    d: tuple[Any, Any]
    """What the first model gives, and the second."""
    sa: NDArray[Any] | None
    sb: NDArray[Any] | None
    nonzero_products: int
    significand_bits: int
    """Set digits of the significands of a, b and c together."""
    fewest_products: bool
    """Proved: fewer products do not do."""
    fewest_bits: bool
    """Proved: fewer bits of as many products do not do."""


@dataclass(frozen=True, eq=False, repr=False)
class Distinction(_Printed):
    """Where two models differ."""

    verdict: DistinctionVerdict
    reason: str
    witness: Witness | None
    """Of `different`."""
    document: dict[str, Any]
    """The document ``mmaprint/distinction/1`` (docs/commands.md)."""
    text: str

    def __repr__(self) -> str:
        return f"<mmaprint.Distinction: {self.verdict}>"


def identify(
    f: Callable[..., NDArray[Any]] | None,
    *,
    k: int,
    formats: FormatsLike,
    instruction: str = "unit",
    patterns: bool = False,
    seed: int = 1,
    threads: int = 0,
    time_limit: float | None = None,
    max_observations: int | None = None,
    assume: Model | None = None,
    known: Observations | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Identification:
    """Finds the models that explain the unit `f`.

    `f(a, b, c)` gets `a` and `b` of shape (n, k) and `c` of shape (n,), and returns d of shape (n,): some ten thousand
    inputs in all, n small at first and larger while answers come fast. Arrays have the formats' dtypes
    (`mmaprint.dtype_of`: float16, float32, float64, int8, int32, ml_dtypes' bfloat16, float8_e4m3fn, ...), and so must
    d; with `patterns` all are unsigned integers that hold bit patterns. Where the formats have no c it is `f(a, b)`; scales
    come as keywords `sa`, `sb`, of shape (n, ceil(k / per)). `f` must be a function: the same input, the same
    result, in whatever batch. It is called on the calling thread; without Python's lock held, the search goes on on
    `threads` others (0: one for each core). `f` None: `known` is all there is, and nobody can be asked.

    `formats`: as in ``"fp16,fp16,fp32,fp32"``, or `mmaprint.Formats`. `time_limit` is in seconds: what is established by
    then is the result. `seed` decides everything random. `assume`: a model whose features hold. `known`:
    observations from before, which `max_observations` counts, too. `progress` is called up to ten times a second.

    Raises InputError for arguments that can be mended, DeviceError if `f` returns anything but n results of d's dtype,
    KeyboardInterrupt on Ctrl-C, and whatever `f` or `progress` raise.
    """
    of = Formats.of(formats)
    if f is None and known is None:
        raise InputError("f: expected a callable, or known observations")
    found = _native.identify(
        None if f is None else _unit(f, of, patterns),
        k,
        of._native(),
        instruction,
        seed,
        threads,
        time_limit,
        max_observations,
        None if assume is None else assume._native,
        None if known is None else known._words(k, of, patterns),
        None if progress is None else _reported(progress),
    )
    return Identification(
        verdict=IdentificationVerdict(found["verdict"]),
        model=_model(found["model"]),
        reason=found["reason"],
        observed=Observations._from_words(found["observed"], of, patterns),
        conflict=list(found["conflict"]),
        document=json.loads(found["document"]),
        text=found["text"],
    )


def check(
    model: Model,
    observed: Observations,
    *,
    patterns: bool = False,
    seed: int = 1,
    threads: int = 0,
    time_limit: float | None = None,
) -> Check:
    """Is a model consistent with what was observed?

    A full model is evaluated on every observation; a partial one stands for all its completions. `observed` has
    the model's K and formats; `patterns`, `threads` and `time_limit` (seconds) are as in `mmaprint.identify`.
    Raises InputError, and KeyboardInterrupt on Ctrl-C.
    """
    found = _native.check(model._native, observed_words(observed, model, patterns), seed, threads, time_limit)
    d = model.formats.d
    return Check(
        verdict=CheckVerdict(found["verdict"]),
        reason=found["reason"],
        refuting=[Refuting(i, None if p is None else _value(p, d, patterns)) for i, p in found["refuting"]],
        smallest=found["smallest"],
        contradictory=found["contradictory"],
        disagreeing=found["disagreeing"],
        completion=_model(found["completion"]),
        document=json.loads(found["document"]),
        text=found["text"],
    )


def distinguish(
    first: Model,
    second: Model,
    *,
    specials: bool = False,
    patterns: bool = False,
    time_limit: float | None = None,
) -> Distinction:
    """A smallest input on which two models differ, or proof that there is none.

    Of models of different K the shorter one is issued several times, each step's d the next one's c. With
    `specials` infinities and NaN are looked at at once; otherwise only where nothing finite differs. `time_limit` is in
    seconds. Raises InputError, and KeyboardInterrupt on Ctrl-C.
    """
    found = _native.distinguish(first._native, second._native, specials, time_limit)
    return Distinction(
        verdict=DistinctionVerdict(found["verdict"]),
        reason=found["reason"],
        witness=None if found["difference"] is None else _witness(found["difference"], first.formats, patterns),
        document=json.loads(found["document"]),
        text=found["text"],
    )


def _model(native: _native.Model | None) -> Model | None:
    return None if native is None else Model(native)


def _value(pattern: int, format: str, patterns: bool) -> Any:
    return from_patterns(np.array([pattern], np.uint64), format, patterns)[0]


def _witness(found: Any, formats: Formats, patterns: bool) -> Witness:
    words, results, products, bits, fewest_products, fewest_bits = found
    a, b, *others = arrays(words, formats, patterns)
    c, sa, sb = (None if x is None else x[0] for x in others)
    left, right = from_patterns(results, formats.d, patterns)
    return Witness(a[0], b[0], c, (left, right), sa, sb, products, bits, fewest_products, fewest_bits)


def _reported(progress: Callable[[Progress], object]) -> Callable[[float, int, float, str], None]:
    def report(hypotheses: float, observations: int, seconds: float, doing: str) -> None:
        progress(Progress(hypotheses, observations, seconds, doing))

    return report


def _unit(f: Callable[..., NDArray[Any]], formats: Formats, patterns: bool) -> Callable[..., NDArray[np.uint64]]:
    """`f` between bit patterns."""

    def answer(*words: Any) -> NDArray[np.uint64]:
        a, b, c, sa, sb = arrays(words, formats, patterns)
        scales = {name: array for name, array in (("sa", sa), ("sb", sb)) if array is not None}
        d = np.asarray(f(a, b, **scales) if c is None else f(a, b, c, **scales))
        if d.shape != a.shape[:1]:
            raise DeviceError(f"f: expected results of shape {a.shape[:1]}, found {d.shape}")
        try:
            return to_patterns(d, formats.d, "f", patterns)
        except InputError as problem:
            raise DeviceError(str(problem)) from None

    return answer

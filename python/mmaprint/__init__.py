"""mmaprint finds out exactly how a matrix-multiply unit computes.

>>> import mmaprint
>>> found = mmaprint.identify(f, k=4, formats="fp16,fp16,fp32,fp32")   # f(a, b, c) over NumPy arrays
>>> found.verdict, found.model.features["alignment_fraction_bits"]

See `identify`, `check`, `distinguish`, `simulate`, `gemm` and the class `Model`; docs/python.md has examples.
"""

from ._arrays import Observations
from ._formats import Formats, FormatsLike, Scales, dtype_of
from ._model import Model, catalogue, gemm, simulate
from ._native import DeviceError, Error, InputError, __version__
from ._questions import (
    Check,
    CheckVerdict,
    Distinction,
    DistinctionVerdict,
    Identification,
    IdentificationVerdict,
    Progress,
    Refuting,
    Witness,
    check,
    distinguish,
    identify,
)

for _error in (Error, InputError, DeviceError):
    _error.__module__ = __name__
del _error

__all__ = [
    "Check",
    "CheckVerdict",
    "DeviceError",
    "Distinction",
    "DistinctionVerdict",
    "Error",
    "Formats",
    "FormatsLike",
    "Identification",
    "IdentificationVerdict",
    "InputError",
    "Model",
    "Observations",
    "Progress",
    "Refuting",
    "Scales",
    "Witness",
    "__version__",
    "catalogue",
    "check",
    "distinguish",
    "dtype_of",
    "gemm",
    "identify",
    "simulate",
]

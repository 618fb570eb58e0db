"""Does a dot-product unit compute what its designers say? A simulator's recorded trace against hypotheses.

The trace has a line for each result, as an RTL simulation would print it: time, a, b, c and d in hexadecimal. (This one
was made by a model that keeps 23 bits, where the specification says 24.)
"""

import pathlib

import numpy as np

import mmaprint

FORMATS = {"a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"}


def recorded(path):
    """The trace as arrays: a and b of shape (n, 4), c and d of shape (n,)."""
    rows = [line.split()[1:] for line in path.read_text().splitlines() if not line.startswith("#")]
    words = np.array([[int(word, 16) for word in row] for row in rows], np.uint32)
    halves = words[:, :8].astype(np.uint16).view(np.float16)
    singles = np.ascontiguousarray(words[:, 8:]).view(np.float32)
    return mmaprint.Observations(a=halves[:, :4], b=halves[:, 4:], c=singles[:, 0], d=singles[:, 1])


def hypothesis(**features):
    """All units of the design's shape that have these features."""
    document = {"instruction": "dot4", "k": 4, "formats": FORMATS, "features": features}
    return mmaprint.Model.from_json(document)


trace = recorded(pathlib.Path(__file__).with_name("rtl_trace.txt"))
stated = {"fma_width": 4, "alignment_rounding": "truncate", "block_rounding": "toward-zero"}
for bits in (24, 23):
    checked = mmaprint.check(hypothesis(alignment_fraction_bits=bits, **stated), trace)
    print(f"{bits} fraction bits in alignment: {checked.verdict}")
    for refuting in checked.refuting:
        print(f"  result {refuting.index} is {trace.d[refuting.index]!r}, and the nearest of them gives {refuting.predicted!r}")

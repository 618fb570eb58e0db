#!/usr/bin/env python3
"""A unit without c behind mmaprint's `exec:` protocol, as a library call that computes A times B alone.

dot4: d = a[0]*b[0] + ... + a[3]*b[3], fp16 factors and an fp32 result. The sum is exact and then rounded once, to
nearest even. There is no c: `describe` says so by null, and so do requests and observations.

    mmaprint identify "exec:examples/product_sum.py" --instruction dot4
"""
import json
import math
import struct
import sys
from fractions import Fraction


def value(pattern):
    return struct.unpack(">e", bytes.fromhex(pattern))[0]


def to_fp32(x):
    """Nearest even. No sum of four such products is subnormal or too large in fp32."""
    if x == 0:
        return "00000000"
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()    # powers of two, all denominators
    unit = Fraction(2) ** (exponent - 23)
    return struct.pack(">f", float(round(x / unit) * unit)).hex()


def dot4(a, b):
    factors = [(value(x), value(y)) for x, y in zip(a, b)]
    special = sum(x * y for x, y in factors if not math.isfinite(x) or not math.isfinite(y))
    if math.isnan(special):
        return "7fffffff"
    if math.isinf(special):
        return struct.pack(">f", special).hex()
    return to_fp32(sum(Fraction(x) * Fraction(y) for x, y in factors))


def answer(request):
    if request["op"] == "describe":
        return {"name": "sums of products",
                "instructions": [{"name": "dot4", "k": 4, "a": "fp16", "b": "fp16", "c": None, "d": "fp32"}]}
    if request["op"] == "run" and request["instruction"] == "dot4" and request["c"] is None:
        return {"d": [dot4(a, b) for a, b in zip(request["a"], request["b"])]}
    return {"error": "unknown request"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)

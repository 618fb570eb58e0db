#!/usr/bin/env python3
"""A made-up accelerator behind mmaprint's `exec:` protocol: one request a line, one answer a line.

dot8: d = c + a[0]*b[0] + ... + a[7]*b[7], fp16 operands, fp32 c and d. First c and the products with even indices are
summed, then that result and those with odd indices. Each sum keeps 26 bits below the largest operand's leading bit (the
rest of every operand is rounded down, toward minus infinity), and is then rounded to nearest even. Subnormal results
become zero.

    mmaprint identify "exec:examples/my_accelerator.py" --instruction dot8
"""
import json
import sys

KEPT = 26                                     # fraction bits of the adder
NAN = 0xFFC00000


def decode(text, exponent_bits, fraction_bits):
    """A pattern as (sign, significand, exponent): sign * significand * 2^(exponent - fraction_bits); or "nan", +-"inf"."""
    bits = int(text, 16)
    sign = -1 if bits >> (exponent_bits + fraction_bits) else 1
    stored = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    if stored == (1 << exponent_bits) - 1:
        return (sign, None, fraction != 0)    # None: no finite number
    if stored == 0:
        return (sign, fraction, 1 - bias)
    return (sign, fraction | 1 << fraction_bits, stored - bias)


def multiply(x, y):
    """As an addend of the adder: fraction bits of both factors together."""
    sign = x[0] * y[0]
    if x[1] is None or y[1] is None:
        zero = x[1] == 0 or y[1] == 0
        return (sign, None, zero or (x[1] is None and x[2]) or (y[1] is None and y[2]))
    return (sign, x[1] * y[1], x[2] + y[2])


def add(accumulator, products):
    """The sum as an fp32 pattern. The accumulator has 23 fraction bits, products have 20."""
    addends = [(*accumulator, 23)] + [(*p, 20) for p in products]
    special = [(sign, nan) for sign, m, nan, _ in addends if m is None]
    if special:
        signs = {sign for sign, _ in special}
        if any(nan for _, nan in special) or len(signs) == 2:
            return NAN
        return 0x7F800000 if signs == {1} else 0xFF800000
    if all(m == 0 for _, m, _, _ in addends):
        return 0
    largest = max(e for _, m, e, _ in addends if m)
    total = 0                                 # in units of 2^(largest - KEPT)
    for sign, m, e, fraction_bits in addends:
        shift = e - fraction_bits - largest + KEPT
        total += sign * m << shift if shift >= 0 else sign * m >> -shift    # >> rounds down
    return to_fp32(total, largest - KEPT)


def to_fp32(total, unit):
    """total * 2^unit rounded to nearest even."""
    sign, m = (0x80000000 if total < 0 else 0), abs(total)
    if m == 0:
        return 0
    drop = max(m.bit_length() - 24, -149 - unit)
    if drop > 0:
        half, rest = 1 << drop - 1, m & (1 << drop) - 1
        m = (m >> drop) + (rest > half or (rest == half and m >> drop & 1))
        unit += drop
    while m and m.bit_length() < 24 and unit > -149:
        m, unit = m << 1, unit - 1
    if m >> 24:
        m, unit = m >> 1, unit + 1
    if m < 1 << 23:
        return sign                           # subnormals become zero
    exponent = unit + 23
    return sign | 0x7F800000 if exponent > 127 else sign | exponent + 127 << 23 | m & 0x7FFFFF


def dot8(a, b, c):
    products = [multiply(decode(x, 5, 10), decode(y, 5, 10)) for x, y in zip(a, b)]
    half = add(decode(c, 8, 23), products[0::2])
    return "%08x" % add(decode("%08x" % half, 8, 23), products[1::2])


def answer(request):
    if request["op"] == "describe":
        return {"name": "my accelerator",
                "instructions": [{"name": "dot8", "k": 8, "a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"}]}
    if request["op"] == "run" and request["instruction"] == "dot8":
        return {"d": [dot8(*operands) for operands in zip(request["a"], request["b"], request["c"])]}
    return {"error": "unknown request"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)

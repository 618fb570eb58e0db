"""How does NumPy multiply FP32 matrices? Ten lines ask it, and none of them knows the answer."""

import mmaprint
import numpy as np


def product(a, b):
    d = np.empty(len(a), np.float32)
    for i in range(len(a)):  # one element of a product of always the same shape, as BLAS has kernels by shape
        left, right = np.zeros((2, 64, 4), np.float32)
        left[0], right[0] = a[i], b[i]
        d[i] = (left @ right.T)[0, 0]
    return d


with np.errstate(all="ignore"):
    print(mmaprint.identify(product, k=4, formats="fp32,fp32,none,fp32", instruction="numpy", time_limit=300))

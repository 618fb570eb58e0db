"""Products of matrices, as units multiply them."""

import numpy as np
import pytest

import mmaprint

UNIT = "a100#mma.m16n8k16.f32.f16.f16.f32"


def chained(model, A, B, C):
    """The model's dot products by hand, one K after the other."""
    m, n, k = A.shape[0], B.shape[1], model.k
    d = C.copy()
    for first in range(0, A.shape[1], k):
        a = np.zeros((m, k), A.dtype)
        b = np.zeros((k, n), B.dtype)
        a[:, : A.shape[1] - first] = A[:, first : first + k]
        b[: B.shape[0] - first] = B[first : first + k]
        rows = np.repeat(a, n, axis=0)
        columns = np.tile(b.T, (m, 1))
        d = model(rows, columns, d.ravel()).reshape(m, n)
    return d


@pytest.mark.parametrize("k", [1, 16, 40])
def test_is_the_model_chained_over_k(k):
    random = np.random.default_rng(k)
    model = mmaprint.Model.catalogued(UNIT)
    A = random.standard_normal((5, k)).astype(np.float16)
    B = random.standard_normal((k, 11)).astype(np.float16)
    C = random.standard_normal((5, 11)).astype(np.float32)
    d = mmaprint.gemm(model, A, B, C)
    assert d.dtype == np.float32
    np.testing.assert_array_equal(d.view(np.uint32), chained(model, A, B, C).view(np.uint32))
    zeros = np.zeros((5, 11), np.float32)
    np.testing.assert_array_equal(mmaprint.gemm(UNIT, A, B), mmaprint.gemm(UNIT, A, B, zeros))
    bits = mmaprint.gemm(model, A.view(np.uint16), B.view(np.uint16), C.view(np.uint32), patterns=True)
    np.testing.assert_array_equal(bits, d.view(np.uint32))


def test_says_what_does_not_fit():
    A, B = np.ones((2, 4), np.float16), np.ones((4, 3), np.float16)
    with pytest.raises(mmaprint.InputError, match=r"A: expected an array of shape \(m, k\), found \(4,\)"):
        mmaprint.gemm(UNIT, A[0], B)
    with pytest.raises(mmaprint.InputError, match=r"B: expected an array of shape \(4, n\), found \(2, 4\)"):
        mmaprint.gemm(UNIT, A, A)
    with pytest.raises(mmaprint.InputError, match=r"C: expected an array of shape \(2, 3\), found \(3, 2\)"):
        mmaprint.gemm(UNIT, A, B, np.zeros((3, 2), np.float32))
    with pytest.raises(mmaprint.InputError, match="multiplies no such matrices"):
        mmaprint.gemm("v100#mma.m8n8k4.f32.f16.f16.f16", np.ones((1, 5), np.float16), np.ones((5, 1), np.float16))


def test_rows_and_columns_may_be_none():
    assert mmaprint.gemm(UNIT, np.ones((0, 4), np.float16), np.ones((4, 3), np.float16)).shape == (0, 3)

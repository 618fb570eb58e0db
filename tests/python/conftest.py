"""Units that tests ask about."""

import numpy as np
import pytest

import mmaprint

V100 = "v100#mma.m8n8k4.f32.f16.f16.f32"
A100 = "a100#mma.m16n8k8.f32.f16.f16.f32"


@pytest.fixture(scope="session")
def v100():
    return mmaprint.Model.catalogued(V100)


@pytest.fixture(scope="session")
def a100():
    return mmaprint.Model.catalogued(A100)


@pytest.fixture
def halves():
    """Inputs of K = 4 that are exact: (a, b, c)."""
    random = np.random.default_rng(1)
    a = random.integers(-8, 8, (16, 4)).astype(np.float16)
    b = random.integers(-8, 8, (16, 4)).astype(np.float16)
    return a, b, random.integers(-8, 8, 16).astype(np.float32)

import json

import numpy as np
import pytest

import mmaprint


def test_a_model_is_consistent_with_its_own_results(v100, halves):
    checked = mmaprint.check(v100, mmaprint.Observations(*halves, v100(*halves)))
    assert checked.verdict == "consistent" and checked.verdict is mmaprint.CheckVerdict.CONSISTENT
    assert (checked.refuting, checked.disagreeing, checked.completion) == ([], 0, None)
    assert repr(checked) == "<mmaprint.Check: consistent, refuted by 0 of the observations>"


def test_the_observation_that_refutes_is_shown(v100, halves):
    right = v100(*halves)
    seen = right.copy()
    seen[5] = np.nextafter(seen[5], np.float32(np.inf))
    checked = mmaprint.check(v100, mmaprint.Observations(*halves, seen))
    assert checked.verdict == "inconsistent"
    assert checked.refuting == [mmaprint.Refuting(5, right[5])]
    assert checked.document["refuting"][0]["line"] == 6
    assert "inconsistent" in str(checked)


def test_a_hypothesis_is_completed_or_refuted(v100, halves):
    observed = mmaprint.Observations(*halves, v100(*halves))

    def hypothesis(**features):
        formats = {"a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"}
        return mmaprint.Model.from_json({"instruction": "dot", "k": 4, "formats": formats, "features": features})

    explained = mmaprint.check(hypothesis(fma_width=4), observed)
    assert explained.verdict == "consistent"
    np.testing.assert_array_equal(explained.completion(*halves), observed.d)

    # 1 + 2^-23 needs 23 fraction bits.
    a, b = np.array([[1, 2**-11, 0, 0]], np.float16), np.array([[1, 2**-12, 0, 0]], np.float16)
    c = np.zeros(1, np.float32)
    short = hypothesis(
        fma_width=4, alignment_fraction_bits=15, alignment_rounding="truncate", block_rounding="toward-zero"
    )
    refuted = mmaprint.check(short, mmaprint.Observations(a, b, c, v100(a, b, c)))
    assert refuted.verdict == "inconsistent" and refuted.smallest
    assert refuted.refuting == [mmaprint.Refuting(0, np.float32(1))]


def test_recordings_are_read_and_checked(tmp_path, v100):
    file = tmp_path / "seen.jsonl"
    line = {"a": ["3c00", "4000", "0000", "0000"], "b": ["3c00"] * 4, "c": "3f800000", "d": "40800000"}
    file.write_text(json.dumps(line | {"time": 17}) + "\n")
    observed = mmaprint.Observations.from_file(file, k=4, formats=v100.formats)
    np.testing.assert_array_equal(observed.a, np.array([[1, 2, 0, 0]], np.float16))
    assert observed.d.dtype == np.float32 and len(observed) == 1
    assert mmaprint.check(v100, observed).verdict == "consistent"
    with pytest.raises(mmaprint.InputError, match="seen.jsonl:1: a: expected"):
        mmaprint.Observations.from_file(file, k=5, formats=v100.formats)


def test_observations_of_another_shape_are_refused(v100, halves):
    a, b, c = halves
    with pytest.raises(mmaprint.InputError, match=r"d: expected an array of shape \(16,\), found \(15,\)"):
        mmaprint.check(v100, mmaprint.Observations(a, b, c, c[1:]))


def test_two_units_differ_on_a_smallest_input(v100, a100):
    found = mmaprint.distinguish(v100, a100)
    assert found.verdict == "different"
    w = found.witness
    assert w.a.shape == w.b.shape == (8,) and w.a.dtype == np.float16
    assert w.d[0] != w.d[1] and w.d[1] == a100(w.a, w.b, w.c)
    assert np.count_nonzero(w.a * w.b) <= w.nonzero_products and w.fewest_products
    assert "different" in str(found)


def test_a_unit_is_proved_equal_to_itself(a100):
    found = mmaprint.distinguish(a100, a100)
    assert found.verdict is mmaprint.DistinctionVerdict.EQUIVALENT and found.witness is None


def test_units_of_other_formats_are_not_compared(a100):
    other = mmaprint.Model.catalogued("a100#mma.m16n8k8.f16.f16.f16.f16")
    with pytest.raises(mmaprint.InputError, match="second: expected the first model's formats and K"):
        mmaprint.distinguish(a100, other)

import json
import pickle

import ml_dtypes
import numpy as np
import pytest

import mmaprint


def test_a_model_gives_what_the_unit_gives_for_many_inputs(v100, halves):
    a, b, c = halves
    d = v100(a, b, c)
    assert d.dtype == np.float32 and d.shape == (16,)
    np.testing.assert_array_equal(d, (a.astype(np.float32) * b).sum(axis=1) + c)


def test_one_input_gives_one_value(v100):
    d = v100(np.ones(4, np.float16), [1, 2, 3, 4], 0.5)
    assert isinstance(d, np.float32) and d == 10.5


def test_one_addend_does_for_all_inputs(v100, halves):
    a, b, _ = halves
    np.testing.assert_array_equal(v100(a, b, np.float32(0)), v100(a, b, np.zeros(16, np.float32)))


def test_bit_patterns_go_in_and_come_out(v100, halves):
    a, b, c = halves
    d = v100(a.view(np.uint16), b.view(np.uint16), c.view(np.uint32), patterns=True)
    assert d.dtype == np.uint32
    np.testing.assert_array_equal(d.view(np.float32), v100(a, b, c))


def test_a_model_shows_what_it_is(v100):
    assert repr(v100) == "<mmaprint.Model: mma.m8n8k4.f32.f16.f16.f32, fp16·fp16 + fp32 → fp32, K = 4>"
    assert (v100.k, v100.formats.a, v100.formats.c, v100.is_partial) == (4, "fp16", "fp32", False)
    assert v100.features["alignment_fraction_bits"] == 23
    assert "alignment_fraction_bits" in str(v100)
    assert v100._repr_html_().startswith("<pre>") and "→" in v100._repr_html_()


def test_a_model_is_read_from_what_it_writes(v100, a100, tmp_path):
    file = tmp_path / "model.json"
    file.write_text(v100.to_json(indent=1))
    again = mmaprint.Model.from_file(file)
    assert again == v100 and hash(again) == hash(v100) and again != a100
    assert mmaprint.Model.from_json(json.loads(v100.to_json())) == v100
    assert pickle.loads(pickle.dumps(v100)) == v100


def test_catalogued_models_are_listed_by_the_names_that_open_them():
    names = mmaprint.catalogue()
    assert "a100#mma.m16n8k8.f32.f16.f16.f32" in names
    assert mmaprint.Model.catalogued(names[-1]).instruction == names[-1].split("#")[1]


def test_simulate_takes_a_model_or_its_name(v100, halves):
    np.testing.assert_array_equal(mmaprint.simulate("v100#mma.m8n8k4.f32.f16.f16.f32", *halves), v100(*halves))
    np.testing.assert_array_equal(mmaprint.simulate(v100, *halves), v100(*halves))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: mmaprint.Model.catalogued("a100"), "sim:a100: expected #INSTRUCTION after it, one of "),
        (lambda m: mmaprint.Model.from_file("/nonexistent"), "/nonexistent: expected a readable file: "),
        (lambda m: mmaprint.Model.from_json("{"), "model:1: expected "),
        (lambda m: m(np.ones((2, 3), np.float16), np.ones((2, 3), np.float16), 0.0), "a: expected an array of shape (n, 4), found (2, 3)"),
        (lambda m: m(np.ones((2, 4), np.float16), np.ones((1, 4), np.float16), 0.0), "b: expected an array of shape (2, 4), found (1, 4)"),
        (lambda m: m(np.ones(4), [1, 1, 1, 1], 0), "a: expected dtype float16 (fp16), found float64"),
        (lambda m: m(np.ones(4, np.float16), np.ones(4, np.float16)), "c: expected an array, as formats say"),
        (lambda m: m(np.full(4, 65536, np.uint32), np.zeros(4, np.uint16), 0, patterns=True), "a[0]: expected a pattern of 16 bits (fp16), found 0x10000"),
        (lambda m: mmaprint.Formats.of({"a": "fp16"}), "formats: expected a, b, c, d and perhaps sa, sb: "),
        (lambda m: mmaprint.dtype_of("fp17"), "format: expected one of fp64 "),
    ],
)
def test_bad_input_is_refused_in_one_line(v100, ask, message):
    with pytest.raises(mmaprint.InputError) as refused:
        ask(v100)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, mmaprint.Error)


def test_a_hypothesis_has_no_results():
    partial = mmaprint.Model.from_json({"instruction": "mma.m16n8k8.f32.f16.f16.f32", "features": {"fma_width": 4}})
    assert partial.is_partial and partial.features == {"fma_width": 4}
    with pytest.raises(mmaprint.InputError, match="expected a full model"):
        partial(np.ones(8, np.float16), np.ones(8, np.float16), 0.0)


@pytest.mark.parametrize(
    ("format", "dtype", "pattern", "value"),
    [
        ("fp64", np.float64, 0x3FF0000000000000, 1.0),
        ("fp32", np.float32, 0xBF800000, -1.0),
        ("tf32", np.float32, 0x3F800000, 1.0),
        ("fp16", np.float16, 0x4000, 2.0),
        ("bf16", ml_dtypes.bfloat16, 0x3F80, 1.0),
        ("e4m3", ml_dtypes.float8_e4m3fn, 0x38, 1.0),
        ("e5m2", ml_dtypes.float8_e5m2, 0x3C, 1.0),
        ("e4m3fnuz", ml_dtypes.float8_e4m3fnuz, 0x40, 1.0),
        ("e5m2fnuz", ml_dtypes.float8_e5m2fnuz, 0x40, 1.0),
        ("e3m2", ml_dtypes.float6_e3m2fn, 0x2C, -1.0),
        ("e2m3", ml_dtypes.float6_e2m3fn, 0x28, -1.0),
        ("e2m1", ml_dtypes.float4_e2m1fn, 0xA, -1.0),
        ("ue8m0", ml_dtypes.float8_e8m0fnu, 0x7F, 1.0),
        ("int32", np.int32, 0xFFFFFFFF, -1),
        ("int8", np.int8, 0x80, -128),
        ("uint8", np.uint8, 0xFF, 255),
        ("int4", ml_dtypes.int4, 0xF, -1),
        ("uint4", ml_dtypes.uint4, 0xF, 15),
        ("b1", np.uint8, 1, 1),
        ("ue4m3", np.uint8, 0x38, 0x38),
    ],
)
def test_every_format_has_its_dtype_and_its_patterns(format, dtype, pattern, value):
    from mmaprint._formats import from_patterns, to_patterns

    words = np.array([pattern, 0], np.uint64)
    array = from_patterns(words, format, False)
    assert array.dtype == mmaprint.dtype_of(format) == np.dtype(dtype)
    assert float(array[0]) == value
    np.testing.assert_array_equal(to_patterns(array, format, "x", False), words)
    # What arithmetic makes of the value has the same pattern.
    np.testing.assert_array_equal(to_patterns(np.array([value], dtype), format, "x", False), words[:1])


def test_every_format_of_the_library_has_a_dtype():
    from mmaprint import _native

    for format in _native.format_list():
        assert mmaprint.dtype_of(format).itemsize * 8 >= _native.format_facts(format).bits
        assert mmaprint.dtype_of(format, patterns=True).kind == "u"


def test_scales_are_arrays_of_their_own():
    name = next(n for n in mmaprint.catalogue() if n.endswith(".block32.f32.e4m3.e4m3.f32.ue8m0"))
    model = mmaprint.Model.catalogued(name)
    assert model.formats.sa == mmaprint.Scales("ue8m0", 32) and model.k == 32
    ones = np.ones((3, 32), ml_dtypes.float8_e4m3fn)
    sa = np.array([[1], [2], [4]], ml_dtypes.float8_e8m0fnu)
    sb = np.array([[1], [1], [0.5]], ml_dtypes.float8_e8m0fnu)
    np.testing.assert_array_equal(model(ones, ones, 1.0, sa=sa, sb=sb), np.array([33, 65, 65], np.float32))
    assert model(ones[0], ones[0], 1.0, sa=sa[1], sb=sb[1]) == 65
    with pytest.raises(mmaprint.InputError, match="sb: expected an array, as formats say"):
        model(ones, ones, 1.0, sa=sa)


def test_integers_are_computed_in_their_dtypes():
    name = next(n for n in mmaprint.catalogue() if n.endswith(".s32.s8.s8.s32"))
    model = mmaprint.Model.catalogued(name)
    a = np.full(model.k, -3, np.int8)
    d = model(a, np.full(model.k, 5, np.int8), np.int32(7))
    assert isinstance(d, np.int32) and d == 7 - 15 * model.k


def test_arrays_may_lie_in_memory_in_any_way(v100, halves):
    a, b, c = halves
    expected = v100(a, b, c)
    twice = np.repeat(a, 2, axis=0)[::2]
    wide = np.zeros((len(a), 8), np.float16)
    wide[:, ::2] = b
    locked = c.copy()
    locked.setflags(write=False)
    odd = np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.float16).reshape(a.shape)
    for x, y, z in ((twice, b, c), (a, wide[:, ::2], c), (a[::-1][::-1], b, locked), (np.asfortranarray(a), b, c), (odd, b, c)):
        np.testing.assert_array_equal(v100(x, y, z), expected)
    assert v100(a[:0], b[:0], c[:0]).shape == (0,)


def test_bit_patterns_may_be_of_any_width_and_byte_order(v100, halves):
    a, b, c = halves
    expected = v100(a, b, c).view(np.uint32)
    x, y, z = a.view(np.uint16), b.view(np.uint16), c.view(np.uint32)
    for of_a, of_b, of_c in (("<u2", ">u2", "<u8"), ("<u8", "<u4", ">u4"), (">u4", "<u2", "<u4")):
        d = v100(x.astype(of_a), y.astype(of_b), z.astype(of_c), patterns=True)
        np.testing.assert_array_equal(d, expected)
    small = np.array([[1, 2, 0x7F, 0]], np.uint8)  # subnormals
    np.testing.assert_array_equal(
        v100(small, small, z[:1], patterns=True), v100(small.astype(np.uint16), small.astype(np.uint64), z[:1], patterns=True)
    )
    with pytest.raises(mmaprint.InputError, match=r"a\[2\]: expected a pattern of 16 bits \(fp16\), found 0x10000"):
        v100(np.array([[0, 0, 0x10000, 0]], np.uint32), small, z[:1], patterns=True)
    with pytest.raises(mmaprint.InputError, match="b: expected an array of shape"):
        v100(a, b[:-1], c)
    with pytest.raises(mmaprint.InputError, match="c: expected an array, as formats say"):
        v100(a, b)

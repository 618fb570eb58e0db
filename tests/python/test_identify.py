import os
import signal
import threading
import time

import numpy as np
import pytest

import mmaprint

HALVES = "fp16,fp16,fp32,fp32"


def identify(f, **options):
    return mmaprint.identify(f, **({"k": 4, "formats": HALVES, "threads": 2, "time_limit": 120} | options))


def test_a_callable_is_identified(v100):
    shapes = set()

    def unit(a, b, c):
        assert (a.dtype, b.dtype, c.dtype) == (np.float16, np.float16, np.float32)
        shapes.add((a.shape[1:], a.shape == b.shape, a.shape[0] == c.shape[0]))
        return v100(a, b, c)

    found = identify(unit, instruction="mine")
    assert shapes == {((4,), True, True)}
    assert found.verdict in ("unique", "equivalent") and found.verdict is mmaprint.IdentificationVerdict(found.verdict)
    unobservable = {"zero_sign"}  # of these features other values give the same results
    for feature, value in v100.features.items():
        assert feature in unobservable or found.model.features[feature] == value
    assert found.model.instruction == found.document["instruction"] == "mine"
    observed = found.observed
    np.testing.assert_array_equal(found.model(observed.a, observed.b, observed.c), observed.d)
    assert len(observed) == found.document["observations"]
    assert "identified" in str(found) and found._repr_html_().startswith("<pre>")
    assert repr(found).startswith(f"<mmaprint.Identification: {found.verdict}, {len(observed)} observations, ")


def test_bit_patterns_are_handed_over_where_they_are_asked_for(v100):
    def unit(a, b, c):
        assert (a.dtype, c.dtype) == (np.uint16, np.uint32)
        return v100(a, b, c, patterns=True)

    found = identify(unit, patterns=True, max_observations=3)
    assert found.observed.a.dtype == np.uint16 and found.observed.d.dtype == np.uint32
    assert found.verdict == "unknown" and len(found.observed) == 3


def test_what_is_known_is_not_asked_again_and_what_is_assumed_holds(v100):
    first = identify(v100)
    second = identify(v100, known=first.observed, assume=first.model)
    assert second.model == first.model and len(second.observed) == len(first.observed)
    assert "assumed" in str(second)
    recorded = identify(None, known=first.observed)
    np.testing.assert_array_equal(recorded.model(first.observed.a, first.observed.b, first.observed.c), first.observed.d)


def test_a_unit_without_c_is_a_function_of_two(v100):
    def unit(a, b):
        return v100(a, b, np.float32(0))

    found = identify(unit, formats="fp16,fp16,none,fp32", max_observations=2)
    assert found.observed.c is None and found.document["observations"] == 2


def test_scales_come_as_keywords():
    name = next(n for n in mmaprint.catalogue() if n.endswith(".block32.f32.e4m3.e4m3.f32.ue8m0"))
    model = mmaprint.Model.catalogued(name)
    shapes = set()

    def unit(a, b, c, sa, sb):
        shapes.add((a.shape[1:], sa.shape[1:], sb.dtype.name))
        return model(a, b, c, sa=sa, sb=sb)

    found = identify(unit, k=32, formats=model.formats, max_observations=2)
    assert shapes == {((32,), (1,), "float8_e8m0fnu")}
    assert found.observed.sa.shape == (2, 1) and found.document["observations"] == 2


def test_progress_is_told_on_the_calling_thread(v100):
    seen = []

    def progress(p):
        seen.append((threading.get_ident(), p))

    identify(v100, progress=progress)
    assert seen and {thread for thread, _ in seen} == {threading.get_ident()}
    assert all(p.hypotheses >= 0 and p.seconds >= 0 and p.doing for _, p in seen)


def test_the_callable_is_called_on_the_calling_thread(v100):
    threads = set()

    def unit(a, b, c):
        threads.add(threading.get_ident())
        return v100(a, b, c)

    identify(unit, max_observations=3)
    assert threads == {threading.get_ident()}


def test_other_threads_run_while_the_search_goes_on(v100):
    ticks = 0
    over = threading.Event()

    def tick():
        nonlocal ticks
        while not over.wait(0.01):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    began = time.monotonic()
    identify(v100)
    seconds = time.monotonic() - began
    over.set()
    ticking.join()
    assert ticks > 10 * seconds


def test_what_the_callable_raises_comes_out_unchanged():
    class Broken(Exception):
        pass

    problem = Broken("no power")

    def unit(a, b, c):
        raise problem

    with pytest.raises(Broken) as raised:
        identify(unit)
    assert raised.value is problem
    assert raised.traceback[-1].name == "unit"


def test_what_progress_raises_comes_out_unchanged(v100):
    def progress(p):
        raise KeyError("progress")

    with pytest.raises(KeyError, match="progress"):
        identify(v100, progress=progress)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda c: c[:-1], "f: expected results of shape ({n},), found ({less},)"),
        (lambda c: c[:, None], "f: expected results of shape ({n},), found ({n}, 1)"),
        (lambda c: c.astype(np.float64), "f: expected dtype float32 (fp32), found float64"),
        (lambda c: c.tolist(), "f: expected dtype float32 (fp32), found float64"),
        (lambda c: None, "f: expected results of shape ({n},), found ()"),
    ],
)
def test_answers_that_are_none_are_failures_of_the_device(answer, message):
    sizes = []

    def unit(a, b, c):
        sizes.append(len(c))
        return answer(c)

    with pytest.raises(mmaprint.DeviceError) as failed:
        identify(unit)
    assert str(failed.value) == message.format(n=sizes[0], less=sizes[0] - 1)
    assert isinstance(failed.value, RuntimeError) and len(sizes) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k: expected a number of products from 1 to 1024, found 0"),
        ({"formats": "fp16,fp16,fp32"}, ""),
        ({"formats": "fp16,fp16,fp32,e4m3"}, "formats: expected "),
        ({"threads": -1}, "threads: expected a count, found -1"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    def unit(a, b, c):
        raise AssertionError("nobody is to be asked")

    with pytest.raises(mmaprint.InputError) as refused:
        identify(unit, **options)
    assert str(refused.value).startswith(message) and "\n" not in str(refused.value)


def test_nobody_and_nothing_to_learn_from_is_refused():
    with pytest.raises(mmaprint.InputError, match="f: expected a callable, or known observations"):
        identify(None)


@pytest.fixture
def interruptible():
    """Ctrl-C interrupts, as in a terminal: what a script starts in the background ignores it from the beginning."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_an_identification_while_the_solver_works(a100):
    timer = interrupt_after(0.3)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while True:  # however fast it is, it is at work when the signal comes
            identify(a100, k=8)
    assert time.monotonic() - began < 5
    timer.join()


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_in_the_callable_ends_it_and_it_is_not_called_again():
    calls = 0

    def unit(a, b, c):
        nonlocal calls
        calls += 1
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
        return c

    with pytest.raises(KeyboardInterrupt):
        identify(unit)
    assert calls == 1


def test_the_limit_of_time_gives_what_is_established(a100):
    found = identify(a100, k=8, time_limit=0.0)
    assert found.verdict == "unknown" and found.reason


def test_a_unit_that_nothing_explains_has_a_conflict():
    def unit(a, b, c):
        return (a.view(np.uint16)[:, 0] % 7).astype(np.float32)

    found = identify(unit, k=1)
    assert found.verdict == "none"
    assert found.conflict and max(found.conflict) < len(found.observed)

import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples/python"


def test_the_trace_of_a_simulator_refutes_what_was_specified():
    ran = subprocess.run([sys.executable, EXAMPLES / "rtl_trace.py"], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0] == "24 fraction bits in alignment: inconsistent"
    assert lines[1].startswith("  result 10 is ")
    assert lines[-1] == "23 fraction bits in alignment: consistent"

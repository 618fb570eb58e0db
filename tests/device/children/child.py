"""A child for `exec:` that behaves, or misbehaves in the one way that its argument names.

Its instruction `dot2` answers c, whatever the products are; so tests know what to expect.
"""
import json
import os
import sys
import time

way = sys.argv[1] if len(sys.argv) > 1 else "good"
DESCRIPTION = {"name": "child", "instructions": [{"name": "dot2", "k": 2, "a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"}]}


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def describe():
    if way == "exit-at-once":
        sys.exit(3)
    if way == "bad-format":
        DESCRIPTION["instructions"][0]["c"] = "float"
    if way == "no-c":
        DESCRIPTION["instructions"][0]["c"] = None
    if way == "c-unsaid":
        del DESCRIPTION["instructions"][0]["c"]
    if way == "scales":
        DESCRIPTION["instructions"][0] |= {"k": 40, "sa": {"format": "ue8m0", "per": 32}}
    if way == "same-name-twice":
        DESCRIPTION["instructions"] *= 2
    say(json.dumps(DESCRIPTION) + "\n")
    if way == "exit-after-describe":
        sys.exit(0)
    if way == "chatter":
        say("ready\n")


def run(request):
    global way
    # Without c, a[0].
    d = request["c"] if way != "no-c" else ["0000" + a[0] for a in request["a"]]
    if way == "scales":  # both of them, and that there are no others
        d = ["0000" + "".join(sa) for sa in request["sa"]] if "sb" not in request else []
    if way == "hang":
        time.sleep(60)
    elif way == "wait-once":
        while not os.path.exists(sys.argv[2]):
            time.sleep(0.01)
    elif way == "exit":
        sys.exit(3)
    elif way == "half-line":
        say('{"d":[')
        sys.exit(0)
    elif way == "killed":
        os.abort()
    elif way == "huge-line":
        say('{"d":["' + "0" * (3 << 20))
        time.sleep(60)
    elif way == "two-lines":
        say(json.dumps({"d": d}) + "\n" + json.dumps({"d": d}) + "\n")
        return
    elif way in ("wrong-count", "wrong-count-once"):
        d = d[:-1] + ["00000000"] * 2
        if way == "wrong-count-once":
            way = "good"
    elif way == "wrong-width":
        d[-1] = d[-1][:-1]
    elif way == "upper-case":
        d[-1] = "3F800000"
    elif way == "numbers":
        d[-1] = 7
    elif way == "not-json":
        say("traceback:\n")
        return
    elif way == "nested":
        say("[" * 100000 + "\n")
        return
    elif way == "error":
        say(json.dumps({"error": "out of\nmemory"}) + "\n")
        return
    elif way == "grandchild":
        grandchild = os.fork()
        if grandchild == 0:
            time.sleep(600)
        d = ["%08x" % grandchild] * len(d)
    assert len(d) <= 4097
    say(json.dumps({"d": d}) + "\n")


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "describe":
        describe()
    else:
        assert request["op"] == "run" and request["instruction"] == "dot2"
        assert len(request["a"]) <= 4096 and len(request["a"]) == len(request["b"])
        assert request["c"] is None if way == "no-c" else len(request["c"]) == len(request["a"])
        run(request)
if way == "outlive-input":
    time.sleep(600)

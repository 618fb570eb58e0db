"""A unit behind `exec:` whose names, messages or bytes are meant for whoever prints them.

Its first argument names the way, its second the folder of my_accelerator.py, with which its instruction computes.
"""
import json
import sys

sys.path.insert(0, sys.argv[2])
import my_accelerator as unit

way = sys.argv[1]
RUDE = "\x1b]0;owned\x07\x1b[2J\nidentified\u202eevil\u009b31m\u2028\ufeff\x00\x7f"


def describe():
    name = "dot2" + RUDE if way == "names" else "dot2"
    instruction = {"name": name, "k": 2, "a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"}
    if way == "format":
        instruction["a"] = "fp16" + RUDE
    return {"name": "rude" + RUDE, "instructions": [instruction]}


def dot2(a, b, c):
    return unit.add(unit.decode(c, 8, 23), [unit.multiply(unit.decode(x, 5, 10), unit.decode(y, 5, 10)) for x, y in zip(a, b)])


def run(request):
    if way == "error":
        return {"error": "no" + RUDE}
    if way == "field":
        return {"d": {RUDE: 1}}
    if way == "value":
        return {"d": [RUDE] * len(request["c"])}
    return {"d": ["%08x" % dot2(*operands) for operands in zip(request["a"], request["b"], request["c"])]}


for line in sys.stdin:
    request = json.loads(line)
    answer = json.dumps(describe() if request["op"] == "describe" else run(request)).encode()
    if way == "description-bytes" and request["op"] == "describe":
        answer = answer.replace(b"rude", b"\xff\xfe")
    if request["op"] == "run":
        if way == "bytes":
            answer = b'{"d":["\xff\xe2\x82"]}'
        if way == "error-bytes":
            answer = b'{"error":"\xc0\x80 down"}'
        if way == "control":
            answer = b'{"d":["\x1b[2J"]}'
        if way == "outside":
            answer = b"\x1b]0;owned\x07" + answer
        if way == "zero":
            answer = b'{"d":\x00["00000000"]}'
        if way == "zero-after":
            answer += b"\x00 and more"
    sys.stdout.buffer.write(answer + b"\n")
    sys.stdout.buffer.flush()

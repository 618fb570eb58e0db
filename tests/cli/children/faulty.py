"""A unit behind `exec:` that goes wrong in the way that its first argument names, after so many answers.

Its instruction dot2 sums c and both products as examples/my_accelerator.py does. A third argument names a file to which
every input is appended, so that tests see what was asked. As "names" it has three instructions whose names differ little.
"""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples"))
import my_accelerator as unit

way, after = sys.argv[1], int(sys.argv[2])
log = open(sys.argv[3], "a") if len(sys.argv) > 3 else None
answered = 0


def dot2(a, b, c):
    return unit.add(unit.decode(c, 8, 23), [unit.multiply(unit.decode(x, 5, 10), unit.decode(y, 5, 10)) for x, y in zip(a, b)])


def run(request):
    global answered
    d = ["%08x" % dot2(*operands) for operands in zip(request["a"], request["b"], request["c"])]
    if log:
        for operands in zip(request["a"], request["b"], request["c"]):
            log.write(json.dumps(operands) + "\n")
        log.flush()
    answered += 1
    if answered > after:
        if way == "die":
            sys.exit(1)
        if way == "hang":
            time.sleep(600)
        if way == "garble":
            return {"d": "none"}
        if way == "lie":
            d = ["%08x" % (int(x, 16) ^ 0x40) for x in d]
        if way == "slow":
            time.sleep(1)
    return {"d": d}


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "describe":
        names = ["dot 2", "dot_2", "DOT_2"] if way == "names" else ["dot2"]
        answer = {"name": "faulty", "instructions": [{"name": name, "k": 2, "a": "fp16", "b": "fp16", "c": "fp32", "d": "fp32"} for name in names]}
    else:
        answer = run(request)
    print(json.dumps(answer), flush=True)

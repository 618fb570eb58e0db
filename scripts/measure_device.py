#!/usr/bin/env python3
"""Identifies all instructions of a device, compares each model in bulk, and writes the tables of a page in docs/results.

usage: scripts/measure_device.py PROGRAM DEVICE PAGE     e.g. build/release/mmaprint cuda:0 docs/results/h200.md
       scripts/measure_device.py --from RESULTS DEVICES PAGE   of what `identify --json` and `devices --json` printed

What stands between the two marks of the page is written anew; a page without them gets it at its end.
"""
import json
import pathlib
import subprocess
import sys
from collections import Counter

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
HOW = ["--all", "--validate", "1e9", "--time-limit-each", "300"]


def printed(command):
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}, and nothing was printed")
    return json.loads(done.stdout)


def power(n):
    digits = len(str(n)) - 1
    return f"10^{digits}" if n == 10**digits else f"{n:,}"


def value(x, none="none"):
    if x is None:
        return none
    if isinstance(x, dict) and set(x) <= {"at_least", "at_most"}:
        return " ".join({"at_least": "≥", "at_most": "≤"}[side] + f" {bound}" for side, bound in x.items())
    return "see the document" if isinstance(x, (dict, list)) else str(x)


def features(result):
    model = result["model"]
    if model is None:
        return ["-"] * 6
    if result_format(model).startswith("int"):
        return [f"`{short(model['features']['structure'])}`", "-", value(model["features"]["overflow"]), "-", "-",
                "-"]
    f = model["features"]
    rounding = value(f["block_rounding"])
    if f["final_rounding"] != f["block_rounding"]:
        rounding += f", at last {value(f['final_rounding'])}"
    nan = f["nan"]
    return [f"`{short(f['structure'])}`" + converted(model), value(f["alignment_fraction_bits"], "exact"), rounding,
            value(f["output_fraction_bits"]), value(f["minimum_alignment_exponent"], "none seen"),
            f"`{nan}`" if isinstance(nan, str) else "by rule" if nan else "several"]


def converted(model):
    """What operands become before they are multiplied or added."""
    computed = model["features"].get("operand_formats") or {}
    changed = [f"{role} as {f}" for role, f in computed.items() if f and f != model["formats"].get(role)]
    return ", " + ", ".join(changed) if changed else ""


def result_format(model):
    return model["formats"]["d"]


def short(structure, most=60):
    return structure if len(structure) <= most else structure[: most - 1] + "…"


def told(confirmation):
    mutants = confirmation["mutants"]
    return f"{100 * (confirmation['killed'] + confirmation['equal']) / mutants:.1f} % of {mutants}" if mutants else "-"


def compared(result):
    validation = result.get("validation")
    if not validation:
        return "-"
    return {"match": power(validation["vectors"]), "mismatch": "differs"}.get(validation["verdict"], "not finished")


def row(result, machine):
    cells = [f"`{result['instruction']}`", machine.get(result["instruction"]) or "-", *features(result),
             result["verdict"], compared(result), told(result["confirmation"])]
    return "| " + " | ".join(cells) + " |"


def family(name):
    return name.split(".")[0] + (".sp" if ".sp." in name else "")


def tables(results, machine):
    head = ["instruction", "runs as", "structure", "F", "rounding, or overflow", "fraction bits", "clamp", "NaN",
            "verdict", "compared", "mutants told apart or proved equal"]
    lines = []
    for name in dict.fromkeys(family(r["instruction"]) for r in results):
        lines += [f"### `{name}`", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        lines += [row(r, machine) for r in results if family(r["instruction"]) == name] + [""]
    return lines


def summary(results):
    verdicts = Counter(r["verdict"] for r in results)
    observations = sum(r["observations"] for r in results)
    match = sum(1 for r in results if (r.get("validation") or {}).get("verdict") == "match")
    counts = [r["confirmation"] for r in results if r["confirmation"]["mutants"]]
    mutants = sum(c["mutants"] for c in counts)
    known = sum(c["killed"] + c["equal"] for c in counts)
    low = sum(1 for c in counts if c["killed"] + c["equal"] < 0.95 * c["mutants"])
    most = max((c["inputs"] + r["observations"] for c, r in zip(counts, results)), default=0)
    lines = [f"{len(results)} instructions: " + ", ".join(f"{n} `{v}`" for v, n in sorted(verdicts.items())) +
             f"; {observations:,} observations; {match} models agree in bulk."]
    if mutants:
        lines.append(f"Of {mutants:,} mutants {100 * known / mutants:.1f} % are told apart or proved equal, in {low} "
                     f"instructions less than 95 %; at most {most:,} inputs an instruction.")
    unknown = [r for r in results if r["verdict"] == "unknown"]
    if unknown:
        reasons = dict.fromkeys(r["reason"] for r in unknown)
        lines += ["", "Not known:", ""]
        lines += [f"- {reason}: " + ", ".join(f"`{r['instruction']}`" for r in unknown if r["reason"] == reason)
                  for reason in reasons]
    return lines + [""]


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--from":
        answer, listing = (json.loads(pathlib.Path(p).read_text()) for p in sys.argv[2:4])
    elif len(sys.argv) == 4 and not sys.argv[1].startswith("-"):
        program, device = sys.argv[1:3]
        answer = printed([program, "identify", device, *HOW, "--json"])
        listing = printed([program, "devices", device, "--json"])
    else:
        sys.exit(__doc__)
    machine = {i["name"]: i["machine_instruction"] for i in listing["instructions"]}
    results = answer.get("results", [answer])
    page = pathlib.Path(sys.argv[-1])
    before, _, rest = (page.read_text() if page.exists() else "").partition(BEGIN)
    after = rest.partition(END)[2] or "\n"
    measured = "\n".join([BEGIN, "", *summary(results), *tables(results, machine), END])
    page.write_text(before + measured + after)


if __name__ == "__main__":
    main()
